//! The frame of a page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// A page has texts of the user, of tests, and of proposers. Should one of them ever get into a
/// page as markup, no script runs, and nothing is loaded from or sent to anywhere. Pages and plots
/// have styles of their own, also in attributes.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Returns a whole page.
pub fn document(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    }
    .into_string()
}
