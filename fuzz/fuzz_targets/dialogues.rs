//! Lines of programs that work with nubbin: proposers, generators, and the process that makes
//! slices. A change that is accepted applies to the text, and each request for a choice has an
//! answer.
//!
//! An input is the lines of one program, after a byte that says which.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/outside/src/choices/answer.rs"]
mod answer;
#[path = "../../crates/terminal/src/hex.rs"]
mod hex;
#[path = "../../crates/outside/src/proposer/message.rs"]
mod proposer;
#[path = "../../crates/outside/src/choices/request.rs"]
mod request;
#[path = "../../crates/outside/src/clang/message.rs"]
mod slices;

use answer::GeneratorError;
use libfuzzer_sys::fuzz_target;
use nubbin_generate::Choices;
use request::{Requested, chosen, mark_span, read_request, requested};

const TEXT: &[u8] = b"int f(int);\nint main(void) { return f(1); }\n";

/// Reads the lines of a generator, as long as they are requests.
fn generate<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<(), GeneratorError> {
    let mut choices = Choices::seeded(7);
    let mut open = 0;
    for line in lines {
        match requested(read_request(line)?)? {
            Requested::Done(_) | Requested::Reject => return Ok(()),
            Requested::Mark(mark) => mark_span(&mut choices, &mut open, mark)?,
            Requested::Choice(kind, probability) => {
                let value = chosen(&mut choices, kind.clone(), probability);
                assert_eq!(kind.admit(&value), value);
            }
        }
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let Some((which, lines)) = data.split_first() else { return };
    let mut lines = lines.split(|&byte| byte == b'\n');
    match which % 3 {
        0 => {
            for line in lines {
                let Ok(message) = proposer::ProposerMessage::read(line) else { return };
                match message.proposed(TEXT) {
                    Ok(proposer::Proposed::Change(edit)) => drop(edit.render(TEXT)),
                    Ok(proposer::Proposed::File(_)) => {}
                    Ok(proposer::Proposed::Done) | Err(_) => return,
                }
            }
        }
        1 => drop(generate(&mut lines)),
        _ => {
            for line in lines {
                let is_slice = slices::ClangMessage::slice(line).is_ok();
                if !is_slice && slices::ClangMessage::errors(line).is_err() {
                    return;
                }
            }
        }
    }
});
