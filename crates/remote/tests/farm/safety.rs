//! Connections: who is trusted, and what is said if it is not.

use crate::fake::Fake;
use crate::stage::{judge, local, options};
use nubbin_remote::{RemoteError, RemoteOracle};
use nubbin_verdict::Verdict;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::path::{Path, PathBuf};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

/// An authority with certificates for a server at 127.0.0.1 and for a client, as files.
struct Papers {
    folder: tempfile::TempDir,
}

impl Papers {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("ca.pem"), ca.pem()).unwrap();
        for name in ["server", "client"] {
            let key = KeyPair::generate().unwrap();
            let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
            let cert = params.signed_by(&key, &ca).unwrap();
            std::fs::write(at(&format!("{name}.pem")), cert.pem()).unwrap();
            std::fs::write(at(&format!("{name}.key")), key.serialize_pem()).unwrap();
        }
        Papers { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.at(name)).unwrap()
    }

    fn server(&self) -> ServerTlsConfig {
        let identity = Identity::from_pem(self.read("server.pem"), self.read("server.key"));
        ServerTlsConfig::new().identity(identity)
    }
}

#[test]
fn a_farm_shows_a_certificate_and_may_ask_for_one() {
    let papers = Papers::new();
    let mutual = papers
        .server()
        .client_ca_root(Certificate::from_pem(papers.read("ca.pem")));
    let farm = Fake::with_tls(1, mutual);
    let here = local("true", 1);
    let mut right = options(&farm.address, 1);
    right.access.ca = Some(papers.at("ca.pem"));
    right.access.identity = Some((papers.at("client.pem"), papers.at("client.key")));
    let oracle = RemoteOracle::new(&here, right).unwrap();
    assert_eq!(judge(&oracle, "x").unwrap(), Verdict::Fail);
    let mut nobody = options(&farm.address, 1);
    nobody.access.ca = Some(papers.at("ca.pem"));
    let error = RemoteOracle::new(&here, nobody).unwrap_err();
    assert!(
        matches!(
            error,
            RemoteError::Unreachable { .. } | RemoteError::Failed { .. }
        ),
        "{error:?}"
    );
}

#[test]
fn a_certificate_of_a_stranger_is_refused_with_the_reason() {
    let (papers, others) = (Papers::new(), Papers::new());
    let farm = Fake::with_tls(1, papers.server());
    let here = local("true", 1);
    let mut wrong = options(&farm.address, 1);
    wrong.access.ca = Some(others.at("ca.pem"));
    let error = RemoteOracle::new(&here, wrong).unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
    let host = farm.address.replace("127.0.0.1", "localhost");
    let mut wrong = options(&host, 1);
    wrong.access.ca = Some(papers.at("ca.pem"));
    let error = RemoteOracle::new(&here, wrong).unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[test]
fn every_problem_of_a_connection_has_its_words() {
    let here = local("true", 1);
    let open = |options| RemoteOracle::new(&here, options).unwrap_err();
    let closed = {
        let farm = Fake::start(1);
        farm.address.clone()
    };
    let error = open(options(&closed, 1));
    assert!(
        matches!(error, RemoteError::Unreachable { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("refused"), "{error}");
    let farm = Fake::start(1);
    let mut none = options(&farm.address, 1);
    none.access.instance = "none".to_owned();
    assert!(matches!(open(none), RemoteError::Unable { .. }));
    *farm.inside.faults.token.lock().unwrap() = Some("secret".to_owned());
    let error = open(options(&farm.address, 1));
    assert!(matches!(error, RemoteError::Refused { .. }), "{error:?}");
    let mut lost = options(&farm.address, 1);
    lost.access.token = Some(nubbin_remote::TokenSource::File("/no/such/file".into()));
    let error = open(lost);
    assert!(matches!(&error, RemoteError::File { path, .. } if path == Path::new("/no/such/file")));
    let mut lost = options(&farm.address.replace("grpc:", "grpcs:"), 1);
    lost.access.ca = Some("/no/such/ca".into());
    assert!(matches!(open(lost), RemoteError::File { .. }));
}
