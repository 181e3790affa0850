//! Flags of nubbin in the command of the test.

use crate::typed::{Typed, long_of};
use std::ffi::OsString;
use std::path::Path;

/// Flags of nubbin that no program under test is expected to have.
const OWN: [&str; 14] = [
    "allow-empty",
    "fixed",
    "max-tests",
    "max-time",
    "must-parse",
    "not-stderr",
    "not-stdout",
    "other-failures",
    "private-failure",
    "same-failure",
    "same-stack",
    "stderr",
    "timeout-fails",
    "with-siblings",
];

/// Programs that have one of these flags, or a command line of nubbin.
const OTHERS: [&str; 3] = ["curl", "nubbin", "wget"];

/// Returns a warning about a flag of nubbin behind `--`, which is a word of the test. `args` begins
/// with the name of the program.
pub fn flag_of_test(args: &[OsString]) -> Option<String> {
    let typed = Typed::of(args).filter(Typed::takes_test)?;
    let words = typed.words();
    let end = words.iter().position(|word| word == "--")?;
    let program = Path::new(words.get(end + 1)?).file_name()?.to_str()?;
    if OTHERS.contains(&program) {
        return None;
    }
    let is_own = |word: &OsString| {
        let long = long_of(word);
        long.is_some_and(|long| OWN.contains(&long) && typed.has_flag(long))
    };
    let at = end + 2 + words[end + 2..].iter().position(is_own)?;
    let flag = words[at].to_string_lossy().into_owned();
    let what = format!(
        "`{flag}` behind `--` is a word of the test: flags of nubbin belong in front of `--`"
    );
    Some(match moved(&typed, end, at) {
        Some(line) => format!("{what}: `{line}`"),
        None => what,
    })
}

/// Returns the command line with the flag at a position, and its value, in front of `--`.
fn moved(typed: &Typed, end: usize, at: usize) -> Option<String> {
    (1..=2).find_map(|count| {
        let flag = typed.words().get(at..at + count)?;
        let (own, test) = typed.words().split_at(end);
        let rest = [&test[..at - end], &test[at - end + count..]].concat();
        let line = [own, flag, &rest].concat();
        typed.accepts(&line).then(|| typed.line(&line))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<String> {
        let words = shlex::split(line).unwrap();
        let args: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        flag_of_test(&args)
    }

    #[test]
    fn a_flag_behind_the_dashes_is_told_with_the_line_that_has_it_in_front_of_them() {
        let said = told("nubbin reduce a --exit 1 -- app {} --max-tests 5 x").unwrap();
        assert!(
            said.ends_with("`nubbin reduce a --exit 1 --max-tests 5 -- app '{}' x`"),
            "{said}"
        );
        let said = told("nubbin isolate a b -- app {} --same-failure x").unwrap();
        assert!(
            said.ends_with("`nubbin isolate a b --same-failure -- app '{}' x`"),
            "{said}"
        );
        let said = told("nubbin reduce a -- app {} --stderr=x").unwrap();
        assert!(
            said.ends_with("`nubbin reduce a '--stderr=x' -- app '{}'`"),
            "{said}"
        );
    }

    #[test]
    fn flags_that_other_programs_have_are_words_of_the_test() {
        for line in [
            "nubbin reduce a -- app {} --json --output x --help --version --exit 1",
            "nubbin reduce a -- curl --max-time 5 {}",
            "nubbin reduce a --max-tests 5 -- app {}",
            "nubbin reduce a -- nubbin reduce {} --max-tests 5 --test t",
            "nubbin reduce a -- sh -c 'app --max-tests 5'",
        ] {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
