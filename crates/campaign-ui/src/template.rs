//! The texts of a report.

use crate::pattern;
use crate::shown::{fence, visible};
use crate::title::title;
use minijinja::Environment;
use minijinja::value::Serde;
use nubbin_campaign::Issue;
use serde_json::json;

/// The template of a report that is built in.
const USUAL: &str = include_str!("report.md");
/// The template of an issue on GitHub that is built in.
const GITHUB: &str = include_str!("github.md");
/// The names of the templates.
const REPORT_NAME: &str = "report";
const GITHUB_NAME: &str = "github";
/// The maximum number of characters of a body on GitHub.
const MAX_BODY: usize = 65_536;
/// The maximum number of characters of a title on GitHub.
const MAX_TITLE: usize = 256;
/// The maximum number of characters of a test or an output in a report.
const LONGEST: usize = 8_000;

/// The template of a campaign.
pub(super) struct Templates {
    environment: Environment<'static>,
}

/// The facts about an issue that a report has.
pub(super) struct Facts<'a> {
    pub(super) issue: &'a Issue,
    /// The generators and versions that it was seen with, and how often.
    pub(super) sightings: Vec<(String, String, u64)>,
    /// The command that runs the smallest test.
    pub(super) command: String,
    /// The commands of the variants that the program differs from, with their names.
    pub(super) variants: Vec<(String, String)>,
    pub(super) has_stdin: bool,
    /// The names of the files with the tests.
    pub(super) test: &'a str,
    pub(super) original: &'a str,
}

impl Default for Templates {
    fn default() -> Self {
        // A test makes sure that the built-in template is valid.
        Templates::new(None, None).unwrap_or_else(|_| Templates {
            environment: Environment::new(),
        })
    }
}

impl Templates {
    /// Uses the templates of the user, and the built-in template if the user has none.
    pub(super) fn new(report: Option<&str>, github: Option<&str>) -> Result<Self, String> {
        let mut environment = Environment::new();
        environment.add_filter("fenced", fenced);
        environment.add_filter("inline", inline);
        for (name, text) in [
            (REPORT_NAME, report.unwrap_or(USUAL)),
            (GITHUB_NAME, github.unwrap_or(GITHUB)),
        ] {
            let added = environment.add_template_owned(name, text.to_owned());
            added.map_err(|error| error.to_string())?;
        }
        Ok(Templates { environment })
    }

    /// Returns the page of an issue. A template that fails says so in the page.
    pub(super) fn report(&self, facts: &Facts<'_>) -> String {
        self.rendered(REPORT_NAME, &facts.value())
    }

    /// Returns an issue as the GitHub API accepts it: the title, the body, and the labels.
    pub(super) fn github(&self, facts: &Facts<'_>) -> serde_json::Value {
        let title = format!("{}: {}", facts.issue.program, title(facts.issue));
        json!({
            "title": one_line(&title).chars().take(MAX_TITLE).collect::<String>(),
            "body": self.body(facts),
            "labels": ["bug", format!("severity: {}", facts.issue.severity)],
        })
    }

    /// Returns the body of an issue. GitHub refuses a longer one, so that the output and then the
    /// test are left out where both are too long.
    fn body(&self, facts: &Facts<'_>) -> String {
        let mut value = facts.value();
        for part in ["output", "test"] {
            let body = self.rendered(GITHUB_NAME, &value);
            if body.chars().count() <= MAX_BODY {
                return body;
            }
            value[part] = json!("");
        }
        let body = self.rendered(GITHUB_NAME, &value);
        body.chars().take(MAX_BODY).collect()
    }

    fn rendered(&self, name: &str, value: &serde_json::Value) -> String {
        let template = self.environment.get_template(name);
        let rendered = template.and_then(|template| template.render(Serde(value)));
        rendered.unwrap_or_else(|error| format!("the template of reports fails: {error:#}\n"))
    }
}

impl Facts<'_> {
    fn value(&self) -> serde_json::Value {
        let issue = self.issue;
        let text = |bytes: &[u8]| -> String {
            let text = String::from_utf8_lossy(bytes);
            text.chars().take(LONGEST).collect()
        };
        let sightings = self.sightings.iter().map(|(generator, version, seen)| {
            json!({ "generator": generator, "version": version, "seen": seen })
        });
        json!({
            "id": issue.id,
            "program": issue.program,
            "title": title(issue),
            "identity": issue.identity.to_string(),
            "kind": issue.identity.kind,
            "what": issue.identity.what,
            "frames": issue.identity.frames,
            "cluster": issue.cluster,
            "state": issue.state.name(),
            "severity": issue.severity.to_string(),
            "seen": issue.seen,
            "hits": issue.hits,
            "tries": issue.tries,
            "first_seen": time(issue.first_seen),
            "last_seen": time(issue.last_seen),
            "first_version": issue.first_version,
            "last_version": issue.last_version,
            "regressed": issue.regressed,
            "generator": issue.generator,
            "exit": issue.exit,
            "output": text(&issue.output),
            "test": text(issue.smallest()),
            "test_is_text": std::str::from_utf8(issue.smallest()).is_ok(),
            "test_bytes": issue.smallest().len(),
            "test_is_cut": String::from_utf8_lossy(issue.smallest()).chars().nth(LONGEST).is_some(),
            "original_bytes": issue.test.len(),
            "reduction": issue.reduction,
            "reduction_tests": issue.reduction_tests,
            "note": issue.note,
            "explanation": issue.explanation.as_ref().map(|pattern| json!({
                "pattern": pattern.to_string(),
                "evidence": pattern::evidence(pattern),
                "parts": pattern::lines(pattern),
                "pieces": pattern.pieces,
            })),
            "sightings": sightings.collect::<Vec<_>>(),
            "command": self.lines(),
            "test_file": self.test,
            "original_file": self.original,
            "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            "nubbin": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Returns the report for programs.
    pub(super) fn json(&self) -> String {
        let value = self.value();
        serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
    }

    /// Returns the script that shows the issue again.
    pub(super) fn script(&self) -> String {
        let identity = one_line(&self.issue.identity.to_string());
        // A test that hangs would hang in this script as well.
        let limit = match &*self.issue.identity.kind {
            "hang" => "ulimit -t 60\n",
            _ => "",
        };
        let variants = self.variants.iter().map(|(name, command)| {
            let by = format!(", and by {}:", one_line(name));
            let by = by.replace('\'', r"'\''");
            format!("echo 'exit code '$?'{by}'\n{}\n", self.fed(command))
        });
        format!(
            "#!/bin/sh\n# Issue {}: {identity}\ncd \"$(dirname \"$0\")\" || exit 1\n{limit}{}\n{}",
            self.issue.id,
            self.fed(&self.command),
            variants.collect::<String>()
        )
    }

    /// Returns the commands that show the issue, one per line.
    fn lines(&self) -> String {
        let commands = self.variants.iter().map(|(_, command)| command);
        let all = std::iter::once(&self.command).chain(commands);
        all.map(|command| self.fed(command))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns a command with the test on its standard input, if the program reads it there.
    fn fed(&self, command: &str) -> String {
        match self.has_stdin {
            true => format!("{command} < {}", self.test),
            false => command.to_owned(),
        }
    }
}

/// Returns a text as a block of code that nothing in it ends.
fn fenced(text: &str) -> String {
    let shown: String = text
        .lines()
        .map(|line| visible(line).into_owned() + "\n")
        .collect();
    let fence = fence(&shown);
    format!("{fence}text\n{}\n{fence}", shown.trim_end())
}

/// Returns a text in one line.
fn one_line(text: &str) -> String {
    let line = text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
    visible(&line).into_owned()
}

/// Returns a text in one line of Markdown, without markup.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for char in one_line(text).chars() {
        if "\\*_[]<>|#".contains(char) {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

/// Returns a time as people write it, in UTC.
///
/// Source: E. Richards, "Mapping Time", 1998: the algorithm from days to dates.
pub(super) fn time(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let day = days + 2_440_588;
    let f = day + 1401 + (4 * day + 274_277) / 146_097 * 3 / 4 - 38;
    let e = 4 * f + 3;
    let h = 5 * ((e % 1461) / 4) + 2;
    let (date, month) = (h % 153 / 5 + 1, (h / 153 + 2) % 12 + 1);
    let year = e / 1461 - 4716 + (14 - month) / 12;
    format!(
        "{year:04}-{month:02}-{date:02} {:02}:{:02}:{:02}",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// Returns a time as RFC 3339 has it, in UTC.
pub(super) fn instant(millis: i64) -> String {
    time(millis).replace(' ', "T") + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_campaign::{Found, Identity, JobKind, Severity, Store, Test};

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(time(0), "1970-01-01 00:00:00");
        assert_eq!(time(951_782_400_000), "2000-02-29 00:00:00");
        assert_eq!(time(1_795_478_399_000), "2026-11-23 23:59:59");
    }

    #[test]
    fn nothing_in_a_text_ends_its_block_or_reaches_a_terminal() {
        let block = fenced("a\n```\n# b\u{1b}[31m");
        assert!(block.starts_with("````text\n"), "{block}");
        assert!(!block.contains('\u{1b}'), "{block}");
    }

    #[test]
    fn markup_in_a_line_is_text() {
        assert_eq!(inline("<b>*x*\n#"), "\\<b\\>\\*x\\* \\#");
    }

    #[test]
    fn an_issue_on_github_is_never_too_long_and_its_blocks_are_closed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path()).unwrap();
        let mut body = |test: &[u8], output: &[u8]| {
            let found = Found {
                identity: Identity::new("signal", "SIGSEGV", vec![format!("f{}", test.len())]),
                severity: Severity::Medium,
                test: Test::new(test),
                exit: "SIGSEGV".into(),
                output: output.to_vec(),
                seen: 1,
                inputs: vec![],
            };
            let change = store.record_found("p", "g", "1", &found, JobKind::Validate);
            let issue = store.issue(change.unwrap().issue).unwrap().unwrap();
            let facts = Facts {
                issue: &issue,
                sightings: vec![],
                command: "./p test".into(),
                variants: vec![],
                has_stdin: false,
                test: "test",
                original: "original",
            };
            let value = Templates::default().github(&facts);
            assert!(
                value["title"]
                    .as_str()
                    .unwrap()
                    .starts_with("p: SIGSEGV in f")
            );
            let body = value["body"].as_str().unwrap().to_owned();
            assert!(body.chars().count() <= MAX_BODY);
            assert_eq!(body.matches("\n```").count() % 2, 0, "{body}");
            body
        };
        let short = body(b"((", b"red\n");
        for part in [
            "```text\n((\n```",
            "```text\nred\n```",
            "./p test",
            "<details>",
        ] {
            assert!(short.contains(part), "{part}: {short}");
        }
        // An escape has eight characters for each character.
        let long = "\u{202e}".repeat(LONGEST);
        let cut = body(long.as_bytes(), long.as_bytes());
        assert!(!cut.contains("<details>"), "the output is left out");
        assert!(cut.contains("u{202e}"), "the test is kept");
    }

    #[test]
    fn a_template_with_a_mistake_is_refused() {
        assert!(Templates::new(Some("{{ id"), None).is_err());
        assert!(Templates::new(None, Some("{{ id")).is_err());
        assert!(Templates::new(None, None).is_ok());
    }
}
