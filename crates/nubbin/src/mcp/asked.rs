//! Arguments of a tool that are checked against its schema, so that an error names the argument.

use super::error::ToolError;
use super::wrong_argument::{self, WrongArgument};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;

/// The arguments of a call, or the first error in them. It has the schema of the arguments.
#[derive(Debug)]
pub(super) struct Asked<T>(Result<T, WrongArgument>);

impl<T> Asked<T> {
    /// Returns the arguments.
    ///
    /// # Errors
    /// Returns [`ToolError::Argument`] if they do not fit the schema.
    pub(super) fn checked(self) -> Result<T, ToolError> {
        self.0.map_err(ToolError::Argument)
    }
}

impl<'de, T: DeserializeOwned + JsonSchema> Deserialize<'de> for Asked<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given = Value::deserialize(from)?;
        let schema = schemars::schema_for!(T);
        if let Err(wrong) = wrong_argument::check(&given, schema.as_value()) {
            return Ok(Asked(Err(wrong)));
        }
        // The schema says everything that the types do.
        T::deserialize(given)
            .map(|arguments| Asked(Ok(arguments)))
            .map_err(D::Error::custom)
    }
}

impl<T: JsonSchema> JsonSchema for Asked<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
