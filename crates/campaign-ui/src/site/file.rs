//! The names of the files.

/// The page of the campaign.
pub(super) const INDEX: &str = "index.html";
/// The feed.
pub(super) const FEED: &str = "feed.xml";

/// Returns the name of a file of an issue: its page (`html`), `test`, or `reduced`.
pub(super) fn of_issue(id: i64, kind: &str) -> String {
    format!("issue-{id}.{kind}")
}
