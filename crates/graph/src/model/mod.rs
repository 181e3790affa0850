//! The model: types, signatures, and the edges between them.

mod build;
mod key;

pub(crate) use build::{Builder, CallForm};
pub use key::Key;

use crate::language::Language;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The index of a type in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(pub u32);

/// The index of a signature in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignatureId(pub u32);

impl TypeId {
    /// The type of the global object. The global object is the first type of every graph.
    pub const GLOBAL: TypeId = TypeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl SignatureId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of the values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An object that cannot be called.
    Object,
    /// An object that can be called.
    Function,
    /// The value `undefined`.
    Undefined,
    /// The value `null`.
    Null,
    /// A Boolean.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// A symbol.
    Symbol,
    /// A big integer.
    Bigint,
}

impl Kind {
    /// The kinds of primitive values.
    pub const PRIMITIVE: [Kind; 7] = [
        Kind::Undefined,
        Kind::Null,
        Kind::Boolean,
        Kind::Number,
        Kind::String,
        Kind::Symbol,
        Kind::Bigint,
    ];

    /// Returns the name of the kind. For a primitive kind, it is also the name of the type of all
    /// its values.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Object => "object",
            Kind::Function => "function",
            Kind::Undefined => "undefined",
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Symbol => "symbol",
            Kind::Bigint => "bigint",
        }
    }

    /// Returns the primitive kind with the given name.
    pub fn primitive(name: &str) -> Option<Kind> {
        Kind::PRIMITIVE.into_iter().find(|kind| kind.name() == name)
    }
}

/// A type node, with its edges to other types and to the signatures that call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// The name of the type, which no other type of the graph has.
    ///
    /// An object that a path of properties reaches has the shortest path as its name:
    /// `this.Array.prototype.map`. Objects that are distinguished by prototype and keys have both
    /// in their name: `this.Array.prototype{length}`. Primitive values have the name of their kind.
    pub name: String,
    /// The kind of the type's values.
    pub kind: Kind,
    /// The prototype edge of the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prototype: Option<TypeId>,
    /// The property edges with their labels. A property has several edges if its value has been
    /// seen with several types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<(Key, TypeId)>,
    /// The call edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call: Vec<SignatureId>,
    /// The construct edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub construct: Vec<SignatureId>,
    /// Texts of expressions with a value of this type, such as literals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// A parameter of a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The types with a parameter edge to this parameter. An argument has one of these types, or a
    /// type with one of them in its prototype chain. Empty if nothing is known about the parameter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<TypeId>,
    /// Texts of arguments that have been seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// A signature node: one way to call or to construct a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The types of receivers that have been seen: the parameter edges with the label `this`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub receiver: Vec<TypeId>,
    /// The parameters in the order of their positions, with their parameter edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The return edges. Empty if nothing is known about the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<TypeId>,
    /// Whether the signature was learned from a call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub learned: bool,
}

/// The engine to which a graph belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// The name of the engine's profile.
    pub name: String,
    /// The version that the engine prints, if it prints one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// A hash of the engine's executable file.
    pub hash: String,
}

/// A prototype graph. The first type is the type of the global object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The engine of the graph, if it is known.
    pub engine: Option<Engine>,
    /// The language of the graph's expressions.
    pub language: Language,
    pub(crate) types: Vec<Type>,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) by_name: FxHashMap<String, TypeId>,
}

impl Graph {
    /// Returns all types in the order of their indices.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Returns all signatures in the order of their indices.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Returns the type with the given index.
    ///
    /// # Panics
    /// Panics if the index is from another graph with more types.
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Returns the signature with the given index.
    ///
    /// # Panics
    /// Panics if the index is from another graph with more signatures.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id.index()]
    }

    /// Returns the type with the given name.
    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    /// Returns the indices of all types.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    /// Returns the type with the given name, and makes it if there is none.
    pub(crate) fn intern(&mut self, name: &str) -> TypeId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.by_name.insert(name.to_owned(), id);
        self.types.push(Type {
            name: name.to_owned(),
            kind: Kind::primitive(name).unwrap_or(Kind::Object),
            prototype: None,
            properties: vec![],
            call: vec![],
            construct: vec![],
            values: vec![],
        });
        id
    }
}
