//! Folders as inputs.

use crate::stage::{Stage, haystack};

/// Makes a project with subfolders in which two files matter.
fn project() -> Stage {
    let stage = Stage::new();
    for dir in ["src", "src/inner", "docs", "lib/a/b"] {
        for nth in 0..4 {
            stage.file(&format!("proj/{dir}/f{nth}.txt"), haystack(10, "nothing"));
        }
    }
    stage.file("proj/src/inner/main.txt", haystack(20, "alpha"));
    stage.file("proj/lib/a/needed.txt", haystack(20, "beta"));
    stage.script(
        "test.sh",
        "grep -q alpha proj/src/inner/main.txt && grep -q beta proj/lib/a/needed.txt",
    );
    stage
}

/// Returns all files below a folder of the stage, sorted.
fn files_in(stage: &Stage, folder: &str) -> Vec<String> {
    let root = stage.path(folder);
    let mut found = vec![];
    let mut stack = vec![root.clone()];
    while let Some(dir) = stack.pop() {
        let entries: Vec<_> = std::fs::read_dir(&dir).unwrap().flatten().collect();
        if entries.is_empty() && dir != root {
            found.push(format!("{}/", dir.strip_prefix(&root).unwrap().display()));
        }
        for entry in entries {
            if entry.file_type().unwrap().is_dir() {
                stack.push(entry.path());
            } else {
                let path = entry.path();
                found.push(path.strip_prefix(&root).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_folder_is_reduced_to_the_files_that_matter() {
    let stage = project();
    let before = files_in(&stage, "proj");
    let run = |jobs: &str| {
        let args = format!("reduce -j {jobs} --test ./test.sh proj --stats -");
        let ran = stage.run(args.split(' ')).ended(0);
        let ran = ran.said(&["proj: 18 files to reduce", "proj.min/ (2 of 18 files)"]);
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(stats["result"], serde_json::json!(["proj.min"]));
        assert_eq!(
            files_in(&stage, "proj.min"),
            ["lib/a/needed.txt", "src/inner/main.txt"]
        );
        assert_eq!(stage.text("proj.min/lib/a/needed.txt"), "beta");
        assert_eq!(stage.text("proj.min/src/inner/main.txt"), "alpha");
        std::fs::remove_dir_all(stage.path("proj.min")).unwrap();
        ["tests", "tests_failing", "cache_hits", "bytes_after"].map(|name| stats[name].clone())
    };
    let alone = run("1");
    assert_eq!(run("2"), alone);
    assert_eq!(files_in(&stage, "proj"), before);
    assert_eq!(stage.names(), [".nubbin", "proj", "test.sh"]);
}

#[test]
fn a_test_that_starts_inside_the_folder_is_told_of_the_flag_and_runs_with_it() {
    let stage = project();
    stage.script(
        "in.sh",
        "grep -q alpha src/inner/main.txt && grep -q beta lib/a/needed.txt",
    );
    stage
        .run("reduce proj --test ./in.sh".split(' '))
        .ended(3)
        .said(&[
            "expects to start inside the folder `proj`",
            "add `--inside`",
        ]);
    stage
        .run("reduce proj --inside --test ./in.sh".split(' '))
        .ended(0)
        .said(&["proj.min/ (2 of 18 files)"]);
    assert_eq!(stage.text("proj.min/lib/a/needed.txt"), "beta");
    assert_eq!(
        stage.names(),
        [".nubbin", "in.sh", "proj", "proj.min", "test.sh"]
    );
    stage
        .run("reduce in.sh --inside --test ./in.sh".split(' '))
        .ended(2)
        .said(&["`--inside` needs one folder as input"]);
}

#[test]
fn a_command_that_reads_a_file_of_the_folder_is_told_where_it_starts() {
    let stage = project();
    let line = "reduce proj --exit 2 -- grep -q alpha src/inner/main.txt";
    let said = ["the test does not name the input", "or `--inside`"];
    stage.run(line.split(' ')).ended(9).said(&said);
}

#[test]
fn the_path_of_the_candidate_is_the_folder() {
    let stage = project();
    stage
        .run([
            "reduce", "proj/", "-o", "out", "--", "grep", "-rq", "alpha", "{}",
        ])
        .ended(0);
    assert_eq!(files_in(&stage, "out"), ["a.txt"]);
    assert_eq!(stage.text("out/a.txt"), "alpha");
}

#[test]
fn the_current_folder_can_be_the_input() {
    let stage = project();
    stage.script("proj/test.sh", "grep -q alpha src/inner/main.txt");
    let mut command = stage.nubbin("reduce . -- sh test.sh".split(' '));
    command.current_dir(stage.path("proj"));
    let ran = crate::stage::Ran::from(command.output().unwrap());
    ran.ended(0)
        .said(&["the test itself is not reduced: `test.sh`"]);
    assert_eq!(
        files_in(&stage, "proj.min"),
        ["src/inner/main.txt", "test.sh"]
    );
    assert_eq!(stage.text("proj.min/test.sh"), stage.text("proj/test.sh"));
    // The test runs in the result without changes.
    let tried = std::process::Command::new("./test.sh")
        .current_dir(stage.path("proj.min"))
        .status()
        .unwrap();
    assert!(tried.success());
}

#[test]
fn files_and_folders_are_reduced_together() {
    let stage = project();
    stage.file("extra.txt", haystack(20, "gamma"));
    stage.script(
        "test.sh",
        "grep -q alpha proj/src/inner/main.txt && grep -q gamma extra.txt && test -d proj/lib",
    );
    std::fs::create_dir(stage.path("proj/lib/kept")).unwrap();
    stage
        .run("reduce --test ./test.sh extra.txt proj -o out".split(' '))
        .ended(0);
    assert_eq!(stage.text("out/extra.txt"), "gamma");
    assert_eq!(
        files_in(&stage, "out/proj"),
        ["lib/kept/", "src/inner/main.txt"]
    );
}

#[test]
fn fixed_files_are_given_to_the_test_and_copied_to_the_result() {
    let stage = project();
    let tool = haystack(5, "tool");
    stage.file("proj/tools/check.txt", &tool);
    stage.file("proj/.git/HEAD", "ref");
    stage.file("proj/junk.o", "junk");
    std::os::unix::fs::symlink("src/inner/main.txt", stage.path("proj/link")).unwrap();
    stage.script(
        "test.sh",
        "grep -q alpha proj/link && cmp -s proj/tools/check.txt $0.expected && \
         test ! -e proj/.git && test ! -e proj/junk.o",
    );
    stage.file("test.sh.expected", &tool);
    let args = "reduce --test ./test.sh proj --fixed tools --exclude *.o --fixed absent";
    stage.run(args.split(' ')).ended(0).said(&[
        "18 files to reduce, 1 file as it is, 1 link as it is",
        "left out: `.git` (`--fixed .git` gives it to the test)",
        "`--fixed absent` matches nothing",
    ]);
    assert_eq!(
        files_in(&stage, "proj.min"),
        ["link", "src/inner/main.txt", "tools/check.txt"]
    );
    assert!(stage.path("proj.min/link").is_symlink());
    assert_eq!(stage.text("proj.min/tools/check.txt"), tool);
    assert_eq!(stage.text("proj.min/link"), "alpha");
}

#[test]
fn binary_and_text_files_each_get_their_passes() {
    let stage = Stage::new();
    let mut bytes: Vec<u8> = (0..3000u32).map(|i| (i * 37 % 256) as u8).collect();
    bytes.splice(700..700, b"\xff\0crash\xfe".iter().copied());
    for (size, name) in [(200, "large"), (20, "small")] {
        stage.file(&format!("{name}/data.bin"), &bytes);
        stage.file(
            &format!("{name}/code.txt"),
            haystack(size, "alpha(1, 22, beta)"),
        );
        stage.script(
            "test.sh",
            "grep -qaP '\\xff\\x00crash' data.bin && grep -q 'alpha(1.*beta)' code.txt",
        );
        let mut command = stage.nubbin([
            "reduce",
            ".",
            "--test",
            "../test.sh",
            "--stats",
            "../stats.json",
        ]);
        command.env("LC_ALL", "C").current_dir(stage.path(name));
        crate::stage::Ran::from(command.output().unwrap()).ended(0);
        assert_eq!(stage.read(&format!("{name}.min/data.bin")), b"\xff\0crash");
        assert_eq!(stage.text(&format!("{name}.min/code.txt")), "alpha(1beta)");
        let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
        let passes = stats["passes"].as_array().unwrap();
        let ran = |id: &str| passes.iter().any(|pass| pass["pass"] == id);
        assert!(ran("bytes") && ran("tokens"), "{passes:?}");
    }
}

#[test]
fn includes_are_inlined() {
    let stage = Stage::new();
    let main = format!("{}include \"inc/part.txt\"\n", haystack(10, "beta"));
    stage.file("proj/main.txt", main);
    stage.file("proj/inc/part.txt", haystack(10, "alpha"));
    stage.script(
        "test.sh",
        "cd proj && grep -q beta main.txt && { grep -q alpha main.txt || \
         { grep -q 'include \"inc/part.txt\"' main.txt && grep -q alpha inc/part.txt; }; }",
    );
    stage
        .run("reduce --test ./test.sh proj".split(' '))
        .ended(0);
    assert_eq!(files_in(&stage, "proj.min"), ["main.txt"]);
    assert_eq!(stage.text("proj.min/main.txt"), "betalpha");
}

#[test]
fn one_culprit_in_two_thousand_small_files_takes_few_tests() {
    let stage = Stage::new();
    for nth in 0..2000 {
        let text = if nth == 1234 {
            "the crash\n"
        } else {
            "nothing here\n"
        };
        stage.file(&format!("many/d{}/f{nth}.txt", nth % 20), text);
    }
    let args = "reduce -q -j 1 many --stats stats.json -- grep -rq crash {}";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(files_in(&stage, "many.min"), ["a.txt"]);
    assert_eq!(stage.text("many.min/a.txt"), "crash");
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let files = stats["passes"].as_array().unwrap().iter();
    let files: u64 = files
        .filter(|pass| pass["pass"] == "files")
        .map(|pass| pass["tests"].as_u64().unwrap())
        .sum();
    assert!(files <= 50, "{files} tests for the files");
    assert!(stats["tests"].as_u64().unwrap() <= 100, "{stats}");
}

/// Makes a project whose files only have to name each other.
fn linked() -> Stage {
    let stage = Stage::new();
    let main = format!("{}read inner/part.txt\n", haystack(10, "first"));
    stage.file("proj/src/main.txt", main);
    stage.file("proj/src/inner/part.txt", haystack(10, "second"));
    stage.file("proj/docs/A.txt", haystack(10, "nothing"));
    stage.script(
        "test.sh",
        "cd proj && main=$(grep -rl first .) && cd \"$(dirname \"$main\")\" && \
         grep -q second \"$(sed -n 's/^read //p' \"$(basename \"$main\")\")\"",
    );
    stage
}

#[test]
fn files_move_to_the_top_and_get_short_names_with_all_that_names_them() {
    let stage = linked();
    let before = files_in(&stage, "proj");
    let args = "reduce -j 1 --test ./test.sh proj --json-events run.jsonl --report run.html";
    for _ in 0..2 {
        let ran = stage.run(args.split(' ')).ended(0);
        ran.said(&["proj.min/ (2 of 3 files, 2 renamed)"]);
        assert_eq!(files_in(&stage, "proj.min"), ["a.txt", "b.txt"]);
        assert_eq!(stage.text("proj.min/a.txt"), "second");
        let main = stage.text("proj.min/b.txt");
        assert!(main.ends_with("\nread a.txt"), "{main}");
    }
    assert_eq!(files_in(&stage, "proj"), before);
    let log = stage.text("run.jsonl");
    let mut names = serde_json::Map::new();
    for line in log.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        names.extend(event["renamed"].as_object().cloned().unwrap_or_default());
    }
    let expected = serde_json::json!({
        "proj/src/inner/part.txt": "proj/a.txt",
        "proj/src/main.txt": "proj/b.txt",
    });
    assert_eq!(serde_json::Value::from(names), expected);
    assert!(stage.text("run.html").contains("<h3>proj/b.txt</h3>"));
    // Without the pass, names stay.
    let args = "reduce -f -q -j 1 --test ./test.sh proj --without file-names";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(
        files_in(&stage, "proj.min"),
        ["src/inner/part.txt", "src/main.txt"]
    );
}

#[test]
fn a_run_that_was_stopped_while_it_gave_new_names_goes_on() {
    let args = "reduce -q -j 1 --test ./test.sh proj --stats stats.json";
    let tests = |stage: &Stage| {
        let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
        stats["tests"].as_u64().unwrap()
    };
    let whole = linked();
    whole.run(args.split(' ')).ended(0);
    // The run ends just before the names change.
    let stopped = (1..tests(&whole)).rev().find_map(|limit| {
        let stage = linked();
        let command = format!("{args} --max-tests {limit}");
        stage.run(command.split(' ')).ended(0);
        (files_in(&stage, "proj.min") == ["main.txt", "part.txt"]).then_some(stage)
    });
    let stage = stopped.expect("some run ends with the old names");
    stage.run(args.split(' ')).ended(0);
    assert_eq!(files_in(&stage, "proj.min"), ["a.txt", "b.txt"]);
    assert_eq!(tests(&stage), tests(&whole));
}

#[test]
fn no_file_gets_the_name_of_another_one() {
    let stage = linked();
    stage.file("proj/fix/A.txt", "fixed");
    stage.file("proj/B.txt", "fixed");
    stage.file("c.txt", "given");
    let args = "reduce -q -j 1 --test ./test.sh proj --fixed fix/A.txt --fixed B.txt --with c.txt";
    stage.run(args.split(' ')).ended(0);
    assert_eq!(
        files_in(&stage, "proj.min"),
        ["B.txt", "d.txt", "e.txt", "fix/A.txt"]
    );
    assert_eq!(stage.text("proj.min/B.txt"), "fixed");
    // A file of the user in the result is kept, too.
    std::fs::remove_dir_all(stage.path("proj.min")).unwrap();
    let args = "reduce -q -j 1 --test ./test.sh proj";
    stage.run(args.split(' ')).ended(0);
    stage.file("proj.min/a.txt", "mine");
    stage.run(args.split(' ')).ended(0);
    assert_eq!(files_in(&stage, "proj.min"), ["a.txt", "b.txt", "c.txt"]);
    assert_eq!(stage.text("proj.min/a.txt"), "mine");
}

#[test]
fn a_file_that_is_named_on_the_command_line_keeps_its_name() {
    let stage = linked();
    stage.file("extra.txt", haystack(10, "third"));
    let test = stage.text("test.sh");
    let test = test.replace("cd proj", "grep -q third extra.txt && cd proj");
    stage.file("test.sh", test);
    let args = "reduce -q -j 1 --test ./test.sh proj extra.txt -o out";
    stage.run(args.split(' ')).ended(0);
    assert!(files_in(&stage, "out").contains(&"extra.txt".into()));
}

#[test]
fn many_files_are_not_copied_as_the_result_of_a_run_without_success() {
    let stage = Stage::new();
    for number in 0..5_001 {
        stage.file(&format!("many/{number}"), "x");
    }
    stage.script("test.sh", "test \"$(ls many | wc -l)\" -eq 5001");
    let ran = stage.run("reduce many --test ./test.sh --max-tests 4 --plain".split(' '));
    ran.ended(8)
        .said(&["no smaller input was found, so this run has no result"]);
    assert!(!stage.path("many.min").exists());
}

#[test]
fn a_killed_run_on_a_folder_resumes() {
    let whole = project();
    let args = "reduce -q -j 2 --timeout 600 --test ./test.sh proj --stats stats.json";
    whole.run(args.split(' ')).ended(0);
    let stage = project();
    let notes = stage.path("asked").display().to_string();
    let test = stage.text("test.sh");
    let body = test.strip_prefix("#!/bin/sh\n").unwrap();
    stage.file("hold", "");
    let hold = stage.path("hold").display().to_string();
    // The 25th test hangs, so that the run can be killed.
    let waits = format!("while [ -e {hold} ] && [ $(wc -l <{notes}) -ge 25 ]; do sleep 0.01; done");
    stage.script("test.sh", &format!("echo >>{notes}; {waits}; {body}"));
    let mut run = stage.start(args.split(' '));
    run.until("the 25th test began", || {
        stage.path("asked").exists() && stage.text("asked").len() >= 25
    });
    run.kill();
    std::fs::remove_file(stage.path("hold")).unwrap();
    assert_eq!(stage.journals("proj.min").len(), 1);
    let left = files_in(&stage, "proj.min");
    assert!(left.contains(&"src/inner/main.txt".into()), "{left:?}");
    // The next run removes the temporary files of the killed run.
    stage.file("proj.min/mine.txt", "mine");
    stage.run(args.split(' ')).ended(0);
    let mut expected = files_in(&whole, "proj.min");
    expected.push("mine.txt".into());
    expected.sort();
    assert_eq!(files_in(&stage, "proj.min"), expected);
    assert_eq!(stage.text("proj.min/mine.txt"), "mine");
    let stats = |stage: &Stage| -> serde_json::Value {
        serde_json::from_slice(&stage.read("stats.json")).unwrap()
    };
    for count in ["tests", "tests_failing", "bytes_after"] {
        assert_eq!(stats(&stage)[count], stats(&whole)[count], "{count}");
    }
    assert!(stage.journals("proj.min").is_empty());
}

#[test]
fn a_result_never_mixes_with_existing_files() {
    let stage = project();
    stage.file("proj.min/src/mine.txt", "mine");
    stage
        .run("reduce --test ./test.sh proj".split(' '))
        .ended(6)
        .said(&["`proj.min` exists and is not empty", "remove it"]);
    // Without a journal, no file can be from an earlier run.
    stage
        .run("reduce --test ./test.sh proj --resume".split(' '))
        .ended(6);
    assert_eq!(files_in(&stage, "proj.min"), ["src/mine.txt"]);
    stage.file("file", "text");
    stage
        .run("reduce --test ./test.sh proj -o file".split(' '))
        .ended(6)
        .said(&["is not a folder"]);
    assert_eq!(stage.text("file"), "text");
}

#[test]
fn no_output_is_written_to_the_folder_that_is_reduced() {
    let stage = project();
    let before = files_in(&stage, "proj");
    for flags in [
        "-o proj/out",
        "-o proj",
        "-o .",
        "--stats proj/stats.json",
        "--json-events proj/src/f0.txt",
        "-o proj/../proj/lib/deep/new",
    ] {
        let args = format!("reduce --test ./test.sh proj {flags}");
        stage.run(args.split(' ')).ended(2);
    }
    assert_eq!(files_in(&stage, "proj"), before);
    assert_eq!(stage.names(), ["proj", "test.sh"]);
}

#[test]
fn contradictory_flags_for_folders_are_refused() {
    let stage = project();
    stage.file("x", "crash");
    stage
        .run("reduce --test ./test.sh x --fixed *.c".split(' '))
        .ended(2)
        .said(&["need a folder as input", "--with"]);
    stage
        .run("reduce --test ./test.sh proj --stdin".split(' '))
        .ended(2)
        .said(&["cannot be passed on standard input"]);
    stage
        .run("reduce --test ./test.sh proj --exclude [".split(' '))
        .ended(2)
        .said(&["is not a pattern"]);
    std::fs::create_dir(stage.path("void")).unwrap();
    stage
        .run("reduce --test ./test.sh void".split(' '))
        .ended(5)
        .said(&["there is nothing to reduce"]);
}

#[test]
fn links_with_a_target_that_the_test_does_not_find_or_not_in_the_candidate_are_told() {
    let stage = project();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, stage.path("proj").join(name)).unwrap();
    };
    stage.file("outside.txt", "outside");
    link("../../outside.txt", "src/out");
    link(stage.path("outside.txt").to_str().unwrap(), "far");
    link(stage.path("proj/src/f0.txt").to_str().unwrap(), "back");
    link("nowhere", "none");
    link("loop", "loop");
    link("inner/main.txt", "src/fine");
    let ran = stage
        .run("reduce --test ./test.sh proj".split(' '))
        .ended(0);
    ran.said(&[
        "6 links as it is",
        "these links lead out of the folder, so the test does not find their targets: `src/out`",
        "by absolute paths: the test reads their targets, which are not reduced: `far`",
        "reads the original by them instead of the candidate: `back`",
        "these links lead nowhere: `loop`, `none`",
    ]);
    assert_eq!(stage.text("outside.txt"), "outside");
    let target = |name: &str| std::fs::read_link(stage.path("proj.min").join(name)).unwrap();
    assert_eq!(target("none").to_str(), Some("nowhere"));
    assert_eq!(target("src/out").to_str(), Some("../../outside.txt"));
}

#[test]
fn files_that_name_the_folder_by_its_absolute_path_are_told() {
    let stage = project();
    let root = stage.path("proj").canonicalize().unwrap();
    let root = root.display();
    let database = format!("[{{\"directory\": \"{root}\", \"file\": \"{root}/src/f0.txt\"}}]");
    stage.file("proj/compile_commands.json", &database);
    for flags in ["", "--fixed compile_commands.json"] {
        let args = format!("reduce --force --test ./test.sh proj {flags}");
        let ran = stage.run(args.split_whitespace()).ended(0);
        ran.said(&["reads the original instead of the candidate: `compile_commands.json`"]);
    }
    assert_eq!(stage.text("proj/compile_commands.json"), database);
    let quiet = stage
        .run("reduce -q --force --test ./test.sh proj".split(' '))
        .ended(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn names_that_differ_only_in_case_are_told() {
    let stage = project();
    stage.file("proj/README", "one");
    stage.file("proj/readme", "two");
    // A file system that ignores case has one file.
    let are_two = stage.text("proj/README") == "one";
    let ran = stage
        .run("reduce --test ./test.sh proj".split(' '))
        .ended(0);
    let told = "`README` and `readme` differ only in upper and lower case";
    assert_eq!(ran.stderr.contains(told), are_two, "{}", ran.stderr);
}

#[test]
fn files_that_the_build_writes_into_the_folder_are_told_and_stay_in_the_original() {
    let stage = project();
    stage.file("proj/gen.txt", "of an earlier build");
    let build = "cat proj/src/inner/main.txt > proj/gen.txt";
    let ran = stage.run([
        "reduce",
        "proj",
        "--build",
        build,
        "--",
        "grep",
        "-q",
        "alpha",
        "{}/gen.txt",
    ]);
    ran.ended(0).said(&[
        "the build writes `proj/gen.txt` of the input",
        "--exclude 'gen.txt'",
    ]);
    assert_eq!(stage.text("proj/gen.txt"), "of an earlier build");
    let args = [
        "reduce",
        "proj",
        "--force",
        "--exclude",
        "gen.txt",
        "--build",
        build,
    ];
    let ran = stage.run(
        args.into_iter()
            .chain(["--", "grep", "-q", "alpha", "{}/gen.txt"]),
    );
    let ran = ran.ended(0);
    assert!(!ran.stderr.contains("the build writes"), "{}", ran.stderr);
    assert_eq!(files_in(&stage, "proj.min"), ["src/inner/main.txt"]);
}

#[cfg(unix)]
#[test]
fn a_script_of_the_folder_that_the_test_calls_is_told_with_the_flag_that_keeps_it() {
    let stage = Stage::new();
    stage.file("proj/in.txt", "a\ncrash\nb\n");
    stage.file("proj/tools/other.txt", "x\n");
    stage.script("proj/tools/test.sh", "grep -q crash in.txt");
    let line = "cd {} && ./tools/test.sh";
    let hint = "`--fixed tools/test.sh` keeps it";
    let ran = stage.run(["reduce", "proj", "--", "sh", "-c", line]);
    ran.ended(9).said(&[
        hint,
        " proj --fixed tools/test.sh -- sh -c ",
        "the test also fails if all files are empty",
        "keep it with `--fixed tools/test.sh`",
    ]);
    let fixed = ["--fixed", "tools/test.sh", "--force"];
    let args = ["reduce", "proj"].iter().chain(&fixed);
    let ran = stage.run(args.chain(&["--", "sh", "-c", line])).ended(0);
    assert!(!ran.stderr.contains(hint), "{}", ran.stderr);
    assert_eq!(stage.text("proj.min/in.txt"), "crash");
}

#[test]
fn a_script_of_the_folder_can_be_the_program() {
    let stage = Stage::new();
    stage.script(
        "pj/bin/run.sh",
        "grep -q crash \"$(dirname \"$0\")/../in.txt\"",
    );
    stage.file("pj/in.txt", "a\ncrash\nb\n");
    for program in ["{}/bin/run.sh", "./{}/bin/run.sh"] {
        let args = [
            "reduce", "pj", "-o", "out", "--force", "--fixed", "run.sh", "--", program,
        ];
        stage.run(args).ended(0);
        assert_eq!(stage.text("out/in.txt").trim(), "crash", "{program}");
    }
    let args = ["reduce", "pj", "--", "{}/bin/none.sh"];
    stage.run(args).ended(3);
}

#[test]
fn a_folder_in_which_nothing_is_to_be_reduced_is_not_said_to_be_empty() {
    let stage = Stage::new();
    stage.file("pj/a.txt", "crash\n");
    stage.file("empty/a.txt", "");
    std::fs::create_dir(stage.path("none")).unwrap();
    let refused = |args: &str| {
        let args = format!("reduce {args} -- grep -rq crash {{}}");
        let ran = stage.run(args.split_whitespace());
        assert_ne!(ran.code, Some(0));
        ran.stderr
    };
    let fixed = refused("pj --fixed *");
    assert!(
        fixed.contains("no file of `pj` is to be reduced: all are given as they are"),
        "{fixed}"
    );
    assert!(
        fixed.contains("`--fixed PATTERN`") && !fixed.contains("empty"),
        "{fixed}"
    );
    let excluded = refused("pj --exclude *");
    assert!(
        excluded.contains("`--exclude PATTERN`") && !excluded.contains("is empty"),
        "{excluded}"
    );
    let empty = refused("empty");
    assert!(
        empty.contains("every file to reduce of `empty` is empty"),
        "{empty}"
    );
    assert!(refused("none").contains("`none` is empty: there is nothing to reduce"));
}
