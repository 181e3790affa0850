//! Flags of other reducers, and their replacements.
//!
//! The page `docs/src/migrating.md` has the same rows, and a test compares them.

/// A reducer, and its flags.
#[derive(Clone, Copy, Debug)]
pub struct OtherTool {
    /// The heading of its table in the guide.
    pub name: &'static str,
    /// The rows of its table: flags, and their replacements, with flags in backticks.
    pub rows: &'static [(&'static str, &'static str)],
}

impl OtherTool {
    /// Returns the replacement of a flag, such as `--tidy` or `-i`.
    pub fn replacement(&self, flag: &str) -> Option<&'static str> {
        let row = self
            .rows
            .iter()
            .find(|(theirs, _)| flags_in(theirs).any(|it| it == flag));
        row.map(|(_, ours)| *ours)
    }
}

/// Returns the flags in the first column of a table: words in backticks that begin with a dash,
/// without their values.
pub(crate) fn flags_in(theirs: &str) -> impl Iterator<Item = &str> {
    let spans = theirs.split('`').skip(1).step_by(2);
    let words = spans.filter(|span| span.starts_with('-'));
    words.filter_map(|span| span.split([' ', '=']).next())
}

/// All tools, in the order of the guide.
pub const OTHER_TOOLS: &[OtherTool] = &[
    OtherTool {
        name: "C-Reduce and C-Vise",
        rows: &[
            (
                "`-c CMD`, `--commands CMD`, `--shell`",
                "`--test` with a script, or the command itself behind `--`, with a condition such as `--stderr error`",
            ),
            ("`--n 8`", "`-j 8`"),
            (
                "`--timeout 60`",
                "`--timeout 60`; by default it follows the time of the test",
            ),
            (
                "`--not-c`",
                "not needed: the language is recognized, and `--language` names it",
            ),
            ("`--sllooww`", "`--slow`"),
            ("`--tidy`", "not needed: the file is not replaced"),
            ("`--remove-pass P`", "`--without P`"),
            ("`--start-with-pass P`", "`--passes P,…`"),
            ("`--list-passes`", "`nubbin passes`"),
            (
                "`--also-interesting 64`",
                "`--other-failures DIR` keeps the smallest input of each other failure",
            ),
            ("`--save-temps`", "`--keep-temp`"),
            (
                "`--print-diff`, `--debug`",
                "`-v`; `--json-events FILE` has every change",
            ),
            (
                "`--skip-interestingness-test-check`, `-s`",
                "not needed: the original is always tested",
            ),
            (
                "`--add-pass P`, `--no-default-passes`, `--pass-group`, `--pass-group-file`",
                "`--passes P,…`",
            ),
            (
                "`--skip-initial-passes`",
                "not needed: the first passes end soon if they find nothing to remove",
            ),
            (
                "`--skip-after-n-transforms`, `--max-improvement`, `--no-give-up`",
                "not needed: no pass gives up, and `--stop-when-stalled` stops a run",
            ),
            ("`--stopping-threshold 0.5`", "`--stop-at 50%`"),
            ("`--renaming`", "not needed: nubbin always shortens names"),
            ("`--clang-delta-preserve-routine F`", "`--keep F`"),
            (
                "`--clang-delta-std S`",
                "a flag of the proposer's own command",
            ),
            ("`--to-utf8`", "not needed: an input may be any bytes"),
            (
                "`--no-cache`, `--no-kill`, `--die-on-pass-bug`, `--skip-key-off`",
                "not needed",
            ),
            (
                "`--shaddap`, `--log-level`, `--log-file`",
                "`-q`, `-v`, `--json-events FILE`",
            ),
            (
                "`--timing`, `--abs-timing`, `--no-timing`, `--timestamp`",
                "not needed: `--json-events FILE` has all times",
            ),
        ],
    },
    OtherTool {
        name: "Shrink Ray",
        rows: &[
            (
                "`--input-type stdin`, `arg`, `basename`",
                "`--stdin`, `{}` in the command, `--test`",
            ),
            ("`--parallelism 8`", "`-j 8`"),
            ("`--timeout 10`", "`--timeout 10`"),
            ("`--formatter CMD`", "`--format CMD`"),
            (
                "`--seed 1`",
                "`--seed 1`; a seed gives the same result for any `-j`",
            ),
            (
                "`--in-place` (the default)",
                "`--in-place`; without it, the file is not changed",
            ),
            (
                "`--not-in-place`, `--backup`",
                "not needed: the file is not changed, and `--in-place` keeps the original",
            ),
            ("`--memory-limit 1G`", "`--memory 1G`"),
            (
                "`--ui basic`, `--volume`, `--theme`",
                "`--plain`, `-q`, `-v`",
            ),
            ("`--also-interesting N`", "`--other-failures DIR`"),
            (
                "`--trivial-is-not-error`, `--trivial-is-error`",
                "`--allow-empty`; without it, a failure of an empty file is an error",
            ),
            (
                "`--no-clang-delta`, `--clang-delta`",
                "`--proposer clang_delta`, which is off by default",
            ),
        ],
    },
    OtherTool {
        name: "Lithium",
        rows: &[
            (
                "`--lines`, `--char`, `--symbol`",
                "`--algorithm ddmin --atom line`, `char`, `token`",
            ),
            (
                "`--attrs`, `--js`, `--strategy NAME`",
                "not needed: the default plan also reduces elements, strings, and brackets",
            ),
            (
                "`--min`, `--max`, `--chunk-size`, `--repeat`",
                "not needed: a list minimizer chooses its parts; `ddmin:split=N` begins with N",
            ),
            (
                "`--max-run-time SECS`",
                "`--max-time TIME`; the same command continues",
            ),
            (
                "`--testcase FILE`",
                "the input is named anywhere before `--`",
            ),
            ("`--tempdir DIR`", "`TMPDIR=DIR` in the environment"),
        ],
    },
    OtherTool {
        name: "Picireny and Picire",
        rows: &[
            (
                "`-g X.g4`, `-s r`",
                "`-g X.g4 --start r`; no Java and no generated code",
            ),
            ("`--builder srcml`, `--srcml:language C`", "`--language c`"),
            (
                "`--format FILE` (island grammars)",
                "`--island` keeps text that does not fit a grammar",
            ),
            (
                "`--hdd hdd`, `--hdd hddr`",
                "`--algorithm hdd-star`, `hddr:star`",
            ),
            ("`--no-hdd-star`", "`--algorithm hdd`, `hddr`"),
            (
                "`--phase coarse-prune`, `--phase hoist`",
                "`--algorithm coarse-hdd-star`, `hoist`",
            ),
            (
                "`--flatten-recursion`, `--no-squeeze-tree`, `--no-skip-unremovable`",
                "`--prepare` with `flatten`, without `squeeze` or `hide-nodes`",
            ),
            ("`--jobs 4`", "`-j 4`"),
            ("`--cache NAME`", "not needed: no candidate is tested twice"),
            (
                "`--atom char`, `--complement-first`",
                "`--atom char --algorithm ddmin:complements-first`",
            ),
            (
                "`--split balanced`, `--subset-iterator backward`",
                "`--algorithm ddmin:balanced,subsets=backward`",
            ),
            (
                "`--complement-iterator backward`, `--granularity 4`",
                "`--algorithm ddmin:complements=backward,split=4`",
            ),
            ("`--input FILE`, `--test SCRIPT`", "`FILE --test SCRIPT`"),
            ("`--out DIR`, `--no-cleanup`", "`-o PATH`, `--keep-temp`"),
            (
                "`--parallel`, `--combine-loops`, `--max-utilization`",
                "not needed: tests run ahead on all cores, with the same result; `-j` sets the number of simultaneous tests",
            ),
            (
                "`--replacements FILE`",
                "not needed: the shortest text of a rule follows from the grammar",
            ),
            (
                "`--build-hidden-tokens`, `--skip-whitespace`",
                "not needed: the tree contains all text, and white space is removed together with the tokens that it separates",
            ),
            ("`--encoding NAME`", "not needed: an input may be any bytes"),
            (
                "`--antlr FILE`, `--parser LANG`, `--sys-recursion-limit`",
                "not needed: nubbin reads the grammar itself",
            ),
            ("`--log-level`, `--verbose`, `--quiet`", "`-v`, `-q`"),
        ],
    },
    OtherTool {
        name: "llvm-reduce",
        rows: &[
            (
                "`--test-arg=A`",
                "the words of the command: `x.ll -- ./test.sh A {}`",
            ),
            ("`-o FILE`", "`-o FILE`"),
            ("`--in-place`", "`--in-place`, which keeps the original"),
            ("`--delta-passes=P`, `--ir-passes=P`", "`--passes P,…`"),
            ("`--skip-delta-passes=P`", "`--without P`"),
            ("`--print-delta-passes`", "`nubbin passes`"),
            (
                "`--max-pass-iterations=N`, `--starting-granularity-level=N`",
                "not needed: passes run until nothing more can be removed",
            ),
            (
                "`--abort-on-invalid-reduction`, `--write-tmp-files-as-bitcode`, `--preserve-debug-environment`",
                "not needed",
            ),
            (
                "`--mtriple=T`, `--mcpu=C`",
                "words of the command behind `--`",
            ),
        ],
    },
    OtherTool {
        name: "ddSMT",
        rows: &[
            (
                "`--match-out TEXT`",
                "`--stdout TEXT`, a regular expression",
            ),
            (
                "`--match-err TEXT`",
                "`--stderr TEXT`, a regular expression",
            ),
            (
                "`--ignore-output`",
                "`--exit N`: then only the exit code counts",
            ),
            (
                "`-c CMD`, `--ignore-output-cc`, `--match-out-cc`, `--match-err-cc`, `--timeout-cc`",
                "`--differs-from CMD`",
            ),
            ("`--memout 1000`", "`--memory 1G`"),
            ("`--strategy ddmin`", "`--algorithm ddmin`"),
            ("`--pretty-print`, `--wrap-lines`", "`--format CMD`"),
            (
                "`--unchecked`, `--parser-test`, `--dump-config`",
                "not needed",
            ),
        ],
    },
    OtherTool {
        name: "halfempty",
        rows: &[
            ("`--num-threads 8`", "`-j 8`"),
            ("`--output FILE`", "`-o FILE`"),
            (
                "`--stable`",
                "not needed: a run ends when nothing more can be removed",
            ),
            ("`--noverify`", "not needed: the original is always tested"),
            (
                "`--limit RLIMIT_AS=N`",
                "`--memory SIZE`, `--cpu TIME`, `--file-size SIZE`",
            ),
            (
                "`--zero-char B`, `--bisect-skip-multiplier`, `--collapse-skip-multiplier`",
                "not needed: passes also replace bytes by simpler ones",
            ),
            (
                "`--inherit-stdout`, `--inherit-stderr`",
                "`-v`; `o` in the full-screen view shows the output of the last test",
            ),
            (
                "`--gen-intermediate`, `--generate-dot`, `--monitor`",
                "`--report FILE`, a page with all changes",
            ),
            (
                "`--cleanup-threads`, `--no-terminate`, `--term-signal`, `--kill-timeout`",
                "not needed: tests whose verdict is not needed are stopped",
            ),
        ],
    },
    OtherTool {
        name: "afl-tmin and afl-cmin",
        rows: &[
            ("`-i FILE`", "the input is named anywhere before `--`"),
            ("`-o FILE`", "`-o FILE`"),
            ("`-t MSEC`", "`--timeout 1s`"),
            ("`-m MEGS`", "`--memory 512M`"),
            ("`-e`", "`--same-coverage=edges`"),
            ("`-x`", "`--exit 1`, or the exit code of the failure"),
            ("`-H`", "`--timeout-fails`"),
            (
                "`-f FILE`",
                "not needed: `@@` or `{}` stands for the path, and `--stdin` feeds the file",
            ),
            ("`-T N`", "`-j N`"),
            (
                "`-C`, `-A`",
                "`nubbin cmin` has a flag for inputs that crash",
            ),
            (
                "`-Q`, `-U`, `-O`, `-W`, `-X`",
                "`nubbin cmin` with a command that prints its coverage",
            ),
        ],
    },
    OtherTool {
        name: "libFuzzer",
        rows: &[
            ("`-minimize_crash=1`", "`x --same-failure -- ./target {}`"),
            (
                "`-cleanse_crash=1`",
                "not needed: passes also replace bytes by simpler ones",
            ),
            ("`-merge=1`", "`nubbin cmin`"),
            (
                "`-exact_artifact_path=FILE`, `-artifact_prefix=DIR`",
                "`-o FILE`",
            ),
            ("`-max_total_time=60`", "`--max-time 60`"),
            ("`-runs=100`", "`--max-tests 100`"),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The rows of the tables in the guide that have flags in their first column, with the heading.
    fn rows(page: &str) -> Vec<(&str, &str, &str)> {
        let mut heading = "";
        let mut rows = Vec::new();
        for line in page.lines() {
            if let Some(text) = line.strip_prefix("## ") {
                heading = text;
            }
            let cells = line
                .strip_prefix("| ")
                .and_then(|line| line.strip_suffix(" |"));
            let cells = cells.and_then(|cells| cells.rsplit_once(" | "));
            if let Some((theirs, ours)) = cells.filter(|(theirs, _)| flags_in(theirs).count() > 0) {
                rows.push((heading, theirs, ours));
            }
        }
        rows
    }

    #[test]
    fn the_guide_has_the_same_rows() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/migrating.md");
        let page = std::fs::read_to_string(page).unwrap();
        let own = OTHER_TOOLS.iter().flat_map(|tool| {
            let rows = tool.rows.iter();
            rows.map(|(theirs, ours)| (tool.name, *theirs, *ours))
        });
        assert_eq!(rows(&page), own.collect::<Vec<_>>());
    }

    #[test]
    fn a_flag_of_a_tool_has_one_row() {
        for tool in OTHER_TOOLS {
            // A row may have a flag with several values.
            let flags_of = |theirs: &'static str| flags_in(theirs).collect::<BTreeSet<_>>();
            let flags = tool.rows.iter().flat_map(|(theirs, _)| flags_of(theirs));
            let mut flags: Vec<&str> = flags.collect();
            flags.sort_unstable();
            let twice = flags.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(twice, None, "{}", tool.name);
        }
    }

    #[test]
    fn flags_are_found_without_their_values() {
        let theirs = "`--n 8`, `-merge=1`, `S`, `tool --x`";
        assert_eq!(flags_in(theirs).collect::<Vec<_>>(), ["--n", "-merge"]);
        let tools = OTHER_TOOLS
            .iter()
            .filter_map(|tool| tool.replacement("--tidy"));
        assert_eq!(
            tools.collect::<Vec<_>>(),
            ["not needed: the file is not replaced"]
        );
    }
}
