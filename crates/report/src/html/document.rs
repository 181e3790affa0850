//! The frame of a page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// A page has texts of the user, of tests, and of proposers. Should one of them ever get into a
/// page as markup, no script of it runs, and nothing is loaded from or sent to anywhere. Pages and
/// plots have styles of their own, also in attributes.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A script of a page, and the hash by which a browser identifies it.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    pub text: &'static str,
    /// `sha256-` and the hash in base64.
    pub hash: &'static str,
}

/// Returns a whole page. Without a script, the page forbids all scripts.
pub fn document(title: &str, body: &Markup, script: Option<Script>) -> String {
    let policy = match script {
        Some(Script { hash, .. }) => format!("{POLICY}; script-src '{hash}'"),
        None => POLICY.to_owned(),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                @if let Some(script) = script { script { (PreEscaped(script.text)) } }
            }
        }
    }
    .into_string()
}
