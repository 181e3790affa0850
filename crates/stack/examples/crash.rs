//! Runs a command, and prints the stack of its first crash.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let Some(program) = words.next() else {
        return ExitCode::from(2);
    };
    match nubbin_stack::trace(Command::new(program).args(words)) {
        Ok(traced) => {
            println!("{}", traced.status);
            if let Some(crash) = traced.crash {
                println!("signal {}\n{crash}", crash.signal);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
