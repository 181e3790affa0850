use nubbin_campaign::{StoreError, reasons};
use serde::Serialize;
use std::io::{self, Write};

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
    body: Vec<u8>,
}

impl Answer {
    pub(super) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Answer {
            status: 200,
            kind,
            more: vec![],
            body: body.into(),
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

    /// Writes the answer to a client.
    pub(super) fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let mut bytes = self.head();
        bytes.extend_from_slice(&self.body);
        writer.write_all(&bytes)?;
        writer.flush()
    }

    /// Writes the answer without its body, as one to `HEAD`.
    pub(super) fn write_head(&self, mut writer: impl Write) -> io::Result<()> {
        writer.write_all(&self.head())?;
        writer.flush()
    }

    fn head(&self) -> Vec<u8> {
        let length = self.body.len().to_string();
        let own = [("Content-Type", self.kind), ("Content-Length", &*length)];
        let more = self.more.iter().map(|(name, value)| (*name, &**value));
        head(self.status, own.into_iter().chain(more)).into_bytes()
    }
}

/// Returns the head of an answer, with the headers that all answers have.
pub(super) fn head<'a>(status: u16, own: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    let mut head = format!("HTTP/1.1 {status} {reason}\r\nConnection: close\r\n");
    for (name, value) in own.into_iter().chain(HEADERS) {
        head += &format!("{name}: {value}\r\n");
    }
    head + "\r\n"
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

    /// Whether this side is at fault.
    pub(super) fn is_own_fault(&self) -> bool {
        self.status >= 500
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::new(500, reasons(&error))
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Answer {
            status: refusal.status,
            kind: "text/plain; charset=utf-8",
            more: refusal.more,
            body: refusal.why.into_bytes(),
        }
    }
}
