use super::{Atom, DdOrder, Event, Statistics};
use crate::Limits;

/// A function that is called with every event.
pub(crate) type Observer<'a> = &'a mut dyn FnMut(&Event<'_>, &Statistics);

/// The options; see the methods of [`Isolation`].
pub(crate) struct Options<'a> {
    pub(crate) atoms: Option<Vec<Atom>>,
    pub(crate) order: DdOrder,
    pub(crate) limits: Limits<'a>,
    pub(crate) observer: Option<Observer<'a>>,
    pub(crate) verify: bool,
}
