use crate::stage::{Stage, haystack};

#[test]
fn a_script_runs_beside_the_candidate_and_the_original_stays() {
    let text = haystack(200, "crash");
    let stage = Stage::with_crash(&text);
    stage
        .run(["reduce", "--test", "./test.sh", "input.txt"])
        .ended(0)
        .said(&["input.min.txt"]);
    assert_eq!(stage.text("input.min.txt"), "crash");
    assert_eq!(stage.text("input.txt"), text);
    assert_eq!(
        stage.names(),
        [".nubbin", "input.min.txt", "input.txt", "test.sh"]
    );
}

#[test]
fn a_command_gets_the_path_of_the_candidate() {
    let stage = Stage::new();
    stage.file("a b.txt", haystack(50, "crash"));
    stage
        .run([
            "reduce", "a b.txt", "-o", "out", "--", "grep", "-q", "crash", "{}",
        ])
        .ended(0);
    assert_eq!(stage.text("out"), "crash");
}

#[test]
fn a_candidate_can_be_passed_on_standard_input() {
    let stage = Stage::new();
    stage.file("x", haystack(50, "crash"));
    stage
        .run([
            "reduce", "x", "--stdin", "-o", "out", "--", "grep", "-q", "crash",
        ])
        .ended(0);
    assert_eq!(stage.text("out"), "crash");
}

#[test]
fn the_result_and_the_counts_are_the_same_for_any_number_of_jobs() {
    let stage = Stage::with_crash(&haystack(100, "crash"));
    let run = |jobs: &str| {
        let args = [
            "reduce",
            "-q",
            "--fresh",
            "-j",
            jobs,
            "--test",
            "./test.sh",
            "input.txt",
            "--stats",
            "-",
        ];
        let ran = stage.run(args).ended(0);
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let counts =
            ["tests", "tests_failing", "cache_hits", "bytes_after"].map(|k| stats[k].clone());
        (counts, stage.text("input.min.txt"))
    };
    let alone = run("1");
    assert_eq!(run("2"), alone);
    assert_eq!(run("7"), alone);
}

#[test]
fn every_list_algorithm_runs_by_its_name() {
    let text = haystack(12, "crash");
    let listed = Stage::new().run(["algorithms", "--json"]).ended(0).stdout;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    assert!(listed.len() >= 12, "{listed:?}");
    for entry in listed.iter().filter(|entry| entry["group"] != "tree") {
        let id = entry["id"].as_str().unwrap();
        if entry["group"] == "choices" {
            continue;
        }
        let stage = Stage::with_crash(&text);
        let args = [
            "reduce",
            "--algorithm",
            id,
            "--atom",
            "line",
            "--test",
            "./test.sh",
            "input.txt",
        ];
        stage.run(args).ended(0);
        let result = stage.text("input.min.txt");
        assert!(
            result.contains("crash") && result.len() < text.len(),
            "{id}: {result:?}"
        );
        assert!(result.lines().count() <= 2, "{id}: {result:?}");
    }
}

#[test]
fn atoms_run_one_after_the_other() {
    let stage = Stage::with_crash(&haystack(40, "crash"));
    let args = "reduce --algorithm ddmin --atom line,char --test ./test.sh input.txt";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn several_files_are_reduced_together() {
    let stage = Stage::new();
    stage.file("src/a.h", haystack(20, "alpha"));
    stage.file("src/unused.h", haystack(20, "nothing"));
    stage.file("src/b.c", haystack(20, "beta"));
    stage.script("test.sh", "grep -q alpha src/a.h && grep -q beta src/b.c");
    let args = "reduce --test ./test.sh -o out src/a.h src/unused.h src/b.c";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["removed: not needed"]);
    assert_eq!(stage.text("out/a.h"), "alpha");
    assert_eq!(stage.text("out/b.c"), "beta");
    assert!(!stage.path("out/unused.h").exists());
    assert_eq!(stage.text("src/unused.h"), haystack(20, "nothing"));
}

#[test]
fn extra_files_exist_for_every_test() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    stage.file("needed.txt", "yes");
    stage.script(
        "test.sh",
        "grep -q yes needed.txt && grep -q crash input.txt",
    );
    let args = "reduce --test ./test.sh --with needed.txt input.txt";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn any_bytes_are_reduced() {
    let stage = Stage::new();
    let mut bytes: Vec<u8> = (0..2000u32).map(|i| (i * 37 % 256) as u8).collect();
    bytes.splice(700..700, b"\xff\0crash\xfe".iter().copied());
    stage.file("blob.bin", &bytes);
    let args = [
        "reduce",
        "blob.bin",
        "-o",
        "out",
        "--",
        "grep",
        "-qaP",
        "\\xff\\x00crash",
        "{}",
    ];
    stage.nubbin(args).env("LC_ALL", "C").output().unwrap();
    assert_eq!(stage.read("out"), b"\xff\0crash");
}

#[test]
fn the_limit_of_tests_is_exact() {
    let stage = Stage::with_crash(&haystack(500, "crash"));
    let args = "reduce --max-tests 15 --test ./test.sh input.txt --stats stats.json";
    stage
        .run(args.split(' '))
        .ended(0)
        .said(&["stopped at the test limit"]);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    // The first is of the original, and the last of the result.
    assert_eq!(stats["tests"], 15);
    assert_eq!(stats["ended"], "max-tests");
    assert!(stage.text("input.min.txt").len() < stage.text("input.txt").len());
}

#[test]
fn a_run_stops_when_the_result_is_small_enough_and_can_be_resumed() {
    let stage = Stage::with_crash(&haystack(500, "crash"));
    let counts = |flags: &str| {
        let args = format!("reduce --stop-at 10% --test ./test.sh input.txt --stats - {flags}");
        let ran = stage.run(args.split(' ')).ended(0);
        let ran = ran.said(&["as small as was asked for", "the same command"]);
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(stats["ended"], "small-enough");
        (stats["tests"].clone(), stats["bytes_after"].clone())
    };
    assert_eq!(counts("-j 1"), counts("-j 2"));
    let size = stage.text("input.min.txt").len();
    assert!(size > 5 && size <= stage.text("input.txt").len() / 10);
    assert_eq!(stage.journals("input.min.txt").len(), 1);
    stage
        .run("reduce --test ./test.sh input.txt --resume".split(' '))
        .ended(0)
        .said(&["resuming: ", "finished: nothing more can be removed"]);
    assert_eq!(stage.text("input.min.txt"), "crash");
    assert!(stage.journals("input.min.txt").is_empty());
}

#[test]
fn a_run_stops_without_progress() {
    let stage = Stage::with_crash(&haystack(500, "crash"));
    let counts = |jobs: &str| {
        let args =
            format!("reduce --stop-when-stalled 3 -j {jobs} --test ./test.sh input.txt --stats -");
        let ran = stage
            .run(args.split(' '))
            .ended(0)
            .said(&["nothing got smaller"]);
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(stats["ended"], "stalled");
        (stats["tests"].clone(), stats["bytes_after"].clone())
    };
    assert_eq!(counts("1"), counts("2"));
    assert_eq!(stage.journals("input.min.txt").len(), 1);
}

#[test]
fn the_limit_of_time_ends_a_running_test() {
    let stage = Stage::new();
    stage.file("x", "0123456789");
    // The test of the original ends at once. All later tests hang.
    stage.script("test.sh", "[ $(wc -c <x) = 10 ] || sleep 1000");
    let started = std::time::Instant::now();
    stage
        .run("reduce --max-time 5 --test ./test.sh x".split(' '))
        .ended(0);
    assert!(started.elapsed().as_secs() < 60);
    assert_eq!(stage.text("x.min"), "0123456789");
}

#[test]
fn ctrl_c_leaves_only_the_best_so_far() {
    let stage = Stage::with_crash(&haystack(300, "crash"));
    // All tests from the 60th hang, so that the run still exists when the signal arrives.
    let asked = stage.path("asked").display().to_string();
    let hangs = format!("echo >>{asked}; [ $(wc -l <{asked}) -lt 60 ] || sleep 1000");
    stage.script("test.sh", &format!("{hangs}; grep -q crash input.txt"));
    let args = "reduce --json-events events --test ./test.sh input.txt";
    let mut run = stage.start(args.split(' '));
    let adopted = || {
        std::fs::read_to_string(stage.path("events"))
            .is_ok_and(|events| events.matches(r#""event":"adopted""#).count() >= 2)
    };
    run.until("something was adopted twice", adopted);
    run.signal(rustix::process::Signal::INT);
    run.wait().ended(130);
    let result = stage.text("input.min.txt");
    assert!(result.contains("crash") && result.len() < stage.text("input.txt").len());
    stage.assert_clean();
}

#[test]
fn only_the_default_plan_says_that_nothing_more_can_be_removed() {
    let stage = Stage::new();
    stage.file("in.json", "{\"a\": [1, 2],\n\"b\": 3}\n");
    for flags in [
        "--algorithm hdd",
        "--algorithm perses",
        "--algorithm ddmin",
        "--passes lines",
        "--without tokens",
    ] {
        let line = format!("reduce in.json -o out -j 1 --force {flags} -- grep -q a in.json");
        let ran = stage.run(line.split(' ')).ended(0);
        assert!(
            !ran.stderr.contains("nothing more can be removed"),
            "{flags}: {}",
            ran.stderr
        );
        ran.said(&["finished: "]);
    }
    let line = "reduce in.json -o out -j 1 --force -- grep -q a in.json";
    stage
        .run(line.split(' '))
        .ended(0)
        .said(&["finished: nothing more can be removed"]);
}
