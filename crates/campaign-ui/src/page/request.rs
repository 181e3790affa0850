//! The parts of a request that handlers read.

use super::answer::Refusal;
use http_body_util::BodyExt as _;
use hyper::HeaderMap;
use hyper::body::{Body as _, Bytes, Incoming};
use std::time::Duration;
use tokio::time::timeout;

/// The maximum number of bytes of the body of a request.
const MAX_BODY: u64 = 64 * 1024;
/// The time that a client has for each of the two parts of its request, head and body, and for
/// taking a part of its answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the only value of a header; `None` if it is missing, there are several, or it is not
/// text.
pub(super) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok())?
}

/// Reads the body of a request.
pub(super) async fn body(body: Incoming) -> Result<Bytes, Refusal> {
    let Some(length) = body.size_hint().exact() else {
        let why = "The request must say the length of its body.";
        return Err(Refusal::new(411, why));
    };
    if length > MAX_BODY {
        let why = format!("The body of a request has at most {MAX_BODY} bytes.");
        return Err(Refusal::new(413, why));
    }
    match timeout(PATIENCE, body.collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        _ => Err(Refusal::new(400, "The body of the request is not whole.")),
    }
}

/// Returns the parameters of a query.
pub(super) fn parameters(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut parameters = vec![];
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let wrong = || Refusal::new(400, "A parameter of the address is not text.");
        let name = decoded(name).ok_or_else(wrong)?;
        parameters.push((name, decoded(value).ok_or_else(wrong)?));
    }
    Ok(parameters)
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
    use hyper::header::HeaderValue;

    #[test]
    fn a_header_that_occurs_twice_or_is_not_text_has_no_value() {
        let mut headers = HeaderMap::new();
        assert_eq!(header(&headers, "host"), None);
        headers.append("Host", HeaderValue::from_static("x"));
        assert_eq!(header(&headers, "HOST"), Some("x"));
        headers.append("host", HeaderValue::from_static("x"));
        assert_eq!(header(&headers, "Host"), None);
        let bytes = HeaderValue::from_bytes(b"\xff").unwrap();
        headers.insert("Host", bytes);
        assert_eq!(header(&headers, "Host"), None);
    }

    #[test]
    fn parameters_are_decoded() {
        let parameters = |query| super::parameters(query);
        let expected = [("text", "a + b"), ("state", "")];
        assert_eq!(
            parameters("text=a%20%2B+b&state=").unwrap(),
            expected.map(|(a, b)| (a.into(), b.into()))
        );
        for wrong in ["a=%", "a=%4", "a=%zz", "a=%ff"] {
            assert!(parameters(wrong).is_err(), "{wrong}");
        }
    }
}
