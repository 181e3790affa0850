//! `nubbin reduce --ci`, and what `integrations/` makes of it.

use crate::stage::Stage;
use std::collections::{BTreeMap, BTreeSet};
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
    let result = "\n```\ncrash\n```\n\nTo repeat the reduction:\n\n```sh\nnubbin reduce ";
    assert!(summary.contains(result), "{summary}");
    let end = " input.txt --test ./test.sh\n```\n";
    assert!(summary.ends_with(end), "{summary}");
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
        summary.contains("\n`````\n```\n````\n`````\n\nTo repeat"),
        "{summary}"
    );
}

#[test]
fn an_input_that_cannot_be_reduced_does_not_fail_the_job() {
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
fn the_script_reduces_a_folder_with_the_flags_of_a_single_file() {
    let stage = Stage::new();
    stage.file("inputs/a", "some\ncrash\nc\n");
    stage.file("inputs/b", "well\n");
    stage.file("lib/word", "crash");
    stage.script(
        "tool",
        "! grep -q \"$(cat lib/word)\" \"$1\" || kill -SEGV $$",
    );
    let line = format!(
        "NUBBIN_ALL=true NUBBIN_INPUT=inputs NUBBIN_COMMAND='./tool {{}}' \
         NUBBIN_FLAGS='--same-failure --with lib/word -j 1' sh {}",
        integrations().join("reduce.sh").display()
    );
    let ran = stage.shell(&line, None).ended(0);
    assert!(ran.stderr.contains("2 files: 1 fails"), "{}", ran.stderr);
    let list = stage.text("nubbin-output/results/failures.jsonl");
    assert_eq!(list.lines().count(), 1, "{list}");
    assert!(stage.text("nubbin-output/report.html").contains("crash"));
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
    let of_action = names("github/action.yml");
    let all = read.union(&names("github/program.sh")).cloned().collect();
    assert_eq!(of_action, all);
    let mut gitlab = names("gitlab/nubbin.yml");
    assert!(gitlab.remove("NUBBIN_REDUCE"));
    assert_eq!(gitlab, read);
}

/// The compiler of the examples of the guide: it is found from the folder of the job only.
fn job() -> Stage {
    let stage = Stage::new();
    stage.file("tests/large.src", "a\nb\ncrash\nc\n");
    stage.script("compiler", "! grep -q crash \"$1\" || kill -SEGV $$");
    stage
}

/// Returns the keys of lines `key: value` of this indentation, up to the first line with less.
fn keys(text: &str, indent: usize) -> BTreeMap<String, String> {
    let lines = text.lines().take_while(|line| {
        let own = line.len() - line.trim_start().len();
        line.is_empty() || own >= indent
    });
    let pairs = lines.filter_map(|line| {
        let own = line.len() - line.trim_start().len();
        let (key, value) = line.trim().split_once(':')?;
        (own == indent).then(|| (key.to_owned(), value.trim().trim_matches('"').to_owned()))
    });
    pairs.collect()
}

/// Returns the text behind the first line that is this one.
fn behind<'a>(text: &'a str, line: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("{line}\n")).expect(line);
    rest
}

fn page() -> String {
    let page = integrations().join("../docs/src/ci.md");
    std::fs::read_to_string(page).unwrap()
}

#[test]
fn the_example_for_github_is_reduced_by_the_step_of_the_action() {
    let action = std::fs::read_to_string(integrations().join("github/action.yml")).unwrap();
    let inputs = behind(&action, "inputs:");
    let mut values: BTreeMap<String, Option<String>> = keys(inputs, 2)
        .into_keys()
        .map(|name| {
            let input = keys(behind(inputs, &format!("  {name}:")), 4);
            (name, input.get("default").cloned())
        })
        .collect();
    let page = page();
    let given = keys(behind(&page, "  with:"), 4);
    assert!(given.len() >= 2, "{given:?}");
    for (name, value) in given {
        let place = values.get_mut(&name);
        *place.unwrap_or_else(|| panic!("the action has no input `{name}`")) = Some(value);
    }
    let step = behind(&action, "    - name: Reduce");
    let value = |text: &str| {
        let name = text.strip_prefix("${{ inputs.")?.strip_suffix(" }}")?;
        values.get(name).cloned().flatten()
    };
    let mut environment = keys(behind(step, "      env:"), 8);
    let found = environment.remove("NUBBIN").unwrap();
    assert_eq!(found, "${{ steps.find.outputs.path }}");
    for (name, text) in &mut environment {
        *text = value(text).unwrap_or_else(|| panic!("{name} has no value"));
    }
    environment.insert("GITHUB_ACTIONS".into(), "true".into());
    let folder = integrations().join("github");
    environment.insert("GITHUB_ACTION_PATH".into(), folder.display().to_string());
    let run = keys(step, 6)["run"].trim_matches('\'').to_owned();

    let stage = job();
    let ran = stage.shell(&with(&environment, &run), None).ended(0);
    assert!(
        ran.stdout.contains("::notice title=nubbin::12 bytes to 5"),
        "{}",
        ran.stdout
    );
    assert_eq!(stage.text("nubbin-output/large.src"), "crash");
}

#[test]
fn the_action_builds_only_where_no_program_is_found() {
    let stage = Stage::new();
    let script = integrations().join("github/program.sh");
    stage.script("folder/nubbin", "echo nubbin 1");
    stage.script("cache/bin/nubbin", "echo nubbin 2");
    stage.script("broken", "exit 3");
    let find = |variables: &str, path: &str, code: i32| {
        let line = format!(
            "rm -f out; export GITHUB_OUTPUT=out {variables}; PATH={path}/usr/bin:/bin sh '{}' find",
            script.display()
        );
        stage.shell(&line, None).ended(code);
        std::fs::read_to_string(stage.path("out")).unwrap_or_default()
    };
    let here = stage.path(".").display().to_string();
    let here = here.trim_end_matches("/.");
    let in_path = format!("{here}/folder:");
    for (variables, path, expected) in [
        (
            "NUBBIN_CACHE=none",
            &*in_path,
            format!("found=true\npath={here}/folder/nubbin\n"),
        ),
        (
            "NUBBIN_CACHE=cache",
            "",
            "found=true\npath=cache/bin/nubbin\n".to_owned(),
        ),
        (
            "NUBBIN_CACHE=none",
            "",
            "found=false\npath=none/bin/nubbin\n".to_owned(),
        ),
        (
            "NUBBIN_CACHE=none NUBBIN_PROGRAM=folder/nubbin",
            "",
            format!("found=true\npath={here}/folder/nubbin\n"),
        ),
    ] {
        assert_eq!(find(variables, path, 0), expected, "{variables} {path}");
    }
    let line = "tar -czf nubbin.tar.gz folder";
    stage.shell(line, None).ended(0);
    let packed = find("NUBBIN_CACHE=new NUBBIN_PROGRAM=nubbin.tar.gz", "", 0);
    assert_eq!(packed, "found=true\npath=new/unpacked/nubbin\n");
    assert_eq!(find("NUBBIN_CACHE=cache NUBBIN_PROGRAM=broken", "", 1), "");
}

#[test]
fn the_example_for_gitlab_is_reduced_by_the_script_of_the_template() {
    let template = std::fs::read_to_string(integrations().join("gitlab/nubbin.yml")).unwrap();
    let mut environment = keys(behind(&template, "  variables:"), 4);
    environment.extend(keys(behind(&page(), "  variables:"), 4));
    let script = integrations().join("reduce.sh").display().to_string();
    environment.insert("NUBBIN_REDUCE".into(), script);
    let line = behind(&template, "  script:").lines().next().unwrap();
    let stage = job();
    let line = line.trim().strip_prefix("- ").unwrap();
    stage.shell(&with(&environment, line), None).ended(0);
    assert_eq!(stage.text("nubbin-output/large.src"), "crash");
}

/// Returns a line for the shell with variables of the environment.
fn with(environment: &BTreeMap<String, String>, line: &str) -> String {
    let set = |(name, value): (&String, &String)| format!("export {name}='{value}'\n");
    let mut all: String = environment.iter().map(set).collect();
    all.push_str(line);
    all
}

#[test]
fn a_program_that_is_not_there_fails_no_job_and_has_no_result() {
    let stage = job();
    let script = integrations().join("reduce.sh");
    let line = "NUBBIN_INPUT=tests/large.src NUBBIN_COMMAND='./another {}' sh";
    let ran = stage.shell(&format!("{line} {}", script.display()), None);
    let ran = ran.ended(0);
    assert!(ran.stdout.contains("no reduction: "), "{}", ran.stdout);
    assert!(ran.stderr.contains("exit code 127"), "{}", ran.stderr);
    assert!(!stage.path("nubbin-output/large.src").exists());
}

/// Makes a repository of four commits, of which the third breaks the compiler, and a large input.
const REPOSITORY: &str = r#"
set -e
export GIT_CONFIG_GLOBAL="$PWD/gitconfig" GIT_CONFIG_NOSYSTEM=1
git config --global user.name nobody
git config --global user.email nobody@example.invalid
git init -q .
printf 'all:\n' >Makefile
printf '#!/bin/sh\nexit 0\n' >compiler
chmod +x compiler
git add Makefile compiler
git commit -qm first
git tag v1.2
git commit -qm second --allow-empty
printf '#!/bin/sh\ngrep -q crash "$1" || exit 0\necho "internal error: in f"; exit 1\n' >compiler
git commit -qam third
git commit -qm fourth --allow-empty
seq 40 >large.src
echo 'a crash' >>large.src
"#;

#[test]
fn the_recipe_for_bisection_finds_the_commit() {
    let page = page();
    let recipe = behind(&page, "```sh");
    let (recipe, _) = recipe.split_once("```").unwrap();
    assert!(recipe.contains("git bisect run"), "{recipe}");
    let stage = Stage::new();
    let ran = stage.shell(&format!("{REPOSITORY}{recipe}"), None);
    let ran = ran.ended(0);
    assert_eq!(stage.text("small.src"), "crash");
    let (_, found) = ran.stdout.split_once("is the first bad commit").unwrap();
    assert!(found.contains("    third\n"), "{}", ran.stdout);
}
