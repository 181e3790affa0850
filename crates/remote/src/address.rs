use crate::error::{RemoteError, innermost};
use crate::token::TokenSource;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

/// The time after which an attempt to connect has failed.
const CONNECT: Duration = Duration::from_secs(10);
/// The time after which the system checks a silent connection. HTTP/2 pings would be refused by
/// many farms, which allow one in five minutes.
const ALIVE: Duration = Duration::from_secs(20);

/// The address of a farm, and the access to it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The address: `grpcs://HOST[:PORT]` with TLS, `grpc://HOST[:PORT]` without TLS.
    pub address: String,
    /// The name of the instance on the server; empty for the default instance.
    pub instance: String,
    /// The source of the bearer token.
    pub token: Option<TokenSource>,
    /// A file with the certificates of authorities to trust instead of the system's authorities.
    pub ca: Option<PathBuf>,
    /// Files with the certificate and the key of the client, for mutual TLS.
    pub identity: Option<(PathBuf, PathBuf)>,
}

impl Access {
    /// Opens the connection, which reconnects automatically when it breaks.
    pub(crate) async fn connect(&self) -> Result<Channel, RemoteError> {
        let (uri, has_tls) = uri(&self.address)?;
        let wrong = |why: String| RemoteError::Address {
            text: shown(&self.address),
            why,
        };
        let mut endpoint = Endpoint::from_shared(uri)
            .map_err(|error| wrong(error.to_string()))?
            .connect_timeout(CONNECT)
            .tcp_keepalive(Some(ALIVE))
            .tcp_nodelay(true);
        if self.token.is_some() && !has_tls && !is_loopback(endpoint.uri().host()) {
            return Err(wrong(
                "a token would be sent in clear text; use `grpcs://`, or a host of this machine"
                    .to_owned(),
            ));
        }
        if has_tls {
            endpoint = endpoint
                .tls_config(self.tls()?)
                .map_err(|error| RemoteError::Refused {
                    why: format!("the certificates cannot be used: {}", innermost(&error)),
                })?;
        } else if self.ca.is_some() || self.identity.is_some() {
            return Err(wrong("certificates are for `grpcs://`".to_owned()));
        }
        endpoint.connect().await.map_err(|error| {
            let why = innermost(&error);
            RemoteError::Unreachable {
                address: self.address.clone(),
                why: if why.is_empty() {
                    error.to_string()
                } else {
                    why
                },
            }
        })
    }

    fn tls(&self) -> Result<ClientTlsConfig, RemoteError> {
        let tls = ClientTlsConfig::new();
        let tls = match &self.ca {
            Some(path) => tls.ca_certificate(Certificate::from_pem(read(path)?)),
            None => tls.with_native_roots(),
        };
        Ok(match &self.identity {
            Some((cert, key)) => tls.identity(Identity::from_pem(read(cert)?, read(key)?)),
            None => tls,
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, RemoteError> {
    fs::read(path).map_err(|error| RemoteError::File {
        path: path.to_owned(),
        why: error.to_string(),
    })
}

/// Returns the address in the form of HTTP, and whether it has TLS.
fn uri(address: &str) -> Result<(String, bool), RemoteError> {
    const FORMS: &str = "write `grpcs://HOST`, or `grpc://HOST` without TLS";
    let wrong = |why: String| RemoteError::Address {
        text: shown(address),
        why,
    };
    let Some((scheme, host)) = address.split_once("://") else {
        return Err(wrong(FORMS.to_owned()));
    };
    let (http, has_tls) = match scheme {
        "grpcs" => ("https", true),
        "grpc" => ("http", false),
        // Bazel writes addresses of caches with this scheme.
        "http" | "https" => {
            let why = format!("`{scheme}://` is the scheme of a web server or of a cache; {FORMS}");
            return Err(wrong(why));
        }
        _ => {
            return Err(wrong(format!(
                "`{scheme}://` is not the scheme of a farm; {FORMS}"
            )));
        }
    };
    let host = host.trim_end_matches('/');
    if host.contains('@') {
        let why = "the address has a name or a password, which would not be sent; give a token by \
                   `--remote-token-file` or `--remote-token-command`";
        return Err(wrong(why.to_owned()));
    }
    if host.is_empty() {
        return Err(wrong("the address has no host".to_owned()));
    }
    if host.contains('/') {
        let why = "the address has a path; give the name of an instance by itself";
        return Err(wrong(why.to_owned()));
    }
    Ok((format!("{http}://{host}"), has_tls))
}

/// Returns an address as messages show it, without the name and the password of a user.
fn shown(address: &str) -> String {
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), address),
    };
    match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}…@{host}"),
        None => address.to_owned(),
    }
}

/// Returns whether a host is this machine.
fn is_loopback(host: Option<&str>) -> bool {
    let Some(host) = host else { return false };
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_other_clients() {
        let ok = |text: &str| uri(text).unwrap();
        assert_eq!(ok("grpcs://farm"), ("https://farm".to_owned(), true));
        assert_eq!(ok("grpc://[::1]:5/"), ("http://[::1]:5".to_owned(), false));
        for text in ["farm:1", "ftp://farm", "grpc://", "grpcs://server/instance"] {
            assert!(
                matches!(uri(text), Err(RemoteError::Address { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn a_scheme_that_no_farm_has_is_named() {
        for (text, scheme) in [
            ("http://farm:80", "`http://`"),
            ("https://farm", "`https://`"),
            ("ftp://farm", "`ftp://`"),
        ] {
            let said = uri(text).unwrap_err().to_string();
            assert!(
                said.contains(scheme) && said.contains("`grpcs://HOST`"),
                "{said}"
            );
        }
    }

    #[test]
    fn names_and_passwords_are_refused_and_shown_nowhere() {
        for text in [
            "grpcs://name:secret@farm",
            "grpc://secret@[::1]:5",
            "http://name:secret@farm/path",
            "name:secret@farm",
            "grpcs://name:sec@secret@farm/instance",
        ] {
            let said = format!("{} {0:?}", uri(text).unwrap_err());
            assert!(!said.contains("sec"), "{said}");
        }
    }

    #[test]
    fn a_token_goes_without_tls_to_this_machine_only() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"] {
            assert!(is_loopback(Some(host)), "{host}");
        }
        for host in ["farm", "10.0.0.1", "localhost.farm", "127.0.0.1.farm"] {
            assert!(!is_loopback(Some(host)), "{host}");
        }
    }
}
