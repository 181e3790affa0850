//! Who may use the page.
//!
//! Any web site that is open in a browser may send requests to this server. The header `Host`
//! shows a name that was made to point here (DNS rebinding). The header `Origin`, and a type of
//! content that a form cannot send, show requests of other sites. Without a token, everyone who can
//! open a connection may use the page, so a server that other machines reach always has one.

use super::answer::Refusal;
use super::request::Request;
use super::route::Route;
use std::net::{IpAddr, SocketAddr};

pub(super) struct Access {
    address: SocketAddr,
    token: Option<String>,
}

impl Access {
    pub(super) fn new(address: SocketAddr, token: Option<String>) -> Self {
        Access { address, token }
    }

    /// Returns a token that cannot be guessed.
    pub(super) fn random_token() -> Result<String, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(crate::hex::to_hex(&bytes))
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
        match &self.token {
            Some(token) => format!("http://{address}/#token={token}"),
            None => format!("http://{address}/"),
        }
    }

    pub(super) fn check(&self, request: &Request, route: Route) -> Result<(), Refusal> {
        let refuse = |why: &str| Err(Refusal::new(403, why));
        let Some(host) = request.header("Host").filter(|host| self.is_own(host)) else {
            return refuse("The header `Host` is not the address of this server.");
        };
        if let Route::Asset(_) = route {
            return Ok(());
        }
        let has_origin = request.headers("Origin").next().is_some();
        let own = format!("http://{host}");
        if has_origin
            && !request
                .header("Origin")
                .is_some_and(|it| it.eq_ignore_ascii_case(&own))
        {
            return refuse("The request comes from another site.");
        }
        if request.method == "POST" {
            let kind = request.header("Content-Type").unwrap_or("");
            let kind = kind.split(';').next().unwrap_or("").trim();
            if !kind.eq_ignore_ascii_case("application/json") {
                return refuse("The body of the request must have the type `application/json`.");
            }
        }
        let Some(token) = &self.token else {
            return Ok(());
        };
        let given = request
            .header("Authorization")
            .and_then(|it| it.strip_prefix("Bearer "));
        match given {
            Some(given) if is_same(given.trim().as_bytes(), token.as_bytes()) => Ok(()),
            _ => {
                let why = "The token is missing or wrong. Open the page by the whole address that \
                           `nubbin campaign` printed.";
                Err(Refusal::new(401, why).with("WWW-Authenticate", "Bearer"))
            }
        }
    }

    /// Whether a header `Host` names this server.
    fn is_own(&self, host: &str) -> bool {
        // An IPv6 address stands in brackets, and has colons of its own.
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
            // The server has all addresses of the machine. No name can be made to look like one.
            Some(_) if bound.is_unspecified() => true,
            Some(ip) => ip == bound,
            None => {
                let is_here = bound.is_loopback() || bound.is_unspecified();
                is_here && name.eq_ignore_ascii_case("localhost")
            }
        }
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Access {
        Access::new(address.parse().unwrap(), None)
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
    fn tokens_are_equal_as_a_whole() {
        assert!(is_same(b"abc", b"abc"));
        for wrong in ["", "ab", "abd", "abcd"] {
            assert!(!is_same(wrong.as_bytes(), b"abc"), "{wrong}");
        }
    }

    #[test]
    fn tokens_are_random() {
        let tokens = [(); 2].map(|()| Access::random_token().unwrap());
        assert_eq!(tokens[0].len(), 32);
        assert_ne!(tokens[0], tokens[1]);
    }

    #[test]
    fn the_token_is_in_the_fragment() {
        let access = Access::new("0.0.0.0:9000".parse().unwrap(), Some("abc".into()));
        assert_eq!(access.url(), "http://127.0.0.1:9000/#token=abc");
    }
}
