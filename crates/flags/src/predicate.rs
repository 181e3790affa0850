//! The value of a predicate in an ANTLR grammar: `isVersion2=false`.

use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateValue {
    pub name: String,
    pub value: bool,
}

impl FromStr for PredicateValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let value = match value.trim() {
            "true" => true,
            "false" => false,
            _ => return Err("expected `NAME=true` or `NAME=false`".into()),
        };
        let name = name.trim().to_owned();
        Ok(PredicateValue { name, value })
    }
}
