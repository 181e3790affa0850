//! Texts from files and from standard input.

use crate::endless;
use crate::exit::Exit;
use crate::problem::Problem;
use std::io::Read;
use std::path::Path;

/// Reads a file; `-` is standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    let read = if path.as_os_str() == "-" {
        let mut text = vec![];
        std::io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        endless::refuse(path)?;
        std::fs::read(path)
    };
    read.map_err(|error| {
        Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(&error)
    })
}
