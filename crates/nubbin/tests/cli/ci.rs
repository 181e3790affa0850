//! `nubbin reduce --ci`, and what `integrations/` makes of it.

use crate::stage::Stage;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations")
}

/// Runs in a job of GitHub. Returns the exit code and standard output.
fn in_github(stage: &Stage, line: &str) -> (Option<i32>, String) {
    let mut command = stage.nubbin(line.split_whitespace());
    command.env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_STEP_SUMMARY", stage.path("summary.md"));
    let output = command.output().unwrap();
    stage.assert_clean();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

#[test]
fn a_result_is_an_annotation_and_in_the_summary_of_the_job() {
    let stage = Stage::with_crash("some text\nwith a ```crash``` in it\n");
    let ran = in_github(&stage, "reduce input.txt --ci --test ./test.sh");
    assert_eq!(ran.0, Some(0));
    let lines: Vec<_> = ran
        .1
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(lines.len(), 1, "{}", ran.1);
    assert!(
        lines[0].starts_with("::notice title=nubbin::35 bytes to 5 in "),
        "{}",
        ran.1
    );
    assert!(lines[0].ends_with("input.min.txt"), "{}", ran.1);
    let summary = stage.text("summary.md");
    assert!(summary.ends_with("\n```\ncrash\n```\n"), "{summary}");
}

#[test]
fn a_text_with_fences_stays_within_its_own() {
    let stage = Stage::new();
    stage.file("input.txt", "```\n````\n");
    stage.script(
        "test.sh",
        "test \"$(cat input.txt)\" = \"$(printf '```\\n````')\"",
    );
    in_github(&stage, "reduce input.txt --ci --test ./test.sh");
    let summary = stage.text("summary.md");
    assert!(
        summary.ends_with("\n`````\n```\n````\n`````\n"),
        "{summary}"
    );
}

#[test]
fn what_cannot_be_reduced_does_not_fail_the_job() {
    let stage = Stage::with_crash("all is well\n");
    let ran = in_github(&stage, "reduce input.txt --ci --test ./test.sh");
    assert_eq!(ran.0, Some(0));
    assert!(
        ran.1.contains("::warning title=nubbin::no reduction: "),
        "{}",
        ran.1
    );
    let ran = in_github(&stage, "reduce nothing.txt --ci --test ./test.sh");
    assert_eq!(ran.0, Some(0));
    assert!(
        ran.1.contains("::warning title=nubbin::no reduction: "),
        "{}",
        ran.1
    );
    // The command line is wrong.
    for line in [
        "reduce input.txt --ci=0 --test ./test.sh",
        "reduce input.txt --ci",
    ] {
        assert_eq!(in_github(&stage, line).0, Some(2), "{line}");
    }
    assert!(!stage.path("summary.md").exists());
}

#[test]
fn the_script_of_the_integrations_leaves_a_result_a_page_and_counts() {
    let stage = Stage::new();
    stage.file("my input.txt", "a\nb\ncrash\nc\n");
    let script = integrations().join("reduce.sh");
    let line = format!(
        "NUBBIN_INPUT='my input.txt' NUBBIN_COMMAND='grep -q crash {{}}' NUBBIN_FLAGS='--exit 0 -j 1' \
         sh {}",
        script.display()
    );
    let ran = stage.shell(&line, None).ended(0);
    assert!(
        ran.stdout.contains("nubbin: notice: 12 bytes to 5"),
        "{}",
        ran.stdout
    );
    assert_eq!(stage.text("nubbin-output/my input.txt"), "crash");
    assert!(stage.text("nubbin-output/report.html").contains("<html"));
    assert!(
        stage
            .text("nubbin-output/stats.json")
            .contains("\"bytes_after\": 5")
    );
}

#[test]
fn the_integrations_set_variables_that_the_script_reads() {
    let names = |path: &str| {
        let text = std::fs::read_to_string(integrations().join(path)).unwrap();
        let words = text.split(|char: char| !char.is_ascii_uppercase() && char != '_');
        let words = words.filter(|word| word.starts_with("NUBBIN_"));
        words.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let read = names("reduce.sh");
    assert_eq!(names("github/action.yml"), read);
    let mut gitlab = names("gitlab/nubbin.yml");
    assert!(gitlab.remove("NUBBIN_REDUCE"));
    assert_eq!(gitlab, read);
}
