use super::{List, Lists, Machine};

/// The proposals of a pass for one file.
pub enum Work {
    /// Units of which as many as possible are to be removed, in an order that a list minimizer
    /// decides.
    List(List),
    /// A machine of its own.
    Machine(Box<dyn Machine>),
}

impl Work {
    /// Starts the machine that does the work.
    pub fn start(self, lists: &Lists) -> Box<dyn Machine> {
        match self {
            Work::List(list) => list.start(lists),
            Work::Machine(machine) => machine,
        }
    }
}
