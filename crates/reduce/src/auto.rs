//! The default plans.
//!
//! What decides in the first minute is bytes per test, so coarse units come first, whatever the
//! language: whole files, comments, the pieces between top-level brackets, lines. Passes that
//! look at single tokens only see what these leave. Passes that make nothing smaller, only
//! prettier, come last and never send the run back up.

use crate::input::Input;
use crate::order::Order;
use crate::pass::{self, Pass};
use crate::pick::Choice;
use crate::plan::{Plan, Repeat, Tier};
use std::sync::Arc;

/// What an input looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines of characters: source code, data, logs, prose.
    Text,
    /// Anything else.
    Bytes,
}

/// Bytes looked at to tell the kind of an input.
const SNIFFED: usize = 64 << 10;

impl Kind {
    /// The kind of some bytes, from their beginning.
    ///
    /// Text has next to no control characters. A stray NUL or a byte that is not UTF-8 does not
    /// make a source file binary; one in ten does.
    pub fn of(bytes: &[u8]) -> Kind {
        let head = &bytes[..bytes.len().min(SNIFFED)];
        let valid = String::from_utf8_lossy(head);
        let odd = valid
            .chars()
            .filter(|&c| {
                c == char::REPLACEMENT_CHARACTER || c.is_control() && !"\n\r\t\x0c".contains(c)
            })
            .count();
        if odd * 10 > head.len() {
            Kind::Bytes
        } else {
            Kind::Text
        }
    }
}

/// The default plan for an input.
pub fn plan(input: &Input) -> Plan {
    let largest = input.present().max_by_key(|file| file.text.len());
    match Kind::of(largest.map_or(&[], |file| file.text)) {
        Kind::Text => assemble(TEXT, Order::bytes()),
        Kind::Bytes => assemble(BYTES, Order::binary()),
    }
}

const TEXT: &[Row] = &[
    ("probes", Repeat::Opening, &["trivial"]),
    (
        "opening",
        Repeat::Opening,
        &[
            "files", "comments", "depth-0", "elements", "depth-1", "depth-2",
        ],
    ),
    (
        "coarse",
        Repeat::Fixpoint,
        &[
            "files",
            "depth-0",
            "depth-1",
            "depth-2",
            "indented-blocks",
            "elements",
            "groups",
            "hollow",
            "lines",
            "arguments",
            "includes",
        ],
    ),
    (
        "fine",
        Repeat::Fixpoint,
        &[
            "depth-3",
            "depth-4",
            "statements",
            "bodies",
            "lift",
            "unwrap",
            "debracket",
            "strings",
            "integers",
            "operators",
            "tokens",
        ],
    ),
    (
        "last",
        Repeat::Fixpoint,
        &["peephole", "merge-names", "windows-tokens"],
    ),
    (
        "polish",
        Repeat::Polish,
        &["floats", "names", "whitespace", "join-lines", "chars"],
    ),
];

const BYTES: &[Row] = &[
    ("probes", Repeat::Opening, &["trivial", "ends"]),
    (
        "coarse",
        Repeat::Fixpoint,
        &[
            "files",
            "between-repeats",
            "same-byte-spans",
            "length-fields",
            "bytes",
        ],
    ),
    ("fine", Repeat::Fixpoint, &["short-cuts"]),
    ("polish", Repeat::Polish, &["zero-fill", "lower-bytes"]),
];

/// A tier by the names of its passes.
type Row = (&'static str, Repeat, &'static [&'static str]);

fn assemble(rows: &[Row], order: Order) -> Plan {
    let tiers = rows
        .iter()
        .map(|&(name, repeat, ids)| Tier {
            name,
            passes: by_ids(ids),
            repeat,
        })
        .collect();
    Plan {
        name: "auto".into(),
        tiers,
        algorithm: Choice::default(),
        insist: false,
        order,
    }
}

fn by_ids(ids: &[&'static str]) -> Vec<Arc<dyn Pass>> {
    // A test below checks that every name in this file exists.
    ids.iter().filter_map(|id| pass::by_id(id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_named_in_a_plan_exists() {
        for (_, _, ids) in TEXT.iter().chain(BYTES) {
            assert_eq!(
                by_ids(ids).len(),
                ids.len(),
                "one of {ids:?} does not exist"
            );
        }
    }

    #[test]
    fn source_text_with_a_few_odd_bytes_is_still_text() {
        assert_eq!(
            Kind::of(b"int main() { return '\0'; } // caf\xe9"),
            Kind::Text
        );
        assert_eq!(Kind::of("Grüße, 世界".as_bytes()), Kind::Text);
        assert_eq!(Kind::of(b""), Kind::Text);
        assert_eq!(
            Kind::of(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"),
            Kind::Bytes
        );
    }
}
