//! Facts on a page: cards, counts, and command lines.

use indicatif::HumanCount;
use maud::{Markup, html};

/// Returns a card with a value under its name, and a remark.
pub(crate) fn card(name: &str, value: &str, more: &str) -> Markup {
    html! { div { dt { (name) } dd { strong { (value) } span.more { (more) } } } }
}

pub(crate) fn count(n: u64) -> String {
    HumanCount(n).to_string()
}

/// Formats a command line for a shell.
pub(crate) fn typed(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
