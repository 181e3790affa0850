//! Reads the value of a key: a text as on the command line, a number, or a list.

use clap::ValueEnum;
use std::fmt::Display;
use std::str::FromStr;
use toml::Value;

/// The result of setting a key: `None` if there is no such key, and otherwise the reason why the
/// value does not fit.
pub(super) type Set = Option<Result<(), String>>;

/// Reads the text of one value.
pub(super) type Read<T> = fn(&str) -> Result<T, String>;

/// Sets a field whose value is always present.
pub(super) fn one<T>(place: &mut T, value: &Value, read: Read<T>) -> Set {
    put(place, text_of(value).and_then(|text| read(&text)))
}

/// Sets a value that can be left out.
pub(super) fn some<T>(place: &mut Option<T>, value: &Value, read: Read<T>) -> Set {
    let found = text_of(value).and_then(|text| read(&text));
    put(place, found.map(Some))
}

/// Sets a list. A single value is a list of one.
pub(super) fn many<T>(place: &mut Vec<T>, value: &Value, read: Read<T>) -> Set {
    let texts = texts_of(value);
    let found = texts.and_then(|texts| texts.iter().map(|text| read(text)).collect());
    put(place, found)
}

/// Sets a list whose values may also be separated by commas.
pub(super) fn listed<T>(place: &mut Vec<T>, value: &Value, read: Read<T>) -> Set {
    let texts = texts_of(value);
    let found = texts.and_then(|texts| {
        let each = texts.iter().flat_map(|text| text.split(','));
        each.map(read).collect()
    });
    put(place, found)
}

/// Sets a list of variables, which may also be a table.
pub(super) fn variables<T>(place: &mut Vec<T>, value: &Value, read: Read<T>) -> Set {
    let Value::Table(pairs) = value else {
        return many(place, value, read);
    };
    let each = pairs.iter().map(|(name, value)| match value {
        Value::String(_) | Value::Integer(_) => read(&format!("{name}={}", text_of(value)?)),
        _ => Err(format!(
            "the variable `{name}` is neither a string nor an integer"
        )),
    });
    put(place, each.collect())
}

/// Sets a flag without a value.
pub(super) fn flag(place: &mut bool, value: &Value) -> Set {
    let found = value.as_bool().ok_or("expected `true` or `false`");
    put(place, found.map_err(str::to_owned))
}

fn put<T>(place: &mut T, found: Result<T, String>) -> Set {
    Some(found.map(|found| *place = found))
}

/// Returns a value in the form of a command line.
fn text_of(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(_) => Err("expected a string or a number".to_owned()),
        Value::Array(_) => Err("expected one value".to_owned()),
        Value::Table(_) | Value::Datetime(_) => Err("expected a string or a number".to_owned()),
    }
}

fn texts_of(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(values) => values.iter().map(text_of).collect(),
        value => Ok(vec![text_of(value)?]),
    }
}

/// Reads a text without a special form: a name, a command, a path.
pub(super) fn text<T: for<'a> From<&'a str>>(text: &str) -> Result<T, String> {
    Ok(T::from(text))
}

/// Reads a value with a special form.
pub(super) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads a number.
pub(super) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let found = text.parse();
    found.map_err(|_| format!("`{text}` is not a valid number for this key"))
}

/// Reads a number of at least one.
pub(super) fn positive<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    match number(text)? {
        found if found >= T::from(1) => Ok(found),
        _ => Err("must be more than 0".to_owned()),
    }
}

/// Reads one of several words.
pub(super) fn word<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let words = T::value_variants().iter();
        let words = words.filter_map(|word| Some(word.to_possible_value()?.get_name().to_owned()));
        let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
        format!("expected {}", words.join(", "))
    })
}
