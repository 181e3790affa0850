use crate::tree::NodeId;

/// The declarations of a program, and the declarations that each of them needs.
///
/// An *item* is a statement that is not within a function: a declaration at the top level, in a
/// namespace, or in a class, or a statement of a script. An item needs the item around it, and
/// every item that defines a name that it has, whatever the name may mean there. These needs
/// include more than [`References`](crate::tree_reducer::program::references::References) guesses:
/// nothing is missing if a name has another role than its place suggests.
///
/// Some items are needed on [conditions](Conditional) only. Many types have members of one name,
/// and what has the name mentions the type of the object as well, or something that does. So an
/// item that has the name of a member needs the member where its type is needed. In the same way,
/// several functions with one name differ in the types of their parameters, see
/// [`overloads`](super::overloads).
#[derive(Debug, Default)]
pub(in crate::tree_reducer) struct Items {
    /// The items in the order of the text.
    pub(in crate::tree_reducer) all: Vec<Item>,
    /// The items that are needed on conditions.
    pub(super) conditional: Vec<Conditional>,
    /// For each name in conditions: the numbers of the conditional items that wait for it.
    pub(super) awaited: Vec<Vec<u32>>,
    /// The names that other files may have from this one, each with the items that define it.
    pub(super) exports: Names,
    /// The names that this file may have from others, each with the items that have it.
    pub(super) imports: Names,
}

#[derive(Debug)]
pub(in crate::tree_reducer) struct Item {
    /// The tree that contains the item, as an index among the trees of a program.
    pub(in crate::tree_reducer) tree: u32,
    pub(in crate::tree_reducer) node: NodeId,
    /// The bytes that are in no other item.
    pub(in crate::tree_reducer) weight: u32,
    /// The item that contains this item.
    pub(in crate::tree_reducer) around: Option<u32>,
    /// The items that it needs, without those that need it because they are in it.
    pub(in crate::tree_reducer) needs: Vec<u32>,
    /// The names in conditions that it has.
    pub(super) names: Vec<u32>,
    /// The numbers of the conditional items in it.
    pub(super) members: Vec<u32>,
    /// Whether it is needed where the item around it is, since nothing refers to it by a name, or
    /// the language itself does, or the item around it implements an interface.
    pub(in crate::tree_reducer) is_root: bool,
    /// Whether it is a namespace or a condition such as `#if`: unnamed items in it are not needed
    /// because it is.
    pub(super) is_namespace: bool,
    /// Whether the items in it are members: it has a name, and is not a namespace.
    pub(super) is_type: bool,
    /// Whether it may be a variable that a type needs although nothing names it.
    pub(super) is_variable: bool,
    /// Whether it implements an interface, whose members it must have.
    pub(super) implements: bool,
    /// The first node that is in an item within it, or after it.
    pub(super) header_end: NodeId,
}

/// Names, each with the items that define it or have it.
pub(super) type Names = Vec<(Box<[u8]>, Vec<u32>)>;

/// An item that is needed where all of its conditions are met.
#[derive(Debug)]
pub(super) struct Conditional {
    pub(super) item: u32,
    /// The name by which others refer to it: a needed item must have it. An item without a name
    /// cannot be referred to by name.
    pub(super) name: Option<u32>,
    /// Whether the item around it must be needed: it is a member.
    pub(super) is_member: bool,
    /// Other names that needed items must have.
    pub(super) others: Vec<u32>,
}
