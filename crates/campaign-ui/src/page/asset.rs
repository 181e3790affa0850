use super::answer::Answer;
use nubbin_report::html::STYLE;

/// A part of the page that is the same for all campaigns. Such a part has no secrets, so it needs
/// no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asset {
    Page,
    Script,
    Style,
}

impl Asset {
    pub(super) fn at(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Asset::Page),
            "/page.js" => Some(Asset::Script),
            "/page.css" => Some(Asset::Style),
            _ => None,
        }
    }

    pub(super) fn answer(self) -> Answer {
        match self {
            Asset::Page => Answer::new("text/html; charset=utf-8", include_str!("page.html")),
            Asset::Script => Answer::new("text/javascript; charset=utf-8", include_str!("page.js")),
            // The shared style of all pages comes first.
            Asset::Style => Answer::new(
                "text/css; charset=utf-8",
                [STYLE, include_str!("page.css")].concat(),
            ),
        }
    }
}
