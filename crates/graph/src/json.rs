//! Graphs as JSON.

use crate::error::GraphError;
use crate::language::Language;
use crate::model::{Engine, Graph, Signature, Type, TypeId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "nubbin prototype graph";
const VERSION: u64 = 1;

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<Engine>,
    #[serde(default)]
    language: Language,
    types: Vec<Type>,
    signatures: Vec<Signature>,
}

impl Graph {
    /// Reads a graph from JSON, and checks that every edge leads to a node.
    ///
    /// # Errors
    /// Returns [`GraphError`] if the text is truncated, inconsistent, or of another format or
    /// version.
    pub fn from_json(text: &str) -> Result<Self, GraphError> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(GraphError::NotJson)?;
        let header = Header::deserialize(&value).map_err(|_| GraphError::NotAGraph)?;
        if header.format != FORMAT {
            return Err(GraphError::NotAGraph);
        }
        if header.version != VERSION {
            return Err(GraphError::Version {
                found: header.version,
                known: VERSION,
            });
        }
        let file = File::deserialize(value).map_err(GraphError::Field)?;
        let mut by_name = FxHashMap::default();
        for (index, node) in (0..).zip(&file.types) {
            if by_name.insert(node.name.clone(), TypeId(index)).is_some() {
                return Err(GraphError::DuplicateName(node.name.clone()));
            }
        }
        let graph = Graph {
            engine: file.engine,
            language: file.language,
            types: file.types,
            signatures: file.signatures,
            by_name,
        };
        graph.check()?;
        Ok(graph)
    }

    /// Returns the graph as JSON, with a line for each type and each signature.
    pub fn to_json(&self) -> String {
        let line = |node: serde_json::Result<String>| node.unwrap_or_default();
        let list = |lines: Vec<String>| match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n{}\n]", lines.join(",\n")),
        };
        let types = self
            .types
            .iter()
            .map(|node| line(serde_json::to_string(node)));
        let signatures = self.signatures.iter();
        let signatures = signatures.map(|node| line(serde_json::to_string(node)));
        let engine = match &self.engine {
            Some(engine) => format!("\"engine\":{},\n", line(serde_json::to_string(engine))),
            None => String::new(),
        };
        let language = match self.language.is_default() {
            true => String::new(),
            false => format!(
                "\"language\":{},\n",
                line(serde_json::to_string(&self.language))
            ),
        };
        format!(
            "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\n{engine}{language}\"types\":{},\n\"signatures\":{}}}\n",
            list(types.collect()),
            list(signatures.collect()),
        )
    }

    /// Checks that every edge leads to a node, and that every prototype chain ends.
    fn check(&self) -> Result<(), GraphError> {
        if self.types.is_empty() {
            return Err(GraphError::Empty);
        }
        let to_type = |from: &str, id: TypeId| match id.index() < self.types.len() {
            true => Ok(()),
            false => Err(GraphError::DanglingEdge {
                from: from.to_owned(),
                to: format!("type {}", id.0),
            }),
        };
        for node in &self.types {
            let values = node.properties.iter().map(|(_, id)| *id);
            for id in values.chain(node.prototype) {
                to_type(&node.name, id)?;
            }
            for id in node.call.iter().chain(&node.construct) {
                if id.index() >= self.signatures.len() {
                    return Err(GraphError::DanglingEdge {
                        from: node.name.clone(),
                        to: format!("signature {}", id.0),
                    });
                }
            }
        }
        for (index, node) in self.signatures.iter().enumerate() {
            let parameters = node
                .parameters
                .iter()
                .flat_map(|parameter| &parameter.types);
            for id in parameters.chain(&node.receiver).chain(&node.returns) {
                to_type(&format!("signature {index}"), *id)?;
            }
        }
        for node in &self.types {
            let chain = std::iter::successors(node.prototype, |id| self.type_of(*id).prototype);
            if chain.take(self.types.len() + 1).count() > self.types.len() {
                return Err(GraphError::PrototypeCycle(node.name.clone()));
            }
        }
        Ok(())
    }
}
