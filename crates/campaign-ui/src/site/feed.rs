//! The issues as a feed, in the format Atom (RFC 4287).

use super::file;
use super::snapshot::Snapshot;
use crate::shown::visible;
use crate::template::instant;
use maud::{PreEscaped, html};
use nubbin_campaign::IssueRow;
use nubbin_reduce::edit::fingerprint;

/// The maximum number of entries.
const MAX_ENTRIES: usize = 200;

/// Returns the feed: the last issues, newest first.
pub(super) fn feed(snapshot: &Snapshot) -> String {
    let mut issues: Vec<&IssueRow> = snapshot.issues.iter().collect();
    issues.retain(|issue| issue.joined_to.is_none());
    issues.sort_by_key(|issue| (-updated(issue), -issue.id));
    issues.truncate(MAX_ENTRIES);
    let markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { "Issues of " (visible(&snapshot.name)) }
            id { (name(&["campaign", &snapshot.name])) }
            updated { (instant(issues.first().map_or(snapshot.at, |issue| updated(issue)))) }
            author { name { "nubbin " (env!("CARGO_PKG_VERSION")) } }
            @for issue in issues { (entry(issue)) }
        }
    };
    markup.into_string() + "\n"
}

fn entry(issue: &IssueRow) -> maud::Markup {
    let identity = issue.identity.to_string();
    let word = if issue.regressed {
        "Regression"
    } else {
        "Issue"
    };
    let times = if issue.seen == 1 { "time" } else { "times" };
    html! {
        entry {
            title { (word) " " (issue.id) " of " (visible(&issue.program)) ": " (visible(&identity)) }
            id { (name(&["issue", &issue.program, &identity])) }
            link href=(file::of_issue(issue.id, "html")) {}
            published { (instant(issue.first_seen)) }
            updated { (instant(updated(issue))) }
            category term=(issue.state) {}
            summary {
                (issue.severity) " severity, " (issue.state) ", seen " (issue.seen) " " (times)
                ", first by " (visible(&issue.generator)) " in version " (visible(&issue.first_version)) "."
            }
        }
    }
}

/// Returns when there was news of an issue: when it was found, or when it came back. A reader shows
/// an entry again after that time alone, and not after each test that shows the issue.
fn updated(issue: &IssueRow) -> i64 {
    match issue.regressed {
        true => issue.last_seen,
        false => issue.first_seen,
    }
}

/// Returns a permanent name, by which a reader knows an entry in the feed of a later export. It is
/// a UUID of version 8.
fn name(parts: &[&str]) -> String {
    let hash = fingerprint(parts.join("\0").as_bytes()).0;
    let bits = hash & !(0xf << 76) & !(0x3 << 62) | (0x8 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let (a, b, c, d, e) = (
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    );
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_uuid_of_version_8() {
        let name = name(&["issue", "p", "signal: SIGSEGV"]);
        let digits: Vec<&str> = name.strip_prefix("urn:uuid:").unwrap().split('-').collect();
        let lengths: Vec<usize> = digits.iter().map(|it| it.len()).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert!(digits[2].starts_with('8'), "{name}");
        assert!(digits[3].starts_with(['8', '9', 'a', 'b']), "{name}");
        assert_ne!(name, super::name(&["issue", "p", "signal: SIGABRT"]));
    }

    #[test]
    fn a_moment_is_in_utc() {
        assert_eq!(instant(951_782_400_000), "2000-02-29T00:00:00Z");
    }
}
