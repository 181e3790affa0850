use super::Machine;
use nubbin_edit::protect::Protected;
use nubbin_edit::{Edit, Input};

/// Returns a machine whose proposals are trimmed to the unprotected parts of the input on which
/// `machine` was opened.
pub(crate) fn guard(opened_on: &Input, machine: Box<dyn Machine>) -> Box<dyn Machine> {
    let protected = opened_on.protected().clone();
    if protected.is_empty() {
        return machine;
    }
    Box::new(Guarded { machine, protected })
}

struct Guarded {
    machine: Box<dyn Machine>,
    protected: Protected,
}

impl Machine for Guarded {
    fn next(&mut self) -> Option<Edit> {
        let edit = self.machine.next()?;
        Some(self.protected.trim(edit))
    }

    fn record(&mut self, adopted: bool) {
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Guarded {
            machine: self.machine.fork(),
            protected: self.protected.clone(),
        })
    }

    fn configurations(&self) -> Option<u64> {
        self.machine.configurations()
    }
}
