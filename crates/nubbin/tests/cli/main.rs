//! End-to-end tests of the program on real files.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]
#![allow(clippy::disallowed_methods, reason = "tests make files of any kind")]

mod antlr;
mod archives;
mod bad_input;
mod build;
#[cfg(unix)]
mod campaign;
#[cfg(unix)]
mod capture;
mod catalogue;
#[cfg(unix)]
mod choices;
#[cfg(unix)]
mod ci;
#[cfg(unix)]
mod cmin;
mod command_line;
#[cfg(target_os = "linux")]
mod confined;
#[cfg(unix)]
mod explain;
mod flaky;
mod folders;
mod formats;
mod fuzzers;
mod grammar;
mod graph;
mod guide;
mod guide_tables;
mod habits;
mod help;
mod hostile;
#[cfg(unix)]
mod in_time;
mod isolate;
#[cfg(unix)]
mod journals;
mod json;
mod keep;
#[cfg(unix)]
mod leftovers;
#[cfg(all(unix, feature = "mcp"))]
mod mcp;
mod missing_test;
mod named_files;
mod other_tools;
mod others;
mod output;
#[cfg(unix)]
mod own_folder;
#[cfg(unix)]
mod ownership;
#[cfg(target_os = "linux")]
mod persistent;
#[cfg(unix)]
mod population;
mod positions;
mod predicates;
#[cfg(unix)]
mod private;
#[cfg(unix)]
mod proposers;
mod python_graph;
mod reduce;
#[cfg(unix)]
mod reduce_all;
mod reference;
#[cfg(feature = "remote")]
mod remote;
mod replaced_folders;
mod report;
mod resume;
mod running;
mod safety;
mod same_failure;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod same_stack;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(unix)]
mod shims;
mod shootout;
#[cfg(unix)]
mod shown;
#[path = "../../../oracle/tests/skip/mod.rs"]
mod skip;
#[cfg(unix)]
mod snapshots;
mod stage;
mod surroundings;
mod together;
mod trees;
mod trouble;
#[cfg(target_os = "linux")]
mod two_signals;
#[cfg(unix)]
mod view;
#[cfg(unix)]
mod wrong_code;
