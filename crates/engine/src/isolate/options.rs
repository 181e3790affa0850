use super::{Atom, DdOrder, IsolateEvent, IsolateStatistics};
use crate::Limits;

/// A function that is called with every event.
pub(crate) type Observer<'a> = &'a mut dyn FnMut(&IsolateEvent<'_>, &IsolateStatistics);

/// The options of an isolation. See the methods of [`Isolation`].
pub(crate) struct Options<'a> {
    pub(crate) atoms: Option<Vec<Atom>>,
    pub(crate) order: DdOrder,
    pub(crate) limits: Limits<'a>,
    pub(crate) observer: Option<Observer<'a>>,
    pub(crate) verify: bool,
}
