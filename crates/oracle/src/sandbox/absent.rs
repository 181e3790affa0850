use super::{Sandbox, SandboxError, SandboxSupport};
use std::convert::Infallible;
use std::io;
use std::path::Path;

/// The sandbox on a system without sandboxes.
#[derive(Debug)]
pub(crate) struct Cage(Infallible);

impl Cage {
    pub(crate) fn new(_sandbox: &Sandbox, _folder: &Path) -> Result<Self, SandboxError> {
        Err(SandboxError::System)
    }

    pub(crate) fn sharing_memory(&self) -> io::Result<Self> {
        match self.0 {}
    }

    pub(crate) fn is_for(&self, _folder: &Path) -> bool {
        match self.0 {}
    }

    pub(crate) fn start<T>(&self, _start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.0 {}
    }

    pub(crate) fn probe() -> Result<SandboxSupport, SandboxError> {
        Err(SandboxError::System)
    }
}
