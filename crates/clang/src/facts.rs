use serde::{Deserialize, Serialize};

/// The items of a text, and slices of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The items in the order of the text, outer before inner. Two items are disjoint, or one is in
    /// the other.
    pub items: Vec<Item>,
    /// Slices of the text, the most likely to be useful first.
    pub slices: Vec<Slice>,
}

/// A part of a text that can be removed by itself, if nothing that is left needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset behind the last byte, which includes a semicolon.
    pub end: u32,
    /// The smallest item around it.
    pub parent: Option<u32>,
    /// The kind of item.
    pub kind: ItemKind,
    /// The name, empty if there is none.
    pub name: String,
}

/// A kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ItemKind {
    /// A part of a namespace.
    Namespace,
    /// `extern "C" { … }`.
    Linkage,
    /// A class, structure, union, or a template of one.
    Record,
    /// A function, a method, or a template of one.
    Function,
    /// The body of a function with its initializers, which a semicolon can replace.
    Body,
    /// A statement in a body that a root is in.
    Statement,
    /// A variable, or a static member.
    Variable,
    /// A member of each object of a class.
    Field,
    /// A typedef, an alias, an enumeration.
    Type,
    /// A using declaration.
    Using,
    /// A using directive.
    Directive,
    /// A declaration of a friend.
    Friend,
    /// A static assertion.
    Assertion,
    /// A concept.
    Concept,
    /// An explicit instantiation of a template.
    Instantiation,
    /// A deduction guide.
    Guide,
    /// A line marker of a preprocessor.
    Marker,
    /// A pragma between declarations.
    Pragma,
    /// A declaration that libclang does not show.
    Other,
}

impl ItemKind {
    /// Returns the text that stands for an item of this kind where it is left out.
    pub fn stand_in(self) -> &'static str {
        match self {
            ItemKind::Body => ";",
            _ => "",
        }
    }
}

/// A set of items with everything that these need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// The items, sorted.
    pub kept: Vec<u32>,
}
