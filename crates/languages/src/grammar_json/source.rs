//! The format of `grammar.json`.

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use std::fmt;

/// A whole file.
#[derive(Debug, Deserialize)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) rules: Rules,
    #[serde(default)]
    pub(super) extras: Vec<Rule>,
    #[serde(default)]
    pub(super) externals: Vec<Rule>,
    #[serde(default)]
    pub(super) inline: Vec<String>,
    #[serde(default)]
    pub(super) supertypes: Vec<String>,
}

/// The rules in the order of the file. The first one is the start symbol.
#[derive(Debug)]
pub(super) struct Rules(pub(super) Vec<(String, Rule)>);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Rules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rules by name")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Rules, M::Error> {
                let mut rules = vec![];
                while let Some(entry) = map.next_entry()? {
                    rules.push(entry);
                }
                Ok(Rules(rules))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A rule or a part of one. Which fields there are depends on the kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub(super) struct Rule {
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    value: Option<Value>,
    name: Option<String>,
    content: Option<Box<Rule>>,
    #[serde(default)]
    pub(super) members: Vec<Rule>,
    #[serde(default)]
    pub(super) named: bool,
    flags: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged)]
enum Value {
    Number(i64),
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Kind {
    Blank,
    String,
    Pattern,
    Symbol,
    Seq,
    Choice,
    Repeat,
    Repeat1,
    Field,
    Alias,
    Token,
    ImmediateToken,
    Prec,
    PrecLeft,
    PrecRight,
    PrecDynamic,
    Reserved,
}

impl Rule {
    /// Returns the text of a string, a pattern, an alias, or a precedence that has a name.
    pub(super) fn text(&self) -> &str {
        match &self.value {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns the level of a precedence that is a number.
    pub(super) fn level(&self) -> i32 {
        match self.value {
            Some(Value::Number(level)) => i32::try_from(level).unwrap_or_default(),
            _ => 0,
        }
    }

    /// Returns the name of a symbol or a field.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns the content.
    pub(super) fn content(&self) -> Option<&Rule> {
        self.content.as_deref()
    }

    /// Returns the content without any precedence around it.
    pub(super) fn inside(&self) -> &Rule {
        let mut rule = self;
        while let (
            Kind::Prec | Kind::PrecLeft | Kind::PrecRight | Kind::PrecDynamic | Kind::Reserved,
            Some(content),
        ) = (rule.kind, rule.content())
        {
            rule = content;
        }
        rule
    }

    /// Returns whether a pattern ignores the case of letters.
    pub(super) fn ignores_case(&self) -> bool {
        self.flags
            .as_deref()
            .is_some_and(|flags| flags.contains('i'))
    }

    /// Returns whether the lexer makes the rule as one token.
    pub(super) fn is_token(&self) -> bool {
        matches!(
            self.kind,
            Kind::String | Kind::Pattern | Kind::Token | Kind::ImmediateToken
        )
    }

    /// Returns the string that is the name of a token, if it has one. A precedence around the
    /// string, or a requirement that no white space precedes it, makes another token of the same
    /// name.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.kind {
            Kind::String => Some(self.text()),
            Kind::Token | Kind::ImmediateToken => {
                let content = self.content()?.inside();
                (content.kind == Kind::String).then(|| content.text())
            }
            _ => None,
        }
    }
}
