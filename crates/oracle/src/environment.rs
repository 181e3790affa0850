use crate::process::{Command, MARK};
use crate::variable_list::VariableList;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

/// The reason why a variable cannot be set or removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The text is not of the form `NAME=VALUE`.
    #[error("`{text}` is not of the form NAME=VALUE")]
    NoValue {
        /// The text that was given.
        text: String,
    },
    /// The text cannot be the name of a variable.
    #[error("`{text}` is not the name of a variable")]
    Name {
        /// The text that was given.
        text: String,
    },
    /// The variable marks the processes of a test.
    #[error("the variable `{MARK}` cannot be changed: nubbin finds the processes of a test by it")]
    Mark,
}

/// The environment of a test: the environment of this process or a minimal one, with changes.
///
/// A test whose verdict depends on a variable of the user's shell cannot be repeated elsewhere.
/// [`Environment::clean`] leaves such variables out; [`Environment::set`] and
/// [`Environment::unset`] change single ones. `PWD`, `TMPDIR`, `NUBBIN=1`, and the mark of the test
/// are always set, and [`Environment::set`] overrides all of them but the mark. No text of an
/// environment contains a value, since a value may be secret.
///
/// ```
/// use nubbin_oracle::Environment;
///
/// let environment = Environment::new().clean().set("RUST_BACKTRACE=1")?.unset("LANG")?;
/// assert_eq!(environment.to_string(), "clean, RUST_BACKTRACE=…, without LANG");
/// # Ok::<(), nubbin_oracle::EnvironmentError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    is_clean: bool,
    changes: Vec<(OsString, Option<OsString>)>,
}

/// The variables that a clean environment takes from this process. Windows needs some of its own to
/// start a program.
const KEPT: &[&str] = if cfg!(windows) {
    &[
        "PATH",
        "HOME",
        "LANG",
        "SystemRoot",
        "SystemDrive",
        "ComSpec",
        "PATHEXT",
    ]
} else {
    &["PATH", "HOME", "LANG"]
};

impl Environment {
    /// Creates an environment equal to the environment of this process.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all variables except PATH, HOME, LANG, and the variables set with
    /// [`Environment::set`].
    pub fn clean(mut self) -> Self {
        self.is_clean = true;
        self
    }

    /// Sets a variable, written as `NAME=VALUE`.
    ///
    /// # Errors
    /// Returns [`EnvironmentError`] if there is no `=` or the name cannot be used.
    pub fn set(mut self, text: impl AsRef<OsStr>) -> Result<Self, EnvironmentError> {
        let text = text.as_ref();
        let no_value = |text: &OsStr| EnvironmentError::NoValue {
            text: text.to_string_lossy().into_owned(),
        };
        let (name, value) = split(text).ok_or_else(|| no_value(text))?;
        check(&name)?;
        if value.as_encoded_bytes().contains(&0) {
            return Err(no_value(&name));
        }
        self.changes.push((name, Some(value)));
        Ok(self)
    }

    /// Removes a variable if it is set.
    ///
    /// # Errors
    /// Returns [`EnvironmentError`] if the name cannot be used.
    pub fn unset(mut self, name: impl AsRef<OsStr>) -> Result<Self, EnvironmentError> {
        check(name.as_ref())?;
        self.changes.push((name.as_ref().to_owned(), None));
        Ok(self)
    }

    /// Returns whether the environment equals the environment of this process.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the changes in the order of the calls. A variable has its new value, or `None` if it
    /// is removed.
    pub fn changes(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        let changes = self.changes.iter();
        changes.map(|(name, value)| (name.as_os_str(), value.as_deref()))
    }

    /// Returns the names of the variables that a test gets from this environment, sorted. Variables
    /// that are always set are not among them.
    pub fn variables(&self) -> Vec<OsString> {
        let inherited = std::env::vars_os().map(|(name, _)| name);
        let is_inherited = |name: &OsString| !self.is_clean || KEPT.iter().any(|kept| name == kept);
        let mut names: BTreeSet<OsString> = inherited.filter(is_inherited).collect();
        for (name, value) in &self.changes {
            match value {
                Some(_) => names.insert(name.clone()),
                None => names.remove(name),
            };
        }
        let fixed = [MARK, "PWD", "TMPDIR", "NUBBIN"];
        names.retain(|name| !fixed.iter().any(|fixed| name == fixed));
        names.into_iter().collect()
    }

    /// Returns the variables among [`Environment::variables`] whose values are lists of two or more
    /// items. Colons separate the items, or commas if there is no colon.
    pub fn lists(&self) -> Vec<VariableList> {
        let value = |name: &OsString| {
            let changes = self.changes.iter().rev();
            let changed = changes.filter(|(changed, _)| changed == name);
            let changed = changed.map(|(_, value)| value.clone()).next();
            changed.unwrap_or_else(|| std::env::var_os(name))
        };
        let names = self.variables().into_iter();
        names
            .filter_map(|name| VariableList::of(&value(&name)?, name))
            .collect()
    }

    pub(crate) fn clear(&self, command: &mut Command) {
        if self.is_clean {
            command.env_clear();
            let kept = KEPT.iter();
            command.envs(kept.filter_map(|&name| Some((name, std::env::var_os(name)?))));
        }
    }

    pub(crate) fn change(&self, command: &mut Command) {
        for (name, value) in &self.changes {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }
}

fn check(name: &OsStr) -> Result<(), EnvironmentError> {
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() || bytes.contains(&b'=') || bytes.contains(&0) {
        let text = name.to_string_lossy().into_owned();
        return Err(EnvironmentError::Name { text });
    }
    match name == MARK {
        true => Err(EnvironmentError::Mark),
        false => Ok(()),
    }
}

/// The two sides of the first `=`.
fn split(text: &OsStr) -> Option<(OsString, OsString)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = text.as_bytes();
        let at = bytes.iter().position(|&byte| byte == b'=')?;
        let part = |bytes| OsStr::from_bytes(bytes).to_owned();
        Some((part(&bytes[..at]), part(&bytes[at + 1..])))
    }
    #[cfg(not(unix))]
    {
        let (name, value) = text.to_str()?.split_once('=')?;
        Some((name.into(), value.into()))
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Environment({self})")
    }
}

impl std::fmt::Display for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if self.is_clean {
            parts.push("clean".to_owned());
        }
        for (name, value) in &self.changes {
            let name = name.to_string_lossy();
            // A value may be a password, and this text appears in messages and logs.
            parts.push(match value {
                Some(_) => format!("{name}=…"),
                None => format!("without {name}"),
            });
        }
        if parts.is_empty() {
            parts.push("unchanged".to_owned());
        }
        write!(f, "{}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_variables_are_errors() {
        let new = Environment::new;
        for text in ["", "NAME", "=value", "A\0=b", "A=\0"] {
            assert!(new().set(text).is_err(), "{text:?}");
        }
        for text in ["", "A=b", "A\0"] {
            assert!(new().unset(text).is_err(), "{text:?}");
        }
        assert_eq!(new().set("NUBBIN_TEST=x"), Err(EnvironmentError::Mark));
        assert_eq!(new().unset("NUBBIN_TEST"), Err(EnvironmentError::Mark));
        let secret = new().set("A=b=secret").unwrap();
        assert_eq!(secret.changes, [("A".into(), Some("b=secret".into()))]);
        assert!(new().set("A=").is_ok());
    }

    #[test]
    fn the_variables_of_a_test_are_known_by_name() {
        let environment = Environment::new().clean();
        let environment = environment.set("B=1").unwrap().set("A=2").unwrap();
        let environment = environment.set("TMPDIR=x").unwrap().unset("PATH").unwrap();
        let names = environment.variables();
        assert!(
            names.contains(&"A".into()) && names.contains(&"B".into()),
            "{names:?}"
        );
        assert!(!names.contains(&"PATH".into()) && !names.contains(&"TMPDIR".into()));
        assert!(names.is_sorted());
    }

    #[test]
    fn no_text_of_an_environment_has_a_value() {
        let secret = Environment::new().set("A=secret").unwrap();
        assert_eq!(secret.to_string(), "A=…");
        assert_eq!(format!("{secret:?}"), "Environment(A=…)");
        for text in ["A=\0secret", "=secret"] {
            let error = Environment::new().set(text).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
