//! Files of graphs.

use crate::exit::Exit;
use crate::flags::{GraphOutputFlags, StartAt, WalkFlags};
use crate::grammar::bytes;
use crate::output::{Access, OwnFile};
use crate::paths::{self, Use};
use crate::print::{print, print_text};
use crate::problem::Problem;
use nubbin_graph::{Graph, Start, WalkOptions, Walker};
use std::path::{Path, PathBuf};

/// Reads a graph.
pub fn read(path: &Path) -> Result<Graph, Problem> {
    let text = bytes(path)?;
    let text = String::from_utf8_lossy(&text);
    Graph::from_json(&text).map_err(|error| {
        let what = format!("cannot use the graph `{}`", path.display());
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("`nubbin graph explore` makes a new one")
    })
}

/// Refuses to replace a file that is read.
pub(super) fn keep_apart(read: &[PathBuf], output: &GraphOutputFlags) -> Result<(), Problem> {
    let read: Vec<Use<'_>> = read
        .iter()
        .map(|path| Use {
            path,
            what: "the file",
        })
        .collect();
    let written: Vec<Use<'_>> = output
        .output
        .iter()
        .map(|path| Use {
            path,
            what: "the answer",
        })
        .collect();
    paths::keep_apart(&read, &written)
}

/// Prepares walks on a graph. It is an error if no walk on the graph reaches a call.
pub fn walker(graph: &Graph, flags: &WalkFlags) -> Result<Walker, Problem> {
    let options = WalkOptions {
        start: match flags.start {
            StartAt::Signature => Start::Signature,
            StartAt::Global => Start::Global,
        },
        max_height: flags.max_height,
        literals: !flags.no_literals,
        receivers: !flags.no_receivers,
        vary_arguments: !flags.exact_arguments,
    };
    let walker = Walker::new(graph, options);
    match walker.has_calls() {
        true => Ok(walker),
        false => {
            let what = format!(
                "no call of the graph has a height of at most {}",
                options.max_height
            );
            Err(Problem::new(Exit::Input, what).hint("`--max-height N` allows higher calls"))
        }
    }
}

/// The destination of an output: a file of nubbin's own, or standard output.
pub(super) struct Answer {
    file: Option<OwnFile>,
}

impl Answer {
    /// Claims the file before there is an output. A file that nubbin did not write is an error. A
    /// graph has nothing private.
    pub(super) fn claim(flags: &GraphOutputFlags) -> Result<Self, Problem> {
        let file = flags.output.as_deref();
        let file = file.map(|path| OwnFile::claim(path, Access::ALL, flags.force));
        Ok(Answer {
            file: file.transpose()?,
        })
    }

    /// Prints or writes an output for people.
    pub(super) fn show(self, text: &str) -> Result<Exit, Problem> {
        match self.file {
            None => print_text(text),
            Some(_) => self.give(text),
        }
    }

    /// Prints or writes an output that is data.
    pub(super) fn give(self, text: &str) -> Result<Exit, Problem> {
        let Some(file) = self.file else {
            return print(text);
        };
        file.write(text.as_bytes()).map_err(|error| {
            let what = format!("cannot write `{}`", file.path().display());
            Problem::new(Exit::Output, what).because(&error)
        })?;
        Ok(Exit::Done)
    }
}
