//! Requests of HTTP/1.1, one on each connection.
//!
//! The server does not use a library for this: those that are small set no bound on the head of a
//! request or on the time that it takes, or let a client with many connections block others.

use super::answer::Refusal;
use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The maximum number of bytes of the body of a request.
const MOST_BODY: usize = 64 * 1024;
/// The maximum number of bytes of the rest of a request.
const MOST_HEAD: usize = 16 * 1024;
/// The time that a client has for its request.
const TIME: Duration = Duration::from_secs(10);

/// The head of a request, and what was read of its body.
pub(super) struct Request {
    pub(super) method: String,
    /// The path and the parameters.
    pub(super) target: String,
    headers: Vec<(String, String)>,
    rest: Vec<u8>,
    until: Instant,
}

impl Request {
    /// Reads the head of a request. Returns `None` if the client is disconnected, or too slow.
    pub(super) fn read(socket: &TcpStream) -> Option<Result<Self, Refusal>> {
        let until = Instant::now() + TIME;
        let mut bytes = vec![];
        let mut seen = 0;
        let end = loop {
            let found = bytes[seen..].windows(4).position(|it| it == b"\r\n\r\n");
            if let Some(at) = found {
                break seen + at;
            }
            if bytes.len() > MOST_HEAD {
                let why = format!("The head of a request has at most {MOST_HEAD} bytes.");
                return Some(Err(Refusal::new(431, why)));
            }
            // The end may be in two parts.
            seen = bytes.len().saturating_sub(3);
            if !more(socket, &mut bytes, until).is_ok_and(|is_more| is_more) {
                return None;
            }
        };
        let rest = bytes.split_off(end + 4);
        let wrong = || Refusal::new(400, "The request is not HTTP/1.1.");
        Some(head(&bytes[..end], rest, until).ok_or_else(wrong))
    }

    /// Returns all values of a header.
    pub(super) fn headers<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = move |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.headers.iter().filter(named).map(|(_, value)| &**value)
    }

    /// Returns the only value of a header; `None` if it is missing or there are several.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers(name);
        let value = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// Reads the body.
    pub(super) fn body(&mut self, socket: &TcpStream) -> Result<Vec<u8>, Refusal> {
        if self.headers("Transfer-Encoding").next().is_some() {
            return Err(Refusal::new(
                411,
                "The request must say the length of its body.",
            ));
        }
        if self.headers("Content-Length").next().is_none() {
            return Ok(vec![]);
        }
        let length: Option<u64> = (self.header("Content-Length")).and_then(|it| it.parse().ok());
        let wrong = || Refusal::new(400, "The length of the body is wrong.");
        let length = length.ok_or_else(wrong)?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > MOST_BODY {
            let why = format!("The body of a request has at most {MOST_BODY} bytes.");
            return Err(Refusal::new(413, why));
        }
        while self.rest.len() < length {
            if !more(socket, &mut self.rest, self.until).is_ok_and(|is_more| is_more) {
                return Err(Refusal::new(400, "The body of the request is not whole."));
            }
        }
        self.rest.truncate(length);
        Ok(std::mem::take(&mut self.rest))
    }
}

/// Reads what is there, or waits for it. Returns `false` at the end.
fn more(mut socket: &TcpStream, bytes: &mut Vec<u8>, until: Instant) -> io::Result<bool> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    socket.set_read_timeout(Some(left))?;
    let mut part = [0; 4096];
    let count = socket.read(&mut part)?;
    bytes.extend_from_slice(&part[..count]);
    Ok(count > 0)
}

fn head(bytes: &[u8], rest: Vec<u8>, until: Instant) -> Option<Request> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, version) = (first.next()?, first.next()?, first.next()?);
    if first.next().is_some() || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return None;
    }
    let mut headers = vec![];
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let is_token = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
        if name.is_empty() || !name.chars().all(is_token) || value.contains(char::is_control) {
            return None;
        }
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    Some(Request {
        method: method.to_owned(),
        target: target.to_owned(),
        headers,
        rest,
        until,
    })
}

/// Splits the target of a request into its path and its parameters.
pub(super) fn target(url: &str) -> Result<(String, Vec<(String, String)>), Refusal> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let mut parameters = vec![];
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let wrong = || Refusal::new(400, "A parameter of the address is not text.");
        let name = decoded(name).ok_or_else(wrong)?;
        parameters.push((name, decoded(value).ok_or_else(wrong)?));
    }
    Ok((path.to_owned(), parameters))
}

/// Decodes a parameter of a query.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_that_are_ambiguous_are_wrong() {
        let read = |text: &str| head(text.as_bytes(), vec![], Instant::now());
        let right = read("GET /a?b HTTP/1.1\r\nHost: x\r\nA:1\r\na: 2 ").unwrap();
        assert_eq!((&*right.method, &*right.target), ("GET", "/a?b"));
        assert_eq!(right.header("HOST"), Some("x"));
        assert_eq!(right.header("A"), None);
        assert_eq!(right.headers("a").collect::<Vec<_>>(), ["1", "2"]);
        for wrong in [
            "",
            "GET",
            "GET /",
            "GET / HTTP/2.0",
            "GET / x HTTP/1.1",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\nHost : x",
            "GET / HTTP/1.1\r\nHost: x\r\n folded: y",
            "GET / HTTP/1.1\r\nHost: x\ny: z",
        ] {
            assert!(read(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn parameters_are_decoded() {
        let (path, parameters) = target("/api/issues?text=a%20%2B+b&state=").unwrap();
        assert_eq!(path, "/api/issues");
        let expected = [("text", "a + b"), ("state", "")];
        assert_eq!(parameters, expected.map(|(a, b)| (a.into(), b.into())));
        for wrong in ["/?a=%", "/?a=%4", "/?a=%zz", "/?a=%ff"] {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }
}
