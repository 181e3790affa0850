use super::stream::{EVENTS, Events};
use http_body_util::{Either, Full};
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Response, StatusCode};
use nubbin_campaign::{JoinError, StoreError, reasons};
use serde::Serialize;

/// The body of an answer: complete bytes, or a stream of events.
pub(super) type Body = Either<Full<Bytes>, Events>;

/// The headers of every answer. The page runs its own script alone, and reaches nothing but this
/// server, so that markup from a test could do nothing even if it got into the page.
pub(super) const HEADERS: [(&str, &str); 4] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
];

/// An answer to a request.
pub(super) struct Answer {
    status: u16,
    kind: &'static str,
    more: Vec<(&'static str, String)>,
    body: Body,
}

impl Answer {
    pub(super) fn new(kind: &'static str, body: impl Into<Bytes>) -> Self {
        Answer {
            status: 200,
            kind,
            more: vec![],
            body: Either::Left(Full::new(body.into())),
        }
    }

    /// Returns a stream of events.
    pub(super) fn events(events: Events) -> Self {
        Answer {
            body: Either::Right(events),
            ..Answer::new(EVENTS, "")
        }
    }

    /// Returns a value as JSON.
    pub(super) fn json(value: &impl Serialize) -> Result<Self, Refusal> {
        let body = serde_json::to_vec(value).map_err(|error| Refusal::new(500, reasons(&error)))?;
        Ok(Answer::new("application/json", body))
    }

    /// Returns bytes that a browser saves to a file.
    pub(super) fn file(name: &str, bytes: Vec<u8>) -> Self {
        let mut answer = Answer::new("application/octet-stream", bytes);
        let disposition = format!("attachment; filename=\"{name}\"");
        answer.more.push(("Content-Disposition", disposition));
        answer
    }

    /// Adds a header.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.more.push((name, value.into()));
        self
    }
}

/// The reason why a request is not answered, as a sentence.
#[derive(Debug)]
pub(super) struct Refusal {
    status: u16,
    why: String,
    more: Vec<(&'static str, String)>,
}

impl Refusal {
    pub(super) fn new(status: u16, why: impl Into<String>) -> Self {
        Refusal {
            status,
            why: why.into(),
            more: vec![],
        }
    }

    /// Adds a header.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.more.push((name, value.into()));
        self
    }

    pub(super) fn no_issue(id: i64) -> Self {
        Refusal::new(404, format!("There is no issue {id}."))
    }

    /// Returns whether this side is at fault.
    pub(super) fn is_own_fault(&self) -> bool {
        self.status >= 500
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::new(500, reasons(&error))
    }
}

impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::Store(error) => error.into(),
            JoinError::Missing(id) => Refusal::no_issue(id),
            _ => Refusal::new(409, error.to_string()),
        }
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Answer {
            status: refusal.status,
            kind: "text/plain; charset=utf-8",
            more: refusal.more,
            body: Either::Left(Full::new(refusal.why.into())),
        }
    }
}

impl From<Answer> for Response<Body> {
    fn from(answer: Answer) -> Self {
        let more = answer.more.iter().map(|(name, value)| (*name, &**value));
        let mut response = Response::builder()
            .status(answer.status)
            .header(CONTENT_TYPE, answer.kind);
        for (name, value) in more.chain(HEADERS) {
            response = response.header(name, value);
        }
        response.body(answer.body).unwrap_or_else(|_| {
            // The answer has a header value with a character that is not allowed.
            let mut failed = Response::new(Either::Left(Full::default()));
            *failed.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            failed
        })
    }
}
