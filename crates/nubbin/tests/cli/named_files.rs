//! Files that the command line names for what is not a result: nubbin replaces only its own.

use crate::stage::Stage;
use std::os::unix::fs::PermissionsExt as _;

/// The commands with a file that they write, which is `FILE`.
const COMMANDS: [&str; 11] = [
    "reduce -j1 input.txt --fresh --stats FILE --test ./test.sh",
    "reduce -j1 input.txt --fresh --json-events FILE --test ./test.sh",
    "reduce -j1 input.txt --fresh --report FILE --test ./test.sh",
    "isolate other.txt input.txt --stats FILE --test ./test.sh",
    "isolate other.txt input.txt --json-events FILE --test ./test.sh",
    "report run.jsonl -o FILE",
    "compare run.jsonl run.jsonl -o FILE",
    "shootout --inputs 1 --sizes 20 --algorithms ddmin --html FILE",
    "shootout --inputs 1 --sizes 20 --algorithms ddmin --csv FILE",
    "shootout --inputs 1 --sizes 20 --algorithms ddmin --json FILE",
    "graph show g.json -o FILE",
];

/// A small graph.
const GRAPH: &str = include_str!("../../../graph/tests/figure1.json");

fn stage() -> Stage {
    let stage = Stage::with_crash("a crash b");
    stage.file("other.txt", "a b");
    stage.file("g.json", GRAPH);
    let log = "reduce -j1 input.txt --json-events run.jsonl --test ./test.sh";
    stage.run(log.split(' ')).ended(0);
    stage
}

#[test]
fn no_named_file_of_the_user_is_replaced() {
    for command in COMMANDS {
        let stage = stage();
        let run = |more: &str| {
            let line = command.replace("FILE", &format!("named {more}"));
            stage.run(line.split_whitespace())
        };
        stage.file("named", "mine");
        run("").ended(6).said(&[
            "was not written by nubbin, or was modified afterwards",
            "--force",
        ]);
        assert_eq!(stage.text("named"), "mine", "{command}");
        run("--force").ended(0);
        let first = stage.text("named");
        assert_ne!(first, "mine", "{command}");
        // A file that nubbin has written is its own, until another content is in it.
        run("").ended(0);
        stage.file("named", first + " mine");
        run("")
            .ended(6)
            .said(&["was not written by nubbin, or was modified afterwards"]);
    }
}

#[test]
fn no_file_in_a_named_folder_is_replaced() {
    for (command, file) in [
        ("man -o named", "nubbin.1"),
        ("generate random -n 1 -o named", "0001.txt"),
        (
            "isolate other.txt input.txt -o named --test ./test.sh",
            "input.fail.txt",
        ),
        ("reduce input.txt -o named/ --test ./test.sh", "input.txt"),
        ("campaign new named -- ./test.sh {}", "campaign.toml"),
        ("capture -o named -- cat input.txt", "input.txt"),
    ] {
        let stage = stage();
        stage.file(&format!("named/{file}"), "mine");
        let ran = stage.run(command.split(' '));
        assert_ne!(ran.code, Some(0), "{command}: {}", ran.stderr);
        assert_eq!(stage.text(&format!("named/{file}")), "mine", "{command}");
    }
}

#[test]
fn a_link_and_a_pipe_are_written() {
    let stage = stage();
    std::os::unix::fs::symlink("target", stage.path("link")).unwrap();
    let run = "reduce -q -j1 input.txt --fresh --stats FILE --test ./test.sh";
    stage.file("target", "");
    stage.run(run.replace("FILE", "link").split(' ')).ended(0);
    assert!(stage.path("link").is_symlink() && stage.text("target").contains("tests"));
    let ran = stage.shell(
        &format!("nubbin {} | cat", run.replace("FILE", "/dev/stdout")),
        None,
    );
    assert!(
        ran.stdout.contains("\"tests\""),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let ran = stage.shell(
        &format!("nubbin {} 3>&1", run.replace("FILE", "/dev/fd/3")),
        None,
    );
    assert!(
        ran.stdout.contains("\"tests\""),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn named_files_heed_the_umask() {
    let stage = stage();
    // Both files of figures are written as the page is, and a benchmark takes seconds.
    let is_quick = |command: &&str| !command.contains("--csv") && !command.contains("--json F");
    for command in COMMANDS.into_iter().filter(is_quick) {
        let line = command.replace("FILE", "named");
        let ran = stage.shell(&format!("umask 027; rm -f named; nubbin {line}"), None);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        let mode = stage.path("named").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{command}: {mode:o}");
    }
}
