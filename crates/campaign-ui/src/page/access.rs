//! Access to the page.
//!
//! Every user of the machine can open a connection, so each request for the campaign has to show
//! the token of the page, or the cookie and the key that a browser got for it. Any web site that is
//! open in a browser may send requests to this server as well. The header `Host` shows a host name
//! that was changed to point to this server (DNS rebinding). The headers `Origin` and
//! `Sec-Fetch-Site`, and a type of content that a form cannot send, show requests of other sites; a
//! server on another port of this machine is one of them.

use super::answer::Refusal;
use super::asset::Asset;
use super::request::header;
use super::route::Route;
use super::token::{Token, is_same, secret};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};
use std::net::{IpAddr, SocketAddr};

pub(super) struct Access {
    address: SocketAddr,
    token: Token,
    session: Session,
}

/// The two secrets of browsers that have shown the token. The secrets end with this server.
pub(super) struct Session {
    /// The value of the cookie. A browser sends it to every server of this machine, whatever its
    /// port is.
    cookie: String,
    /// The value of a header of each request. A page keeps it for itself: those of other ports
    /// cannot read it.
    key: String,
}

impl Session {
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        Ok(Session {
            cookie: secret()?,
            key: secret()?,
        })
    }
}

/// The header with the key.
const KEY: &str = "Nubbin-Key";

impl Access {
    pub(super) fn new(address: SocketAddr, token: Token, session: Session) -> Self {
        Access {
            address,
            token,
            session,
        }
    }

    /// Returns the address of the page. The token is in the fragment, which a browser does not
    /// send, so that no log has it.
    pub(super) fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1_u16]),
            });
        }
        match self.token.shown() {
            Some(token) => format!("http://{address}/#token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Returns the header that sets the cookie of a browser that has shown the token. Cookies do
    /// not tell ports apart, so the name does.
    pub(super) fn cookie(&self) -> String {
        let (name, value) = (self.name(), &self.session.cookie);
        format!("{name}={value}; Path=/api; HttpOnly; SameSite=Strict")
    }

    /// Returns the key of a browser that has shown the token.
    pub(super) fn key(&self) -> &str {
        &self.session.key
    }

    fn name(&self) -> String {
        format!("nubbin-{}", self.address.port())
    }

    pub(super) fn check(&self, request: &Parts, route: Route) -> Result<(), Refusal> {
        let headers = &request.headers;
        let refuse = |why: &str| Err(Refusal::new(403, why));
        let Some(host) = header(headers, "Host").filter(|host| self.is_own(host)) else {
            return refuse("The header `Host` is not the address of this server.");
        };
        if is_elsewhere(headers, route) {
            return refuse("The request comes from another site.");
        }
        if let Route::Asset(_) = route {
            return Ok(());
        }
        let own = format!("http://{host}");
        if headers.contains_key("Origin")
            && !header(headers, "Origin").is_some_and(|it| it.eq_ignore_ascii_case(&own))
        {
            return refuse("The request comes from another site.");
        }
        if request.method == Method::POST {
            let kind = header(headers, "Content-Type").unwrap_or("");
            let kind = kind.split(';').next().unwrap_or("").trim();
            if !kind.eq_ignore_ascii_case("application/json") {
                return refuse("The body of the request must have the type `application/json`.");
            }
        }
        // Cookie and key are given only to clients that present the token.
        let is_known = self.shows_token(headers)
            || (route != Route::Session && self.shows_cookie(headers) && self.shows_key(headers));
        match is_known {
            true => Ok(()),
            false => {
                let why = "The token is missing or wrong. Open the page by the whole address that \
                           `nubbin campaign` printed.";
                Err(Refusal::new(401, why).with("WWW-Authenticate", "Bearer"))
            }
        }
    }

    fn shows_token(&self, headers: &HeaderMap) -> bool {
        let given = header(headers, "Authorization").and_then(|it| it.strip_prefix("Bearer "));
        given.is_some_and(|given| self.token.is(given.trim()))
    }

    fn shows_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.name();
        let cookies = headers.get_all("Cookie").iter();
        let cookies = cookies.filter_map(|it| it.to_str().ok());
        let pairs = cookies.flat_map(|it| it.split(';'));
        let mut own = pairs
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(given, _)| *given == name);
        own.any(|(_, value)| is_same(value.as_bytes(), self.session.cookie.as_bytes()))
    }

    fn shows_key(&self, headers: &HeaderMap) -> bool {
        let key = self.key().as_bytes();
        header(headers, KEY).is_some_and(|given| is_same(given.as_bytes(), key))
    }

    /// Returns whether a header `Host` names this server.
    fn is_own(&self, host: &str) -> bool {
        // An IPv6 address is in brackets, since it contains colons.
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let ip: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        let bound = self.address.ip();
        match ip {
            // The server listens on all addresses of the machine. No host name can be mistaken for
            // an address.
            Some(_) if bound.is_unspecified() => true,
            Some(ip) => ip == bound,
            None => {
                let is_here = bound.is_loopback() || bound.is_unspecified();
                is_here && name.eq_ignore_ascii_case("localhost")
            }
        }
    }
}

/// Returns whether a browser says that another site has made a request. A link to the page may be
/// followed from anywhere: the page itself has no secrets.
fn is_elsewhere(headers: &HeaderMap, route: Route) -> bool {
    let mut sites = headers.get_all("Sec-Fetch-Site").iter();
    let is_here = sites.all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    let is_link = route == Route::Asset(Asset::Page)
        && header(headers, "Sec-Fetch-Mode") == Some("navigate")
        && header(headers, "Sec-Fetch-Dest") == Some("document");
    !is_here && !is_link
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Access {
        let token = Token::of(Some("abc"), None).unwrap();
        let session = Session {
            cookie: "session".into(),
            key: "key".into(),
        };
        Access::new(address.parse().unwrap(), token, session)
    }

    #[test]
    fn a_host_is_the_bound_address() {
        let local = at("127.0.0.1:8080");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080"] {
            assert!(local.is_own(host), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "evil.example:8080",
            "127.0.0.1:x",
            "localhost.evil.example:8080",
            "10.0.0.1:8080",
            "[::1]:8080",
            "localhost:8080:8080",
        ] {
            assert!(!local.is_own(host), "{host}");
        }
        assert!(at("127.0.0.1:80").is_own("localhost"));
        assert!(at("[::1]:8080").is_own("[::1]:8080"));
        assert!(at("[::1]:80").is_own("[::1]"));
    }

    #[test]
    fn a_server_on_all_addresses_is_reached_by_address_and_not_by_name() {
        let open = at("0.0.0.0:8080");
        assert!(open.is_own("192.168.1.5:8080"));
        assert!(!open.is_own("evil.example:8080"));
    }

    #[test]
    fn the_token_is_in_the_fragment() {
        assert_eq!(at("0.0.0.0:9000").url(), "http://127.0.0.1:9000/#token=abc");
    }

    #[test]
    fn the_cookie_has_the_port_in_its_name_and_not_the_token() {
        let cookie = at("127.0.0.1:8080").cookie();
        assert_eq!(
            cookie,
            "nubbin-8080=session; Path=/api; HttpOnly; SameSite=Strict"
        );
    }
}
