//! The page of one issue.

use super::file;
use super::snapshot::Snapshot;
use crate::excerpt::Excerpt;
use crate::html::document;
use crate::pattern;
use crate::shown::{count, visible};
use crate::template::time;
use indicatif::HumanCount;
use maud::{Markup, html};
use nubbin_campaign::{Issue, IssueRow, Reduction};

/// The maximum number of characters of the choices that the page shows.
const MAX_CHOICES: usize = 300;

/// The number of lines of a script before its commands: the shell, the issue, and the folder. A
/// command may have an argument of several lines, which may begin in the same way.
const LINES_BEFORE: usize = 3;

/// The maximum number of issues of a cluster that the page of one of them lists.
const MAX_SIMILAR: usize = 50;

/// The generators and versions that an issue was seen with, and how often, and the inputs that show
/// it, with their generators.
pub(super) struct ShownBy {
    pub(super) sightings: Vec<(String, String, u64)>,
    pub(super) inputs: Vec<(String, String)>,
    /// The script that runs the smallest test, if reports have been written.
    pub(super) script: Option<String>,
}

/// Returns the page of an issue.
pub(super) fn page(issue: &Issue, shown: &ShownBy, snapshot: &Snapshot) -> String {
    let title = format!("Issue {} of {}", issue.id, visible(&issue.program));
    let body = html! {
        p { a href=(file::INDEX) { (visible(&snapshot.name)) } }
        h1 { (title) ": " (visible(&crate::title::title(issue))) }
        @if issue.regressed { p.note { "The issue was closed, and has come back in another version." } }
        @if !issue.note.is_empty() { p.note { (visible(&issue.note)) } }
        (facts(issue, snapshot))
        div.beside {
            @if let Some(reduced) = &issue.reduced {
                (text("Reduced", &about_reduced(issue), &Excerpt::of_start(reduced), &file::of_issue(issue.id, "reduced")))
            } @else { section { h2 { "Reduced" } p.more { (about_reduced(issue)) } } }
            (text("Test", "As it was found.", &Excerpt::of_start(&issue.test), &file::of_issue(issue.id, "test")))
        }
        (script(shown.script.as_deref()))
        (explanation(issue))
        (stack(issue))
        (output(issue))
        section {
            h2 { "Seen with" }
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { "generator" } th scope="col" { "version" } th.number scope="col" { "tests" } } }
                tbody { @for (generator, version, seen) in &shown.sightings { tr {
                    td { (visible(generator)) } td { (visible(version)) } td.number { (HumanCount(*seen)) }
                } } }
            } }
        }
        (inputs_of(&shown.inputs))
        (joined(issue))
        (similar(issue, snapshot))
    };
    document(
        &format!("{title}: {}", visible(&issue.identity.what)),
        &body,
        None,
    )
}

fn facts(issue: &Issue, snapshot: &Snapshot) -> Markup {
    let seen = |at: i64, version: &str| html! { (time(at)) " UTC" br; span.more { "version " (visible(version)) } };
    let jobs = snapshot
        .jobs
        .iter()
        .filter(|job| job.issue == Some(issue.id));
    let jobs: Vec<&str> = jobs.map(|job| job.kind.name()).collect();
    let rows: [(&str, Markup); 8] = [
        ("State", html! { (issue.state) }),
        ("Severity", severity(issue.severity)),
        (
            "Seen",
            html! { "in " (count(issue.seen, "test")) br; span.more { "first by " (visible(&issue.generator)) } },
        ),
        (
            "Reproduces",
            html! { (reproduces(issue.hits, issue.tries)) },
        ),
        ("First seen", seen(issue.first_seen, &issue.first_version)),
        ("Last seen", seen(issue.last_seen, &issue.last_version)),
        ("End of the program", html! { (visible(&issue.exit)) }),
        ("Cluster", html! { (visible(&issue.cluster)) }),
    ];
    html! {
        dl.facts {
            @for (name, value) in &rows { div { dt { (name) } dd { (value) } } }
            @if !issue.first_bad.is_empty() { div { dt { "First revision" } dd { (visible(&issue.first_bad)) } } }
            @if !jobs.is_empty() { div { dt { "Waiting jobs" } dd { (jobs.join(", ")) } } }
            @if let Some(recipe) = &issue.recipe {
                @let start: String = recipe.chars().take(MAX_CHOICES).collect();
                div.whole { dt { "Choices" } dd { code { (visible(&start)) } @if start.len() < recipe.len() { " …" } } }
            }
        }
    }
}

/// Returns a severity with its mark.
pub(super) fn severity(severity: nubbin_campaign::Severity) -> Markup {
    html! { span class=(format!("severity {severity}")) { (severity) } }
}

/// Returns how often the test of an issue showed it.
fn reproduces(hits: u64, tries: u64) -> String {
    match tries {
        0 => "not validated".to_owned(),
        tries => format!("in {hits} of {}", count(tries, "run")),
    }
}

fn about_reduced(issue: &Issue) -> String {
    let tests = issue.reduction_tests;
    match issue.reduction {
        Reduction::None => "The test is not reduced.".to_owned(),
        Reduction::Partial => format!(
            "The reduction has not ended; it ran {} so far.",
            count(tests, "test")
        ),
        Reduction::Done => format!("Reduced in {}.", count(tests, "test")),
        Reduction::Limited => format!(
            "Not reduced to the end: a limit stopped the reduction after {}.",
            count(tests, "test")
        ),
        Reduction::Empty => {
            "The test is not reduced, since an empty test shows the issue as well.".to_owned()
        }
    }
}

/// Returns a test with a link to its file.
fn text(title: &str, about: &str, excerpt: &Excerpt, file: &str) -> Markup {
    let shown = excerpt
        .hex
        .clone()
        .unwrap_or_else(|| shown_lines(&excerpt.text));
    html! {
        section {
            h2 { (title) ", " (count(excerpt.bytes as u64, "byte")) }
            p.more {
                (about) " " a href=(file) download { "Save" } ". "
                @if !excerpt.is_utf8 { "The bytes are not UTF-8; the first ones are shown as hexadecimal digits." }
                @else if excerpt.is_cut { "The beginning is shown." }
            }
            pre tabindex="0" role="group" aria-label=(title) class=[excerpt.hex.is_some().then_some("hex")] {
                // A browser leaves out one line feed at the beginning.
                "\n" (shown)
            }
        }
    }
}

/// Returns a text with its characters in a form that can be seen, but for line feeds and tabs.
fn shown_lines(text: &str) -> String {
    let line = |line: &str| {
        let parts: Vec<_> = line.split('\t').map(visible).collect();
        parts.join("\t")
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

/// Returns the commands that run the smallest test.
fn script(script: Option<&str>) -> Markup {
    let lines = script.into_iter().flat_map(str::lines);
    let commands: Vec<_> = lines.skip(LINES_BEFORE).map(visible).collect();
    html! {
        @if !commands.is_empty() {
            section {
                h2 { "Command" }
                p.more { "It runs the smallest test." }
                pre tabindex="0" role="group" aria-label="the command" { (commands.join("\n")) }
            }
        }
    }
}

/// Returns the test with marks on the parts that may be anything of their kind.
fn explanation(issue: &Issue) -> Markup {
    html! {
        @if let Some(pattern) = &issue.explanation {
            section {
                h2 { "Explanation" }
                p.more { (pattern::about(pattern)) "." }
                pre tabindex="0" role="group" aria-label="the explanation" {
                    "\n" @for piece in &pattern.pieces {
                        @match &piece.any {
                            Some(any) => { mark title=(shown_lines(&piece.others.join(", "))) { (visible(any)) } }
                            None => { (shown_lines(&piece.text)) }
                        }
                    }
                }
                ul.long { @for line in pattern::lines(pattern) { li { (with_code(&visible(&line))) } } }
            }
        }
    }
}

/// Returns a text in which the parts in backticks are code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn stack(issue: &Issue) -> Markup {
    let frames = &issue.identity.frames;
    html! {
        @if !frames.is_empty() {
            section {
                h2 { "Stack" }
                p.more { "The innermost function comes first." }
                ol { @for frame in frames { li { code { (visible(frame)) } } } }
            }
        }
    }
}

fn output(issue: &Issue) -> Markup {
    let excerpt = Excerpt::of_end(&issue.output);
    html! {
        section {
            h2 { "Output" }
            @if excerpt.bytes == 0 { p.more { "The program wrote nothing." } }
            @else {
                @if excerpt.is_cut { p.more { "The last part of " (count(excerpt.bytes as u64, "byte")) "." } }
                @let lines: Vec<_> = excerpt.text.lines().map(visible).collect();
                pre tabindex="0" role="group" aria-label="the output" { (lines.join("\n")) }
            }
        }
    }
}

/// Returns the names of inputs that show the issue.
fn inputs_of(inputs: &[(String, String)]) -> Markup {
    html! {
        @if !inputs.is_empty() {
            section {
                h2 { "Inputs" }
                ul.long { @for (generator, name) in inputs { li { (visible(generator)) ": " code { (visible(name)) } } } }
            }
        }
    }
}

/// Returns the issues that are joined to this one, or the one that it is joined to.
fn joined(issue: &Issue) -> Markup {
    let link = |id: i64| html! { a href=(file::of_issue(id, "html")) { "issue " (id) } };
    html! {
        @if let Some(to) = issue.joined_to { p { "Joined to " (link(to)) ", which has the sums of both." } }
        @if !issue.joined.is_empty() {
            section {
                h2 { "Joined issues" }
                p.more { "The user counts them as this one. Their counts are included." }
                ul { @for id in &issue.joined { li { (link(*id)) } } }
            }
        }
    }
}

/// Returns the other issues of the cluster.
fn similar(issue: &Issue, snapshot: &Snapshot) -> Markup {
    let is_similar = |row: &&IssueRow| {
        row.id != issue.id && row.program == issue.program && row.cluster == issue.cluster
    };
    // Each similar issue has such a list as well.
    let all = snapshot.issues.iter().filter(is_similar);
    let rows: Vec<&IssueRow> = all.take(MAX_SIMILAR + 1).collect();
    let (rows, more) = rows.split_at(rows.len().min(MAX_SIMILAR));
    html! {
        @if !rows.is_empty() {
            section {
                h2 { "Other issues of the cluster" }
                ul { @for row in rows { li {
                    a href=(file::of_issue(row.id, "html")) { "Issue " (row.id) } ", " (row.state) ": "
                    (visible(&row.identity.to_string()))
                } } }
                @if !more.is_empty() { p.more { "More are in " a href=(file::INDEX) { "the list of all issues" } "." } }
            }
        }
    }
}
