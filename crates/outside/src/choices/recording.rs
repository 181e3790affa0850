//! Files of choices, with a JSON line for each text.

use crate::exit::Exit;
use crate::grammar::bytes;
use crate::hex::{from_hex, to_hex};
use crate::problem::Problem;
use nubbin_generate::choices::DEFAULT;
use nubbin_generate::nubbin_choices::Value;
use nubbin_generate::{Algorithm, GrammarFuzzer, LimitFuzzer, SizeTarget};
use nubbin_graph::WalkOptions;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::path::Path;

/// One text of a recording.
#[derive(Debug, Serialize, Deserialize)]
pub struct Recorded {
    pub choices: Vec<Json>,
    /// The expansion of the grammar, or the walk on the graph; `None` for other generators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Recipe>,
}

/// The parameters of a grammar's expansion or of a walk, which determine the meaning of the
/// choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recipe {
    #[serde(rename_all = "kebab-case")]
    LimitFuzzer {
        max_depth: u32,
    },
    #[serde(rename_all = "kebab-case")]
    GrammarFuzzer {
        min_nonterminals: usize,
        max_nonterminals: usize,
    },
    Size(u64),
    Walk(WalkOptions),
}

impl Recipe {
    /// Returns the expansion of a grammar; `None` for a walk on a graph.
    pub fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Recipe::LimitFuzzer { max_depth } => LimitFuzzer { max_depth }.into(),
            Recipe::GrammarFuzzer {
                min_nonterminals,
                max_nonterminals,
            } => GrammarFuzzer {
                min_nonterminals,
                max_nonterminals,
            }
            .into(),
            Recipe::Size(bytes) => SizeTarget { bytes }.into(),
            Recipe::Walk(_) => return None,
        })
    }
}

impl From<Algorithm> for Recipe {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Limit(LimitFuzzer { max_depth }) => Recipe::LimitFuzzer { max_depth },
            Algorithm::Grammar(GrammarFuzzer {
                min_nonterminals,
                max_nonterminals,
            }) => Recipe::GrammarFuzzer {
                min_nonterminals,
                max_nonterminals,
            },
            Algorithm::Size(SizeTarget { bytes }) => Recipe::Size(bytes),
        }
    }
}

/// Reads the recordings of a file.
pub fn read(path: &Path) -> Result<Vec<Recorded>, Problem> {
    let text = bytes(path)?;
    let lines = text.split(|&b| b == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let recorded: Result<Vec<Recorded>, Problem> = lines
        .map(|(i, line)| {
            serde_json::from_slice(line).map_err(|error| {
                let what = format!("line {} of `{}` is not a recording", i + 1, path.display());
                Problem::new(Exit::Input, what)
                    .because(&error)
                    .hint("write recordings with `nubbin generate … --record FILE`")
            })
        })
        .collect();
    recorded
}

/// Returns the values of a recording.
pub fn values(recorded: &Recorded, path: &Path) -> Result<Vec<Value>, Problem> {
    let value = |(at, json): (usize, &Json)| {
        from_json(json).ok_or_else(|| {
            let what = format!(
                "choice {} of `{}` is not a value: {json}",
                at + 1,
                path.display()
            );
            Problem::new(Exit::Input, what).hint(
                "values are numbers, true, false, strings, {\"bytes\": \"00ff\"}, {\"float\": \
                 \"nan\"}, and null for the simplest",
            )
        })
    };
    recorded.choices.iter().enumerate().map(value).collect()
}

/// Returns the parameters of the walk that a recording has.
pub fn walk_of(recorded: &Recorded, path: &Path) -> Result<WalkOptions, Problem> {
    match recorded.recipe {
        Some(Recipe::Walk(walk)) => Ok(walk),
        _ => {
            let what = format!(
                "the choices of `{}` were not made with a graph",
                path.display()
            );
            Err(Problem::new(Exit::Input, what)
                .hint("record them with `nubbin generate graph --record FILE`"))
        }
    }
}

/// Formats a value as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Simplest => Json::Null,
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::Float(value) if value.is_finite() => json!(value),
        Value::Float(value) => json!({ "float": value.to_string().to_lowercase() }),
        Value::Text(text) => json!(&**text),
        Value::Bytes(bytes) => json!({ "bytes": to_hex(bytes) }),
    }
}

/// Reads a value from JSON.
pub fn from_json(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Simplest,
        Json::Bool(value) => Value::Boolean(*value),
        // Older recordings, and articles on the subject, use this form.
        Json::Number(number) if number.as_u64() == Some(DEFAULT.into()) => Value::Simplest,
        Json::Number(number) if number.as_i64() == Some(-1) => Value::Simplest,
        Json::Number(number) => match number.as_i64() {
            Some(value) => Value::Integer(value),
            None => Value::Float(number.as_f64()?),
        },
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Object(fields) => match fields.iter().next()? {
            (name, Json::String(hex)) if name == "bytes" => Value::Bytes(from_hex(hex)?.into()),
            (name, Json::String(text)) if name == "float" => Value::Float(text.parse().ok()?),
            (name, Json::Number(number)) if name == "integer" => Value::Integer(number.as_i64()?),
            _ => return None,
        },
        Json::Array(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let values = [
            Value::Simplest,
            Value::Boolean(true),
            Value::Integer(-7),
            Value::Integer(i64::MAX),
            Value::Float(1.5),
            Value::Float(2.0),
            Value::Float(f64::NAN),
            Value::Float(f64::NEG_INFINITY),
            Value::Text("a\"\n".into()),
            Value::Bytes([0, 255].into()),
        ];
        for value in values {
            let line = to_json(&value).to_string();
            let json: Json = serde_json::from_str(&line).unwrap();
            assert_eq!(from_json(&json), Some(value), "{line}");
        }
        assert_eq!(from_json(&json!([1])), None);
        assert_eq!(from_json(&json!({"bytes": "0"})), None);
        assert_eq!(from_json(&json!({})), None);
    }
}
