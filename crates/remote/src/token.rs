use crate::error::RemoteError;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use tonic::metadata::MetadataValue;

/// The source of the bearer token of a farm.
///
/// The source is read again when the farm no longer accepts the token, so a token may expire during
/// a run. Messages never contain the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// A file that contains the token.
    File(PathBuf),
    /// A line for the shell that prints the token.
    Command(String),
}

impl TokenSource {
    fn read(&self) -> Result<String, RemoteError> {
        let text = match self {
            TokenSource::File(path) => {
                fs::read_to_string(path).map_err(|error| RemoteError::File {
                    path: path.clone(),
                    why: error.to_string(),
                })?
            }
            TokenSource::Command(line) => {
                let failed = |why: String| RemoteError::Token {
                    command: line.clone(),
                    why,
                };
                let output = Command::new("sh")
                    .args(["-c", line])
                    .stdin(Stdio::null())
                    .stderr(Stdio::inherit())
                    .output()
                    .map_err(|error| failed(error.to_string()))?;
                if !output.status.success() {
                    return Err(failed(output.status.to_string()));
                }
                String::from_utf8(output.stdout)
                    .map_err(|_| failed("the command prints no text".to_owned()))?
            }
        };
        let token = text.trim();
        match (token.is_empty(), self) {
            (false, _) => Ok(token.to_owned()),
            (true, TokenSource::File(path)) => Err(RemoteError::File {
                path: path.clone(),
                why: "it is empty".to_owned(),
            }),
            (true, TokenSource::Command(line)) => Err(RemoteError::Token {
                command: line.clone(),
                why: "the command prints nothing".to_owned(),
            }),
        }
    }
}

/// The token that requests carry.
#[derive(Clone, Default)]
pub(crate) struct Token {
    source: Option<TokenSource>,
    header: Arc<Mutex<Option<MetadataValue<tonic::metadata::Ascii>>>>,
}

impl Token {
    /// Reads the token for the first time.
    pub(crate) fn new(source: Option<TokenSource>) -> Result<Self, RemoteError> {
        let token = Token {
            source,
            header: Arc::default(),
        };
        token.refresh()?;
        Ok(token)
    }

    /// Reads the token again, and returns whether it is another one.
    pub(crate) fn refresh(&self) -> Result<bool, RemoteError> {
        let Some(source) = &self.source else {
            return Ok(false);
        };
        let token = source.read()?;
        let header = format!("Bearer {token}").parse();
        let mut header: MetadataValue<_> = header.map_err(|_| RemoteError::Refused {
            why: "the token has characters that no token has".to_owned(),
        })?;
        header.set_sensitive(true);
        let mut kept = self.header.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = kept.as_ref() != Some(&header);
        *kept = Some(header);
        Ok(is_new)
    }

    pub(crate) fn header(&self) -> Option<MetadataValue<tonic::metadata::Ascii>> {
        let kept = self.header.lock();
        kept.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Token({:?})", self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_again_and_shown_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        fs::write(&path, "secret-1\n").unwrap();
        let token = Token::new(Some(TokenSource::File(path.clone()))).unwrap();
        assert_eq!(token.header().unwrap().to_str().unwrap(), "Bearer secret-1");
        assert!(!token.refresh().unwrap());
        fs::write(&path, "secret-2\n").unwrap();
        assert!(token.refresh().unwrap());
        assert!(!format!("{token:?} {:?}", token.header()).contains("secret-"));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_without_a_token_is_an_error() {
        let new = |line: &str| Token::new(Some(TokenSource::Command(line.to_owned())));
        let token = new("echo abc").unwrap();
        assert_eq!(token.header().unwrap().to_str().unwrap(), "Bearer abc");
        for line in ["exit 3", "true", "printf '\\377'"] {
            assert!(
                matches!(new(line), Err(RemoteError::Token { .. })),
                "{line}"
            );
        }
    }
}
