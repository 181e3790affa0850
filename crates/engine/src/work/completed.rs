use super::Machine;
use nubbin_edit::Edit;
use std::sync::Arc;

/// Another form of a file, in which passes make their proposals, with the changes of the file that
/// follow from a proposal. Examples are the decoded bytes of an archive, and the steps of a change
/// of a program.
pub trait Complete: Send + Sync + 'static {
    /// A change of the file since the pass was opened.
    type Whole: Clone + Default + Send;

    /// Returns the change of the file that follows from `all` changes of the form.
    ///
    /// A number in the file may depend on everything that was removed. So it is the whole change
    /// since the pass was opened, the `adopted` one included. Its splices have the `rank`, by which
    /// they [outrank](nubbin_edit::Splice::rank) those that were adopted.
    fn complete(&self, all: &Edit, adopted: &Self::Whole, rank: u32) -> Self::Whole;

    /// Returns a change as an edit.
    fn edit(whole: &Self::Whole) -> &Edit;
}

/// A machine that converts proposals for another [form](Complete) of a file to changes of the file.
pub struct Completed<C: Complete> {
    machine: Box<dyn Machine>,
    form: Arc<C>,
    /// The adopted changes of the form.
    adopted: Edit,
    /// The changes of the file that follow from `adopted`.
    whole: C::Whole,
    rank: u32,
    /// The current proposal: all changes of the form, and all changes of the file.
    asked: Option<(Edit, C::Whole)>,
    /// The number of further proposals before the first one that is adopted.
    patience: Option<u32>,
}

impl<C: Complete> Completed<C> {
    /// Creates a machine that completes the proposals of another machine. With a `patience`, the
    /// machine ends after the given number of proposals if none of them was adopted.
    pub fn new(machine: Box<dyn Machine>, form: C, patience: Option<u32>) -> Self {
        Completed {
            machine,
            form: Arc::new(form),
            adopted: Edit::none(),
            whole: C::Whole::default(),
            rank: 1,
            asked: None,
            patience,
        }
    }
}

impl<C: Complete> Machine for Completed<C> {
    fn next(&mut self) -> Option<Edit> {
        if let Some((_, whole)) = &self.asked {
            return Some(C::edit(whole).clone());
        }
        if self.patience == Some(0) {
            return None;
        }
        let edit = self.machine.next()?;
        let asked = match self.adopted.combine(&edit) {
            Ok(all) if all != self.adopted => {
                let whole = self.form.complete(&all, &self.whole, self.rank);
                (all, whole)
            }
            // The changes were already made, or contradict made changes.
            _ => (self.adopted.clone(), C::Whole::default()),
        };
        let edit = C::edit(&asked.1).clone();
        self.asked = Some(asked);
        Some(edit)
    }

    fn record(&mut self, adopted: bool) {
        if let Some((all, whole)) = self.asked.take()
            && adopted
            && !C::edit(&whole).is_none()
        {
            (self.adopted, self.whole) = (all, whole);
            self.rank += 1;
            self.patience = None;
        }
        self.patience = self.patience.map(|left| left.saturating_sub(1));
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Completed {
            machine: self.machine.fork(),
            form: Arc::clone(&self.form),
            adopted: self.adopted.clone(),
            whole: self.whole.clone(),
            rank: self.rank,
            asked: self.asked.clone(),
            patience: self.patience,
        })
    }

    fn configurations(&self) -> Option<u64> {
        self.machine.configurations()
    }
}
