//! Passes on the structure of binary files, on damaged ones: no pass has a bug there.
//!
//! `NUBBIN_ROUNDS` is the number of files that are made of each sample, and `PROPTEST_RNG_SEED` the
//! seed.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_reduce::engine::{Event, Reduction, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::{auto, pass, plan::Plan};
use nubbin_verdict::Closure;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../binary/tests/samples");
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut all: Vec<(String, Vec<u8>)> = entries
        .filter(|entry| entry.file_name() != "make")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// Returns the bugs of passes in a run whose test fails for so many of eight texts.
fn bugs(text: &[u8], plan: Plan, salt: u64, failing: u64) -> Vec<String> {
    let oracle = Closure::new(|candidate: &[u8]| {
        let mut hasher = DefaultHasher::new();
        (salt, candidate).hash(&mut hasher);
        candidate == text || hasher.finish() % 8 < failing
    });
    let mut found = vec![];
    let mut observer = |event: &Event<'_>, _: &Statistics| {
        if let Event::PassFailed { pass, message } = event {
            found.push(format!("{pass}: {message}"));
        }
    };
    let input = Input::single("input", text).unwrap();
    Reduction::new(input, &oracle, plan)
        .max_tests(120)
        .observer(&mut observer)
        .run()
        .unwrap();
    found
}

fn structural() -> Plan {
    let ids = [
        "regions",
        "nested-regions",
        "length-fields",
        "checked-chunks",
        "zero-fill",
    ];
    Plan::of(ids.iter().map(|id| pass::by_id(id).unwrap()).collect())
}

#[test]
fn an_archive_whose_directory_ends_behind_the_file_is_reduced() {
    let (_, mut text) = samples()
        .into_iter()
        .find(|(name, _)| name == "x.zip")
        .unwrap();
    // The lengths of a name and of what follows it, in the directory.
    text[366..370].copy_from_slice(b"\x7f\xff\xff\xff");
    for failing in 1..=8 {
        for salt in 0..10 {
            assert_eq!(bugs(&text, structural(), salt, failing), [""; 0]);
        }
    }
}

#[test]
fn no_pass_has_a_bug_on_a_damaged_file() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds: u64 = number("NUBBIN_ROUNDS").unwrap_or(1);
    let seed: u64 = number("PROPTEST_RNG_SEED").unwrap_or(0);
    let mut faults: BTreeMap<String, String> = BTreeMap::new();
    for (nth, (name, sample)) in samples().into_iter().enumerate() {
        for round in 0..rounds {
            let mut state = (seed << 40 ^ round << 8 ^ nth as u64) | 1 << 63;
            let mut random = |below: usize| {
                state = state
                    .wrapping_mul(0x5851_f42d_4c95_7f2d)
                    .wrapping_add(0x1405_7b7e_f767_814f);
                ((state >> 33) % below.max(1) as u64) as usize
            };
            let mut text = sample.clone();
            for _ in 0..=random(3) {
                let at = random(text.len());
                let end = (at + [1, 2, 4, 8][random(4)]).min(text.len());
                let extremes = [0, 1, 0x7f, 0x80, 0xff];
                text[at..end].fill(extremes[random(5)]);
            }
            if random(4) == 0 {
                text.truncate(random(text.len()).max(1));
            }
            let input = Input::single("input", &text[..]).unwrap();
            let plans = [structural(), auto::plan(&input)];
            for plan in plans {
                let failing = 1 + random(4) as u64;
                for bug in bugs(&text, plan, round, failing) {
                    faults
                        .entry(bug)
                        .or_insert(format!("{name}, seed {seed}, round {round}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
