use super::chain::Stage;
use super::{Chain, Forest, HeaviestFirst, List, Lists, Machine};
use std::sync::Mutex;

/// The proposals of a pass for one file.
pub enum Work {
    /// A list of units. A list minimizer removes as many of them as possible, in the order that it
    /// chooses.
    List(List),
    /// Units that contain each other. [`HeaviestFirst`] visits them.
    Forest(Forest),
    /// A machine of the pass.
    Machine(Box<dyn Machine>),
}

impl Work {
    /// Starts the machine that does the work.
    pub fn start(self, lists: &Lists) -> Box<dyn Machine> {
        match self {
            Work::List(list) => list.start(lists),
            Work::Forest(forest) => Box::new(HeaviestFirst::new(forest, lists)),
            Work::Machine(machine) => machine,
        }
    }

    /// Joins the works on several files, in the order of the files: all lists into one list, all
    /// forests into one forest, followed by each machine. A list minimizer can therefore take large
    /// steps over many small files. Returns `None` if there is no work.
    pub fn joined(works: impl IntoIterator<Item = Work>, lists: &Lists) -> Option<Work> {
        let (mut all, mut forests, mut machines) = (vec![], vec![], vec![]);
        for work in works {
            match work {
                Work::List(list) => all.push(list),
                Work::Forest(forest) => forests.push(forest),
                Work::Machine(machine) => machines.push(Work::Machine(machine)),
            }
        }
        let list = List::joined(all).map(Work::List);
        let forest = Forest::joined(forests).map(Work::Forest);
        let mut works: Vec<Work> = list.into_iter().chain(forest).chain(machines).collect();
        match works.len() {
            0 | 1 => works.pop(),
            _ => Chain::work(works, lists),
        }
    }
}

impl Forest {
    /// Returns the work that visits the forest (see [`HeaviestFirst`]), or `None` if there are no
    /// units.
    pub fn walk(self) -> Option<Work> {
        (!self.is_empty()).then_some(Work::Forest(self))
    }
}

impl Chain {
    /// Creates a chain of works, in the order in which they run.
    pub fn new(works: impl IntoIterator<Item = Work>, lists: &Lists) -> Self {
        let stages = works.into_iter().map(|work| match work {
            Work::List(list) => Stage::List(list),
            Work::Forest(forest) => Stage::Forest(forest),
            Work::Machine(machine) => Stage::Machine(Mutex::new(machine)),
        });
        Chain::of(stages.collect(), lists)
    }

    /// Creates a chain as the work of a pass. Lists without units are left out. Returns `None` if
    /// no work is left.
    pub fn work(works: impl IntoIterator<Item = Work>, lists: &Lists) -> Option<Work> {
        let works = works.into_iter().filter(|work| match work {
            Work::List(list) => !list.units().is_empty(),
            Work::Forest(_) | Work::Machine(_) => true,
        });
        let mut works = works.peekable();
        works.peek()?;
        Some(Work::Machine(Box::new(Chain::new(works, lists))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Nested;
    use crate::work::Spans;
    use nubbin_edit::Span;

    /// Returns the remaining text if the bytes of `needed` must be kept.
    fn left(work: Work, text: &str, needed: &str) -> (String, usize) {
        let mut machine = work.start(&Lists::default());
        let mut gone = nubbin_edit::Edit::none();
        let mut tests = 0;
        while let Some(edit) = machine.next() {
            tests += 1;
            let all = gone.combine(&edit).unwrap();
            let rendered = all.render(text.as_bytes());
            let fails = needed.bytes().all(|byte| rendered.contains(&byte));
            if fails {
                gone = all;
            }
            machine.record(fails);
        }
        let left = gone.render(text.as_bytes());
        (String::from_utf8(left).unwrap(), tests)
    }

    fn spans(of: std::ops::Range<u32>) -> Vec<Span> {
        of.map(|at| Span::new(at, at + 1)).collect()
    }

    #[test]
    fn lists_of_several_files_are_one_list() {
        let text = "abcdefghijklmnopqrstuvwxyz".repeat(4).to_uppercase() + "abcdefghijklmnop";
        let list = |at: u32| Work::List(List::new(Spans::new(spans(at..at + 10))));
        let works = (0..12).map(|file| list(file * 10));
        let joined = Work::joined(works, &Lists::default()).unwrap();
        let (rest, tests) = left(joined, &text, "c");
        assert_eq!(rest, "c");
        assert!(tests < 20, "{tests}");
    }

    #[test]
    fn forests_of_several_files_are_one_forest() {
        let forest = |at: u32| {
            let all = [Span::new(at, at + 4), Span::new(at + 1, at + 3)];
            let nested = Nested::of(all.into_iter().chain(spans(at + 1..at + 3)));
            Forest::new(Spans::new(nested.spans), &nested.parents).walk()
        };
        let text = "(ab)(cd)(ef)(gh)";
        let works = (0..4).filter_map(|file| forest(file * 4));
        let joined = Work::joined(works, &Lists::default()).unwrap();
        assert_eq!(left(joined, text, "(f)").0, "(f)");
    }

    #[test]
    fn nothing_is_no_work() {
        assert!(Work::joined([], &Lists::default()).is_none());
    }
}
