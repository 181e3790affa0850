use super::{Answer, Setup};
use crate::folder::Folder;
use crate::limits::Guard;
use crate::process::{Command, Leader};
use crate::run_error::ServerError;
use crate::sandbox::Cage;
use nubbin_verdict::Cancel;
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::time::Instant;

/// The fork server on a system without fork servers.
#[derive(Debug)]
pub(crate) struct Server(Infallible);

impl Server {
    pub(crate) fn start(
        _command: Command,
        _cage: Option<&Cage>,
        _setup: Setup,
        _outputs: [Option<&File>; 2],
        _folder: &Folder,
        _cancel: &Cancel,
    ) -> Result<Self, ServerError> {
        Err(io::Error::from(io::ErrorKind::Unsupported).into())
    }

    pub(crate) fn group(&self) -> i32 {
        match self.0 {}
    }

    pub(crate) fn is(&self, _setup: Setup) -> bool {
        match self.0 {}
    }

    pub(crate) fn before(&self) -> [&[u8]; 2] {
        match self.0 {}
    }

    pub(crate) fn limit_files(&self, _size: Option<u64>) {
        match self.0 {}
    }

    pub(crate) fn renew(&mut self) {
        match self.0 {}
    }

    pub(crate) fn is_out_of_step(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn test<'g>(
        &mut self,
        _text: &[u8],
        _cancel: &Cancel,
        _begin: Instant,
        _watch: impl FnOnce(Leader) -> Guard<'g>,
    ) -> Option<(Answer, Guard<'g>)> {
        match self.0 {}
    }
}
