use serde::{Deserialize, Serialize};

/// The items of a text, and slices of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The items in the order of the text, outer items before inner ones. Two items are disjoint,
    /// or one contains the other.
    pub items: Vec<Item>,
    /// Whether the failure is a warning, so that the text must have no errors.
    pub is_warning: bool,
    /// Slices of the text, with the most promising slice first.
    pub slices: Vec<Slice>,
}

/// A part of a text that can be removed by itself, if no remaining part needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte. A semicolon at the end is included.
    pub end: u32,
    /// The smallest item that contains this item.
    pub parent: Option<u32>,
    /// The kind of the item.
    pub kind: ItemKind,
    /// The name of the item, or an empty string if it has none.
    pub name: String,
}

/// A kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ItemKind {
    /// A part of a namespace.
    Namespace,
    /// `extern "C" { … }`.
    Linkage,
    /// A class, structure, or union, or a template of one of them.
    Record,
    /// A function, a method, or a template of one.
    Function,
    /// The body of a function with its initializers, which a semicolon can replace.
    Body,
    /// A statement in a body that contains a root.
    Statement,
    /// A variable, or a static member.
    Variable,
    /// A data member of each object of a class.
    Field,
    /// A typedef, an alias, or an enumeration.
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
    /// A declaration that libclang does not expose.
    Other,
}

impl ItemKind {
    /// Returns the text that replaces an item of this kind if it is left out.
    pub fn stand_in(self) -> &'static str {
        match self {
            ItemKind::Body => ";",
            _ => "",
        }
    }
}

/// A set of items that contains all items that they need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// The items, sorted.
    pub kept: Vec<u32>,
}
