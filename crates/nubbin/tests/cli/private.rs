//! Private inputs stay private: access rights of everything that nubbin makes, secret values, and
//! nothing left behind by a run that is stopped at once.

use crate::hostile::assert_no_process;
use crate::stage::{Ran, Stage, haystack};
use rustix::process::Signal;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path)
        .unwrap()
        .permissions()
        .mode()
        & 0o777
}

/// Returns all files and folders below a folder, with their access rights.
fn walk(folder: &Path) -> Vec<(String, u32, bool)> {
    let mut found = vec![];
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.push((name, mode(&path), path.is_dir()));
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            }
        }
    }
    found
}

/// A test with another failure that lists once what lies in the private folder of the run, and its
/// umask.
const LOOKING: &str = r#"
if [ ! -s "$STAGE/seen" ]; then
    find "$TMPDIR/../.." -mindepth 0 -printf '%m %y %p\n' > "$STAGE/seen"
    umask > "$STAGE/umask"
fi
case "$(cat "$1")" in
*one*) echo "prog: a.c:1: f: Assertion \`one' failed." >&2; exit 134 ;;
*two*) echo "prog: a.c:2: g: Assertion \`two' failed." >&2; exit 134 ;;
esac
exit 1"#;

/// A proposer that notes the access rights of the text it is given.
const PROPOSER: &str = r#"
read line
file=$(printf '%s' "$line" | sed 's/.*"file":"\([^"]*\)".*/\1/')
d=$(dirname "$(dirname "$file")")
find "$d" -printf '%m %y %p\n' >> "$STAGE/seen-by-proposer"
echo '"done"'"#;

/// Checks what a test or proposer saw in a private folder of the run.
#[track_caller]
fn assert_private(seen: &str) {
    assert!(!seen.is_empty());
    for line in seen.lines() {
        let (mode, rest) = line.split_once(' ').unwrap();
        let mode = u32::from_str_radix(mode, 8).unwrap();
        let most = if rest.starts_with('d') { 0o700 } else { 0o600 };
        assert_eq!(mode & !most, 0, "{line}\nin:\n{seen}");
        assert_eq!(mode & 0o600, 0o600, "{line}\nin:\n{seen}");
    }
}

/// Runs nubbin under a umask.
fn under(umask: &str, stage: &Stage, args: &str) -> Ran {
    let folder = stage.folder().display();
    let line = format!("export STAGE='{folder}'; umask {umask}; exec nubbin {args}");
    stage.shell(&line, None)
}

#[test]
fn the_files_of_a_campaign_are_for_this_user_alone() {
    let stage = Stage::new();
    std::fs::create_dir(stage.path("crashes")).unwrap();
    stage.file("crashes/1.txt", "some text\nwith boom in it\n");
    stage.script("prog", "if grep -q boom \"$1\"; then exit 9; fi");
    let line = "reduce-all crashes --exit 9 -- ./prog {}";
    under("0", &stage, line).ended(0);
    let files = walk(&stage.path("crashes.min"));
    let made: Vec<_> = files.iter().map(|(name, ..)| name.as_str()).collect();
    for name in [
        "failures.jsonl",
        "files.jsonl",
        ".state/campaign.sqlite",
        ".state/campaign.lock",
        ".state/files.jsonl",
    ] {
        assert!(made.contains(&name), "{name} in {made:?}");
    }
    for (name, mode, is_dir) in files {
        let most = if is_dir { 0o700 } else { 0o600 };
        assert!(mode & !most == 0, "{name} has {mode:o}");
    }
}

#[test]
fn everything_that_a_run_makes_is_as_private_as_its_input() {
    let stage = Stage::new();
    stage.file("x.txt", "two\nalpha\nbeta\none\n");
    stage.script("look", LOOKING);
    stage.script("propose", PROPOSER);
    chmod(&stage.path("x.txt"), 0o600);
    let made_by_hand = [
        "x.txt",
        "look",
        "propose",
        "seen",
        "umask",
        "seen-by-proposer",
    ];
    // Stopped early, a run also leaves what it resumes from.
    for more in ["--max-tests 12", ""] {
        under(
            "0",
            &stage,
            &format!(
                "reduce x.txt --algorithm ddmin -o out/x.min --same-failure --json-events events \
                 --stats stats --report pages/page.html --other-failures others/here -j 2 {more} \
                 --writable . --proposer ./propose -- ./look '{{}}'"
            ),
        )
        .ended(0);
        for made in [
            "out/x.min",
            "events",
            "stats",
            "pages/page.html",
            "others/here",
        ] {
            assert!(stage.path(made).exists(), "{made}");
        }
        for (name, mode, is_dir) in walk(stage.folder()) {
            let most = if is_dir { 0o700 } else { 0o600 };
            let by_hand = made_by_hand.contains(&name.as_str());
            assert!(by_hand || mode & !most == 0, "{name} has {mode:o}");
        }
        assert_private(&stage.text("seen"));
        assert_private(&stage.text("seen-by-proposer"));
        assert_eq!(stage.text("umask").trim_start_matches('0').trim(), "");
        for seen in ["seen", "seen-by-proposer"] {
            std::fs::remove_file(stage.path(seen)).unwrap();
        }
    }
}

#[test]
fn a_private_folder_has_a_private_result() {
    let stage = Stage::new();
    stage.file("p/d/one", "one\nmore\n");
    stage.file("p/two", "two\n");
    stage.file("p/fixed", "fixed\n");
    std::fs::create_dir(stage.path("p/empty")).unwrap();
    stage.script("test", "grep -q one p/d/one");
    for (name, _, is_dir) in walk(&stage.path("p")) {
        let most = if is_dir { 0o700 } else { 0o600 };
        chmod(&stage.path("p").join(name), most);
    }
    chmod(&stage.path("p"), 0o700);
    under("0", &stage, "reduce p --fixed fixed -- ./test").ended(0);
    assert_eq!(mode(&stage.path("p.min")), 0o700);
    let made = walk(&stage.path("p.min"));
    assert!(made.len() > 3, "{made:?}");
    for (name, mode, is_dir) in made {
        let most = if is_dir { 0o700 } else { 0o600 };
        assert_eq!(mode & !most, 0, "{name} has {mode:o}");
    }
}

#[test]
fn a_log_is_as_open_as_its_input_and_the_umask_allow() {
    for (umask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let stage = Stage::with_crash("a crash");
        chmod(&stage.path("input.txt"), 0o644);
        let args =
            "reduce --test ./test.sh input.txt --stats stats --json-events events --report page";
        under(umask, &stage, args).ended(0);
        for name in ["stats", "events", "page"] {
            assert_eq!(mode(&stage.path(name)), expected, "{name} under {umask}");
        }
        // A page that is made later is as private as the log that it is made of.
        chmod(&stage.path("events"), 0o600);
        under(umask, &stage, "report events -o later").ended(0);
        assert_eq!(mode(&stage.path("later")), 0o600);
    }
}

#[test]
fn no_output_has_a_value_of_the_environment() {
    let stage = Stage::with_crash(&haystack(20, "crash"));
    let secret = "s3cret-value";
    let args = format!(
        "reduce --test ./test.sh input.txt --env TOKEN={secret} --unset-env TOKEN --verbose \
         --max-tests 20 --stats stats --json-events events --report page"
    );
    let ran = stage.run(args.split_whitespace()).ended(0);
    let failing = format!("reduce input.txt --env TOKEN={secret} --stats s -- false");
    let refused = stage.run(failing.split(' ')).ended(3);
    let mut texts = vec![ran.stdout, ran.stderr, refused.stdout, refused.stderr];
    for (name, _, is_dir) in walk(stage.folder()) {
        if !is_dir {
            texts.push(String::from_utf8_lossy(&stage.read(&name)).into_owned());
        }
    }
    assert!(texts.len() > 8);
    for text in texts {
        assert!(!text.contains(secret), "{text}");
    }
    // It reaches the test, though.
    let line = format!("test \"$TOKEN\" = {secret}");
    let token = format!("TOKEN={secret}");
    stage
        .run([
            "reduce",
            "input.txt",
            "--env",
            &token,
            "--max-tests",
            "3",
            "--",
            "sh",
            "-c",
            &line,
        ])
        .ended(0);
}

/// A test that holds many files in the private folder, so that removing them takes a while, and
/// processes outside its group.
const HOLDING: &str = r#"
i=0; while [ $i -lt 3000 ]; do : > $i; i=$((i+1)); done
(setsid sleep 1000 &)
sleep 1000 & echo begun > "$0.begun"; wait"#;

#[test]
fn a_run_that_is_stopped_at_once_leaves_nothing() {
    for pause in [0, 1, 3, 10, 30] {
        let stage = Stage::new();
        stage.file("input.txt", "a crash");
        stage.script("test.sh", HOLDING);
        let mut run = stage.start("reduce --test ./test.sh input.txt -j 2".split(' '));
        run.until("the first test began", || {
            stage.path("test.sh.begun").exists()
        });
        run.signal(Signal::TERM);
        std::thread::sleep(Duration::from_millis(pause));
        run.try_signal(Signal::TERM);
        run.wait().ended(130);
        stage.assert_clean();
        assert_no_process(&stage, "TERM, TERM");
        // The verdicts stay, but no file that was being written.
        let names = stage.names();
        let is_unfinished = |name: &String| name.starts_with(".nubbin-");
        assert!(!names.iter().any(is_unfinished), "{names:?}");
    }
}

#[test]
fn no_process_of_a_proposer_outlives_the_run() {
    let stage = Stage::with_crash(&haystack(10, "crash"));
    // One in the group, one outside, and one that its parent has left.
    let begin = "sleep 1000 & setsid sleep 1000 & (setsid sleep 1000 &)";
    for end in [
        "while read line; do echo '\"done\"'; done",
        "exit 3",
        "sleep 1000",
    ] {
        stage.script("propose", &format!("exec 2>/dev/null\n{begin}\n{end}"));
        let args = "reduce --test ./test.sh input.txt --passes lines --proposer ./propose \
                    --proposer-timeout 1";
        stage.run(args.split_whitespace()).ended(0);
        assert_no_process(&stage, end);
    }
    // The same where the run is stopped at once.
    stage.script("propose", &format!("{begin}\necho > begun; sleep 1000"));
    let mut run = stage
        .start("reduce --test ./test.sh input.txt --passes lines --proposer ./propose".split(' '));
    run.until("the proposer began", || stage.path("begun").exists());
    run.signal(Signal::TERM);
    run.try_signal(Signal::TERM);
    run.wait().ended(130);
    stage.assert_clean();
    assert_no_process(&stage, "TERM, TERM");
}

#[test]
fn no_process_of_a_generator_outlives_the_command() {
    let stage = Stage::new();
    let begin = "exec 2>/dev/null; (setsid sleep 1000 &); sleep 1000 &\n: > begun";
    stage.script(
        "generate",
        &format!("{begin}\nread line; echo '{{\"done\": \"text\"}}'; read line"),
    );
    stage
        .run("generate choices --count 1 -- ./generate".split(' '))
        .ended(0);
    assert_no_process(&stage, "a text");
    std::fs::remove_file(stage.path("begun")).unwrap();
    stage.script("generate", &format!("{begin}\nsleep 1000"));
    let mut run = stage.start("generate choices --count 1 -- ./generate".split(' '));
    run.until("the generator began", || stage.path("begun").exists());
    run.signal(Signal::TERM);
    run.wait().ended(130);
    stage.assert_clean();
    assert_no_process(&stage, "TERM");
}
