//! Arguments that do not fit the schema of their tool: the name of the argument, its value, and the
//! values that the tool expects.

use nubbin_suggest::nearest;
use serde_json::{Map, Value};

/// The maximum number of characters of a value that an error shows.
const SHOWN: usize = 60;

/// An argument that does not fit the schema.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum WrongArgument {
    #[error("the argument `{name}` is missing; it is {expected}")]
    Missing {
        name: String,
        expected: String,
        about: String,
    },
    #[error("there is no argument `{name}`")]
    Unknown { name: String, hint: String },
    #[error("the argument `{name}` is {given}, and not {expected}")]
    Kind {
        name: String,
        given: String,
        expected: String,
        about: String,
    },
}

impl WrongArgument {
    /// Returns the next step: the meaning of the argument, or the names that exist.
    pub(super) fn hint(&self) -> &str {
        match self {
            WrongArgument::Missing { about, .. } | WrongArgument::Kind { about, .. } => about,
            WrongArgument::Unknown { hint, .. } => hint,
        }
    }
}

/// Checks arguments against the schema of a tool.
///
/// # Errors
/// Returns the first argument that does not fit.
pub(super) fn check(given: &Value, schema: &Value) -> Result<(), WrongArgument> {
    Place {
        name: "",
        schema,
        root: schema,
    }
    .check(given)
}

/// An argument, or all of them: its name, which is empty for all, and its schema.
#[derive(Clone, Copy)]
struct Place<'a> {
    name: &'a str,
    schema: &'a Value,
    /// The schema of all arguments.
    root: &'a Value,
}

impl Place<'_> {
    fn check(self, given: &Value) -> Result<(), WrongArgument> {
        if !self.accepts(given) {
            return Err(WrongArgument::Kind {
                name: self.name.to_owned(),
                given: shown(given),
                expected: self.expected(),
                about: self.about(),
            });
        }
        match given {
            Value::Object(fields) => self.check_fields(fields),
            Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
                let name = format!("{}[{at}]", self.name);
                let schema = &self.schema["items"];
                Place {
                    name: &name,
                    schema,
                    ..self
                }
                .check(item)
            }),
            _ => Ok(()),
        }
    }

    fn check_fields(self, fields: &Map<String, Value>) -> Result<(), WrongArgument> {
        let Some(known) = self.schema["properties"].as_object() else {
            return Ok(());
        };
        for (name, value) in fields {
            match known.get(name) {
                Some(schema) => self.within(name, schema, |place| place.check(value))?,
                None => return Err(self.unknown(name)),
            }
        }
        let required = self.schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                let schema = known.get(name).unwrap_or(&Value::Null);
                return Err(self.within(name, schema, |place| WrongArgument::Missing {
                    name: place.name.to_owned(),
                    expected: place.expected(),
                    about: place.about(),
                }));
            }
        }
        Ok(())
    }

    /// Calls a function with the place of a field.
    fn within<T>(self, name: &str, schema: &Value, then: impl FnOnce(Place<'_>) -> T) -> T {
        let name = join(self.name, name);
        then(Place {
            name: &name,
            schema,
            root: self.root,
        })
    }

    /// Returns the error of a name that does not exist here. It may exist in another object.
    fn unknown(self, name: &str) -> WrongArgument {
        let mut all = Vec::new();
        names(self.root, "", &mut all);
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let word = name.replace('-', "_");
        let elsewhere = all.iter().find(|path| last(path) == word);
        let here = self.schema["properties"].as_object();
        let here: Vec<&str> = here
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        let near = nearest(&word, here.iter().copied()).map(|near| join(self.name, near));
        let hint = match elsewhere.cloned().or(near) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.name.is_empty() => format!("the arguments are {}", here.join(", ")),
            None => format!("`{}` has {}", self.name, here.join(", ")),
        };
        WrongArgument::Unknown {
            name: join(self.name, name),
            hint,
        }
    }

    fn accepts(self, given: &Value) -> bool {
        let kinds = kinds(self.schema);
        let is_kind = |kind: &&str| match *kind {
            "object" => given.is_object(),
            "array" => given.is_array(),
            "string" => given.is_string(),
            "boolean" => given.is_boolean(),
            "integer" => given.is_u64() || given.is_i64() && self.schema["minimum"].is_null(),
            "number" => given.is_number(),
            "null" => given.is_null(),
            _ => true,
        };
        kinds.is_empty() || kinds.iter().any(is_kind)
    }

    /// Describes the values that are accepted, with an example.
    fn expected(self) -> String {
        let kinds = kinds(self.schema);
        let kind = kinds.into_iter().find(|kind| *kind != "null");
        let words = match kind.unwrap_or_default() {
            "object" => "an object",
            "array" => "a list of texts",
            "string" => "a text",
            "boolean" => "true or false",
            "integer" => "a whole number of 0 or more",
            "number" => "a number",
            _ => "another value",
        };
        match self.schema["examples"].get(0) {
            Some(example) => format!("{words}, such as {example}"),
            None => words.to_owned(),
        }
    }

    /// Returns the documentation of the argument.
    fn about(self) -> String {
        let about = self.schema["description"].as_str().unwrap_or_default();
        let name = self.name;
        match about.is_empty() {
            true => "the schema of the tool lists all arguments".to_owned(),
            false => format!("`{name}`: {}", about.replace('\n', " ")),
        }
    }
}

/// Returns the types that a schema accepts.
fn kinds(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    }
}

/// Collects the names of all arguments, with the names of their objects.
fn names(schema: &Value, before: &str, found: &mut Vec<String>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = join(before, name);
        names(schema, &path, found);
        found.push(path);
    }
}

fn join(before: &str, name: &str) -> String {
    match before.is_empty() {
        true => name.to_owned(),
        false => format!("{before}.{name}"),
    }
}

/// Returns the kind of a value, and its beginning.
fn shown(given: &Value) -> String {
    let kind = match given {
        Value::Null => return "null".to_owned(),
        Value::Bool(value) => return value.to_string(),
        Value::Number(_) => "the number",
        Value::String(_) => "the text",
        Value::Array(_) => "the list",
        Value::Object(_) => "the object",
    };
    let text = given.to_string();
    let short: String = text.chars().take(SHOWN).collect();
    let rest = if short.len() < text.len() { "…" } else { "" };
    format!("{kind} {short}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::arguments::{Capture, Check, Explain, Isolate, Reduce, State, Stop};
    use rmcp::schemars::{self, JsonSchema};
    use serde_json::json;

    fn schema<T: JsonSchema>() -> Value {
        schemars::schema_for!(T).to_value()
    }

    fn wrong(given: &Value) -> String {
        let mut all = json!({ "folder": "/f", "input": "x", "test": { "script": "t" } });
        for (name, value) in given.as_object().unwrap() {
            all[name] = value.clone();
        }
        let wrong = check(&all, &schema::<Reduce>()).unwrap_err();
        format!("{wrong}; {}", wrong.hint())
    }

    #[test]
    fn an_error_names_the_argument_and_its_value_with_an_example() {
        for (given, words) in [
            (
                json!({ "wait": "long" }),
                "the argument `wait` is the text \"long\", and not a number, such as 30.0; `wait`: ",
            ),
            (
                json!({ "budget": { "max_tests": "5" } }),
                "`budget.max_tests` is the text \"5\", and not a whole number of 0 or more, such as",
            ),
            (
                json!({ "budget": { "max_tests": -5 } }),
                "`budget.max_tests` is the number -5, and not a whole number of 0 or more",
            ),
            (
                json!({ "budget": { "max_tests": 1.5 } }),
                "`budget.max_tests` is the number 1.5, and not a whole number",
            ),
            (
                json!({ "test": { "command": "gcc -c {}" } }),
                "`test.command` is the text \"gcc -c {}\", and not a list of texts, such as [\"gcc\"",
            ),
            (
                json!({ "test": { "command": ["gcc", 7] } }),
                "`test.command[1]` is the number 7, and not a text",
            ),
            (
                json!({ "test": "t.sh" }),
                "`test` is the text \"t.sh\", and not an object",
            ),
            (
                json!({ "test": { "exit": 1 } }),
                "`test.exit` is the number 1, and not a text, such as",
            ),
            (
                json!({ "max_tests": 5 }),
                "no argument `max_tests`; did you mean `budget.max_tests`?",
            ),
            (
                json!({ "test": { "not-stderr": "" } }),
                "did you mean `test.not_stderr`?",
            ),
            (json!({ "tset": 5 }), "did you mean `test`?"),
            (json!({ "sandbox": 5 }), "the arguments are "),
            (json!({ "test": { "sandbox": 5 } }), "`test` has "),
        ] {
            let told = wrong(&given);
            assert!(told.contains(words), "{told}");
        }
        let missing = check(&json!({}), &schema::<Stop>()).unwrap_err();
        let expected =
            "the argument `job` is missing; it is a whole number of 0 or more, such as 1";
        assert_eq!(missing.to_string(), expected);
    }

    #[test]
    fn arguments_that_may_be_left_out_may_be_null() {
        let given = json!({ "folder": "/f", "input": "x", "output": null, "test": {} });
        assert_eq!(check(&given, &schema::<Reduce>()), Ok(()));
    }

    /// Checks that each argument has a type, a documentation, and an example or fields.
    fn assert_described(schema: &Value, path: &str) {
        for (name, schema) in schema["properties"].as_object().unwrap() {
            let path = join(path, name);
            assert!(schema["description"].is_string(), "{path}");
            match kinds(schema)[..] {
                ["object"] => assert_described(schema, &path),
                ["boolean"] => {}
                [_, ..] => {
                    let example = &schema["examples"][0];
                    assert!(!example.is_null(), "{path}");
                    let place = Place {
                        name: &path,
                        schema,
                        root: schema,
                    };
                    assert_eq!(place.check(example), Ok(()));
                }
                [] => panic!("{path} has no type: {schema}"),
            }
        }
    }

    #[test]
    fn all_arguments_are_described() {
        for schema in [
            schema::<Check>(),
            schema::<Reduce>(),
            schema::<Explain>(),
            schema::<Isolate>(),
            schema::<Capture>(),
            schema::<State>(),
            schema::<Stop>(),
        ] {
            assert_described(&schema, "");
        }
    }
}
