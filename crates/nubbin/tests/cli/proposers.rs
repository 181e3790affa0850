//! External programs that propose edits.

use crate::running::wait_until;
use crate::stage::{Ran, Stage, haystack};
use std::path::Path;

/// A proposer that replaces every `bb` by `c`, one in each candidate.
const LETTERS: &str = r#"#!/usr/bin/env python3
import json, re, sys
for line in sys.stdin:
    asked = json.loads(line)["propose"]
    with open("asked", "a") as notes:
        notes.write(line)
    text = open(asked["file"]).read()
    for found in re.finditer("bb", text):
        print(json.dumps({"edits": [{"start": found.start(), "end": found.end(), "text": "c"}]}))
    print('"done"', flush=True)
"#;

fn stage(text: &str, proposer: &str) -> Stage {
    let stage = Stage::new();
    stage.file("input.txt", text);
    stage.script(
        "test.sh",
        "grep -q crash input.txt && grep -q '^x' input.txt",
    );
    let body = proposer
        .strip_prefix("#!")
        .map(|rest| rest.split_once('\n'));
    match body.flatten() {
        Some(_) => {
            stage.script("propose", "");
            stage.file("propose", proposer);
        }
        None => stage.script("propose", proposer),
    }
    stage
}

fn reduce(stage: &Stage, more: &[&str]) -> Ran {
    let args = [
        "reduce",
        "input.txt",
        "--passes",
        "trivial",
        "--proposer",
        "./propose",
    ];
    let test = ["--test", "./test.sh"];
    stage.run(args.iter().chain(more).chain(&test))
}

#[test]
fn a_proposer_gets_the_outcomes_of_its_candidates() {
    let stage = stage("x bb crash bb bb\n", LETTERS);
    reduce(&stage, &["--json-events", "events"]).ended(0);
    assert_eq!(stage.text("input.min.txt"), "x c crash c c\n");
    let asked: Vec<serde_json::Value> = stage
        .text("asked")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = &asked[0]["propose"];
    assert_eq!(first["name"], "input.txt");
    assert_eq!(first["size"], 17);
    assert_eq!(first["last"], serde_json::json!([]));
    let told = serde_json::json!([true, true, true]);
    assert_eq!(asked[1]["propose"]["last"], told, "{asked:?}");
    assert_eq!(asked[1]["propose"]["generation"], 2);
    assert!(stage.text("events").contains(r#""tier":"proposers""#));
    // The texts for the proposer are removed when it ends.
    assert!(!Path::new(first["file"].as_str().unwrap()).exists());
}

#[test]
fn an_early_proposer_is_asked_before_the_passes_and_after_them() {
    let stage = stage("x bb crash bb\nbb\n", LETTERS);
    let args = ["reduce", "input.txt", "--passes", "lines"];
    let early = ["--proposer-early", "./propose", "--json-events", "events"];
    let test = ["--test", "./test.sh"];
    stage.run(args.iter().chain(&early).chain(&test)).ended(0);
    assert_eq!(stage.text("input.min.txt"), "x c crash c\n");
    let asked: Vec<serde_json::Value> = stage
        .text("asked")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let sizes: Vec<_> = asked.iter().map(|line| &line["propose"]["size"]).collect();
    assert_eq!(sizes[0], 17, "{sizes:?}");
    assert_eq!(sizes.last().copied().unwrap(), 12, "{sizes:?}");
    let tiers: Vec<String> = stage
        .text("events")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &serde_json::Value| event["event"] == "pass-started")
        .map(|event| event["tier"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(tiers[0], "early proposers", "{tiers:?}");
    assert!(tiers.contains(&"proposers".to_owned()), "{tiers:?}");
}

#[test]
fn the_run_is_the_same_for_any_number_of_jobs() {
    let run = |jobs: &str| {
        let stage = stage("x bb crash bb bb bbbb\nbb\n", LETTERS);
        reduce(&stage, &["-j", jobs, "--stats", "stats"]).ended(0);
        let stats: serde_json::Value = serde_json::from_str(&stage.text("stats")).unwrap();
        (
            stage.text("input.min.txt"),
            stats["tests"].as_u64(),
            stage.text("asked").lines().count(),
        )
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_candidate_may_be_a_whole_text_of_any_bytes_or_a_file() {
    let proposers = [
        r#"read line; printf '%s\n' '{"text": "x crash c\n"}'; echo '"done"'"#,
        r#"read line; echo '{"text_bytes": "782063726173682063ff"}'; echo '"done"'"#,
        r#"read line; printf 'x crash c' >mine; echo '{"file": "mine"}'; echo '"done"'"#,
        r#"read line; echo '{"edits": [{"start": 2, "end": 5}, {"start": 11, "end": 13, "bytes": "63"}]}'
           echo '"done"'"#,
    ];
    let results: [&[u8]; 4] = [
        b"x crash c\n",
        b"x crash c\xff",
        b"x crash c",
        b"x crash c bb\n",
    ];
    for (proposer, result) in proposers.iter().zip(results) {
        let stage = stage("x bb crash bb bb\n", proposer);
        // Each proposer ends after its list, and is started again for the next one.
        let ran = reduce(&stage, &["--plain"]).ended(0);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        assert_eq!(stage.read("input.min.txt"), result, "{proposer}");
    }
}

#[test]
fn a_proposer_that_breaks_is_disabled_and_the_run_continues() {
    let cases = [
        (
            "echo oh no >&2; exit 3",
            "it ended with exit code 3\n  it wrote: oh no",
        ),
        ("read line; exit 0", "the program exited without `done`"),
        ("read line; kill -SEGV $$", "SEGV"),
        (
            "echo hello",
            "the program wrote a line that is not a candidate: `hello`",
        ),
        (
            r#"echo '{"edits": [{"start": 5, "end": 99}]}'"#,
            "to replace bytes 5 to 99 of an input of",
        ),
        (
            r#"echo '{"file": "/dev/zero"}'"#,
            "the path is not a file of at most",
        ),
        (r#"echo '{"file": "missing"}'"#, "missing` cannot be read"),
        (
            r#"yes '{"text": "x"}'"#,
            "the program proposed more than 100000 candidates",
        ),
        ("cat /dev/zero", "the program wrote a line of more than"),
        (
            "sleep 1000 & sleep 1000",
            "the list of candidates was not complete after 700ms",
        ),
        (
            r#"while :; do echo '{"text": "x"}'; sleep 0.05; done"#,
            "the list of candidates was not complete after",
        ),
        ("./no-such-program", "it ended with exit code 127"),
    ];
    for (proposer, why) in cases {
        let stage = stage("x bb crash bb bb\n", proposer);
        let timeout = if why.contains("not complete") {
            "0.7"
        } else {
            "60"
        };
        let ran = reduce(
            &stage,
            &[
                "--plain",
                "--json-events",
                "events",
                "--proposer-timeout",
                timeout,
            ],
        );
        let ran = ran.ended(0).said(&[
            "warning: the proposer `proposer-1` failed and is not used again",
            why,
        ]);
        assert_eq!(ran.stderr.matches("warning").count(), 1, "{}", ran.stderr);
        assert_eq!(stage.text("input.min.txt"), "x bb crash bb bb\n");
        assert!(stage.text("events").contains("proposer-failed"));
    }
}

#[test]
fn children_of_a_proposer_end_with_the_run() {
    let stage = stage(
        "x bb crash bb bb\n",
        "sleep 1000 & echo $! >pid; while read line; do echo '\"done\"'; done",
    );
    reduce(&stage, &[]).ended(0);
    let pid = stage.text("pid");
    let process = Path::new("/proc").join(pid.trim());
    wait_until("the process that the proposer started has ended", || {
        !process.exists()
    });
}

#[test]
fn the_example_empties_fields_and_corrects_checksums() {
    let stage = Stage::new();
    let sentence = |body: &str| {
        let sum = body.bytes().fold(0, |sum, byte| sum ^ byte);
        format!("${body}*{sum:02X}\n")
    };
    let log = [
        "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
        "GPRMC,123519,A,9907.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
        "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1",
    ];
    stage.file("log.nmea", log.map(sentence).concat());
    // A reader that accepts only correct checksums, and fails on a latitude beyond the pole.
    stage.file(
        "reader.py",
        "import functools, re, sys\n\
         for line in open(sys.argv[1], 'rb').read().splitlines():\n\
         \x20   found = re.fullmatch(rb'\\$([^*]*)\\*([0-9A-F]{2})', line)\n\
         \x20   if not found or functools.reduce(lambda a, b: a ^ b, found[1], 0) != int(found[2], 16):\n\
         \x20       sys.exit('checksum')\n\
         \x20   fields = found[1].split(b',')\n\
         \x20   if fields[0] == b'GPRMC' and float(fields[3]) > 9000:\n\
         \x20       raise ValueError('latitude')\n",
    );
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/proposers/nmea.py");
    let reduce = |result: &str, more: &[&str]| {
        let args = [
            "reduce",
            "log.nmea",
            "-o",
            result,
            "--passes",
            "lines",
            "--with",
            "reader.py",
        ];
        let test = ["--stderr", "latitude", "--", "python3", "reader.py", "{}"];
        stage.run(args.iter().chain(more).chain(&test)).ended(0);
        stage.text(result)
    };
    assert_eq!(reduce("without", &[]), sentence(log[1]));
    let proposer = example.to_str().unwrap();
    assert_eq!(
        reduce("with", &["--proposer", proposer]),
        sentence("GPRMC,,,9907.038")
    );
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn clang_delta_runs_once_for_each_instance_of_a_transformation() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::new();
    stage.file(
        "a.c",
        "int unused(void) { return 1; }\nint crash(int a, int b) { return a; }\n",
    );
    stage.script("test.sh", "grep -q '^int crash(int a[^)]*) {' a.c");
    // Like the real program, it prints the new text, and fails after the last instance.
    stage.script(
        "bin/clang_delta",
        "case \"$1 $2\" in\n\
         '--transformation=remove-unused-function --counter=1') grep -v unused $3 ;;\n\
         '--transformation=simplify-if --counter=1') sed 's/, int b//' $3 ;;\n\
         '--transformation=simplify-if --counter=2') sed 's/crash//' $3 ;;\n\
         '--transformation=return-void --counter=1') kill -SEGV $$ ;;\n\
         *) echo 'Error: The counter value exceeded' >&2; exit 1 ;;\n\
         esac",
    );
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(stage.path("bin")).chain(std::env::split_paths(&rest));
    let path = std::env::join_paths(folders).unwrap();
    let run = |jobs: &str| {
        let mut command = stage.nubbin([
            "reduce",
            "a.c",
            "--fresh",
            "--passes",
            "trivial",
            "--proposer",
            "clang_delta",
            "-j",
            jobs,
            "--stats",
            "stats",
            "--test",
            "./test.sh",
        ]);
        Ran::from(command.env("PATH", &path).output().unwrap()).ended(0);
        stage.assert_clean();
        let stats: serde_json::Value = serde_json::from_str(&stage.text("stats")).unwrap();
        (stage.text("a.min.c"), stats["tests"].as_u64())
    };
    let one = run("1");
    assert_eq!(one.0, "int crash(int a) { return a; }\n");
    assert_eq!(one, run("3"));
    // A tool that cannot be run is disabled like any other proposer.
    let mode = PermissionsExt::from_mode(0o755);
    stage.file("bin/clang_delta", "#!/no/such/interpreter\n");
    std::fs::set_permissions(stage.path("bin/clang_delta"), mode).unwrap();
    let mut command = stage.nubbin([
        "reduce",
        "a.c",
        "--passes",
        "lines",
        "--proposer",
        "clang_delta",
        "--plain",
        "--test",
        "./test.sh",
    ]);
    let ran = Ran::from(command.env("PATH", &path).output().unwrap());
    ran.ended(0).said(&["the proposer `clang_delta` failed"]);
    stage.assert_clean();
}

#[test]
fn contradictory_flags_are_refused_before_the_first_test() {
    let stage = Stage::with_crash(&haystack(4, "crash"));
    let cases: [(&[&str], &str); 4] = [
        (
            &["--proposer", "none", "--proposer", "./x"],
            "`--proposer none` cannot be used with another proposer",
        ),
        (&["--proposer", "  "], "the proposer `  ` cannot be run"),
        (&["--proposer-timeout", "0"], "must be more than 0"),
        (
            &["--proposer", "clang_delta", "--proposer", "clang_delta"],
            "clang_delta",
        ),
    ];
    for (args, what) in cases {
        let all = ["reduce", "input.txt"]
            .iter()
            .chain(args)
            .chain(&["--test", "./test.sh"]);
        stage.run(all).ended(2).said(&[what]);
    }
    stage
        .run([
            "reduce",
            "input.txt",
            "--proposer",
            "none",
            "--test",
            "./test.sh",
        ])
        .ended(0);
}
