//! The token that the page asks for.

use crate::endless;
use crate::exit::Exit;
use crate::problem::{Problem, warn};
use crate::secret_file::seen_by_others;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The bytes of a random token.
const BYTES: usize = 16;
/// The maximum number of bytes of a file with a token.
const MAX_BYTES: u64 = 4096;

/// A token, which shows that a request comes from a user that may see the campaign.
#[derive(Clone)]
pub(crate) struct Token {
    text: String,
    /// Whether the printed address of the page has it.
    is_shown: bool,
}

impl Token {
    /// Returns the token of the flags, or a random one.
    pub(crate) fn of(text: Option<&str>, file: Option<&Path>) -> Result<Self, Problem> {
        match (text, file) {
            (_, Some(path)) => Token::read(path),
            (Some(text), None) => {
                let token = Token::new(text, true).map_err(|why| {
                    Problem::new(Exit::Usage, format!("the token given by `--token` {why}"))
                })?;
                warn(
                    "other users see `--token` in the list of processes; `--token-file FILE` \
                     hides the token, and without both flags nubbin creates one",
                );
                Ok(token)
            }
            (None, None) => Token::random(),
        }
    }

    /// Makes a token that cannot be guessed.
    pub(crate) fn random() -> Result<Self, Problem> {
        let text = secret().map_err(|error| {
            Problem::new(Exit::Test, "cannot make a token for the page").because(&error)
        })?;
        Ok(Token {
            text,
            is_shown: true,
        })
    }

    /// Reads a token from a file that only this user can read.
    fn read(path: &Path) -> Result<Self, Problem> {
        let cannot = |error: &io::Error| {
            let what = format!("cannot read the token in `{}`", path.display());
            Problem::new(Exit::Input, what).because(error)
        };
        // Opening a pipe would wait.
        endless::refuse(path)?;
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let facts = file.metadata().map_err(|error| cannot(&error))?;
        if let Some(why) = seen_by_others(&facts) {
            let what = format!("`{}` {why}, so its token is not secret", path.display());
            return Err(Problem::new(Exit::Usage, what).hint(format!(
                "create another token in a file that only you can read: `chmod 600 {}`",
                path.display()
            )));
        }
        let mut text = String::new();
        let read = file.take(MAX_BYTES).read_to_string(&mut text);
        read.map_err(|error| cannot(&error))?;
        Token::new(text.trim(), false).map_err(|why| {
            Problem::new(
                Exit::Usage,
                format!("the token in `{}` {why}", path.display()),
            )
        })
    }

    fn new(text: &str, is_shown: bool) -> Result<Self, &'static str> {
        match text {
            "" => Err("is empty"),
            // Other characters have no place in a header.
            text if !text.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Err("has characters other than letters, digits, and signs of ASCII")
            }
            text => Ok(Token {
                text: text.to_owned(),
                is_shown,
            }),
        }
    }

    /// Returns the token if the address of the page may have it.
    pub(super) fn shown(&self) -> Option<&str> {
        self.is_shown.then_some(&*self.text)
    }

    pub(super) fn is(&self, given: &str) -> bool {
        is_same(given.as_bytes(), self.text.as_bytes())
    }
}

/// Returns a text that cannot be guessed.
pub(super) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(crate::hex::to_hex(&bytes))
}

/// Compares in a time that does not depend on where the texts differ.
pub(super) fn is_same(given: &[u8], secret: &[u8]) -> bool {
    let differences = given
        .iter()
        .zip(secret)
        .fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == secret.len() && std::hint::black_box(differences) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use std::fs;

    #[test]
    fn secrets_are_equal_as_a_whole() {
        assert!(is_same(b"abc", b"abc"));
        for wrong in ["", "ab", "abd", "abcd"] {
            assert!(!is_same(wrong.as_bytes(), b"abc"), "{wrong}");
        }
    }

    #[test]
    fn secrets_are_random() {
        let secrets = [(); 2].map(|()| secret().unwrap());
        assert_eq!(secrets[0].len(), 32);
        assert_ne!(secrets[0], secrets[1]);
    }

    #[test]
    fn a_token_is_not_empty_and_fits_into_a_header() {
        assert!(Token::of(Some("abc"), None).is_ok());
        for wrong in ["", " ", "a b", "a\nb", "ä"] {
            assert!(Token::of(Some(wrong), None).is_err(), "{wrong:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_has_no_token() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        fs::write(&path, "secret\n").unwrap();
        let with = |mode: u32| {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Token::of(None, Some(&path))
        };
        for mode in [0o644, 0o640, 0o604, 0o620] {
            assert_eq!(with(mode).err().unwrap().exit(), Exit::Usage, "{mode:o}");
        }
        let token = with(0o600).unwrap();
        assert!(token.is("secret") && !token.is("secret\n"));
        assert_eq!(token.shown(), None);
        fs::write(&path, " \n").unwrap();
        assert!(with(0o600).is_err());
        assert!(Token::of(None, Some(&folder.path().join("none"))).is_err());
    }
}
