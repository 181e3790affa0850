/// The kind of a node of a rough tree. The number of a kind is the number of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The whole text.
    File,
    /// A statement or an element of a list, with the lines that are indented below it.
    Item,
    /// A bracket group with statements.
    Block,
    /// A bracket group with elements between commas.
    List,
    /// A bracket group with neither statements nor commas.
    Plain,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub(super) const ALL: [Kind; 5] =
        [Kind::File, Kind::Item, Kind::Block, Kind::List, Kind::Plain];

    /// Returns the name of the rule of the kind.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Item => "item",
            Kind::Block => "block",
            Kind::List => "list",
            Kind::Plain => "plain",
        }
    }

    /// Returns the kinds of the children that a node of this kind may have.
    pub(super) fn within(self) -> &'static [Kind] {
        match self {
            Kind::File | Kind::Block | Kind::List => &[Kind::Item],
            Kind::Item => &[Kind::Item, Kind::Block, Kind::List, Kind::Plain],
            Kind::Plain => &[Kind::Block, Kind::List, Kind::Plain],
        }
    }

    /// Returns whether the items of a node are statements, which end with a semicolon, a brace, or
    /// a line end.
    pub(super) fn has_statements(self) -> bool {
        matches!(self, Kind::File | Kind::Block)
    }
}

/// A node, or the comma between two elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoughNode {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The kind of the node; `None` for a comma.
    pub(super) kind: Option<Kind>,
}
