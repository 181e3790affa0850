use crate::module::{Module, Target};
use rustc_hash::FxHashMap;

/// The names of values in the regions around a position in the text.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    names: FxHashMap<&'a [u8], u32>,
    frames: Vec<Frame<'a>>,
}

#[derive(Debug, Default)]
struct Frame<'a> {
    /// The names that the region defines, each with the value that it had outside of the region.
    undo: Vec<(&'a [u8], Option<u32>)>,
    /// The uses of values that are defined later.
    pending: Vec<(&'a [u8], u32)>,
}

/// The target of a use whose value is unknown.
pub(super) const UNKNOWN: Target = Target::Value(u32::MAX);

impl<'a> Scopes<'a> {
    pub(super) fn enter(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Leaves a region. Uses of values that the region defines later are resolved now.
    pub(super) fn leave(&mut self, module: &mut Module) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        for (name, at) in frame.pending {
            match (self.names.get(name), self.frames.last_mut()) {
                (Some(&value), _) => {
                    if let Some(used) = module.uses.get_mut(at as usize) {
                        used.target = Target::Value(value);
                    }
                }
                (None, Some(around)) => around.pending.push((name, at)),
                (None, None) => {}
            }
        }
        for (name, old) in frame.undo.into_iter().rev() {
            match old {
                Some(value) => self.names.insert(name, value),
                None => self.names.remove(name),
            };
        }
    }

    pub(super) fn define(&mut self, name: &'a [u8], value: u32) {
        let old = self.names.insert(name, value);
        if let Some(frame) = self.frames.last_mut() {
            frame.undo.push((name, old));
        }
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Records a use whose value is not defined yet.
    pub(super) fn wait(&mut self, name: &'a [u8], at: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pending.push((name, at));
        }
    }
}
