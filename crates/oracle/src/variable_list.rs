use std::ffi::{OsStr, OsString};
use std::fmt;

/// A variable of the environment whose value is a list.
///
/// The text of the list for a reducer has the name and the numbers of the items, `PATH:1:2:3`. The
/// text does not contain the value, which may be private.
#[derive(Clone, PartialEq, Eq)]
pub struct VariableList {
    name: OsString,
    separator: u8,
    items: Vec<OsString>,
}

/// No value is shown.
impl fmt::Debug for VariableList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({} items)", self.name, self.items.len())
    }
}

impl VariableList {
    /// Returns the list that a value is, where it has two or more items. A variable whose name
    /// contains a colon has no list, since its numbers would be ambiguous.
    pub(crate) fn of(value: &OsStr, name: OsString) -> Option<Self> {
        let bytes = value.as_encoded_bytes();
        let separator = [b':', b','].into_iter().find(|it| bytes.contains(it))?;
        let items: Option<Vec<OsString>> = bytes.split(|&it| it == separator).map(os).collect();
        let is_plain = !name.as_encoded_bytes().contains(&b':');
        Some(VariableList {
            name,
            separator,
            items: items.filter(|_| is_plain)?,
        })
    }

    /// The name of the variable.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Returns the name with the numbers of all items.
    pub fn text(&self) -> OsString {
        let mut text = self.name.clone();
        for number in 1..=self.items.len() {
            text.push(format!(":{number}"));
        }
        text
    }

    /// Returns the value that a text stands for; `None` if the text does not belong to this
    /// variable.
    pub(crate) fn value(&self, text: &[u8]) -> Option<OsString> {
        let numbers = text.strip_prefix(self.name.as_encoded_bytes())?;
        let mut value = OsString::new();
        let separator = char::from(self.separator).to_string();
        let mut parts = numbers.split(|&byte| byte == b':');
        if !parts.next()?.is_empty() {
            return None;
        }
        for (nth, number) in parts.enumerate() {
            let number: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
            let item = self.items.get(number.checked_sub(1)?)?;
            if nth > 0 {
                value.push(&separator);
            }
            value.push(item);
        }
        Some(value)
    }
}

#[cfg(unix)]
fn os(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(OsStr::from_bytes(bytes).to_owned())
}

#[cfg(not(unix))]
fn os(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_separators_is_no_list() {
        let of = |value: &str| VariableList::of(value.as_ref(), "A".into());
        assert!(of("one").is_none() && of("").is_none());
        assert_eq!(of("a,b").unwrap().text(), "A:1:2");
        assert_eq!(of("a:b,c").unwrap().text(), "A:1:2");
        assert!(!format!("{:?}", of("secret,b")).contains("secret"));
        assert!(VariableList::of("a:b".as_ref(), "A:B".into()).is_none());
    }
}
