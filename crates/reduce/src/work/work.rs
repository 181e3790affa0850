use super::{List, Lists, Machine};

/// What a pass proposes for one file.
pub enum Work {
    /// Units of which as many as possible are to go, in an order that a list algorithm decides.
    List(List),
    /// A search of its own.
    Machine(Box<dyn Machine>),
}

impl Work {
    /// The machine that does the work.
    pub fn start(self, lists: &Lists) -> Box<dyn Machine> {
        match self {
            Work::List(list) => list.start(lists),
            Work::Machine(machine) => machine,
        }
    }
}
