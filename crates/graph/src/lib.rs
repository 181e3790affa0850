//! Prototype graphs: models of the types and signatures of a JavaScript or Python interpreter,
//! and random expressions that follow them.
//!
//! A [`Graph`] has *type* nodes and *signature* nodes. A type is an object of the engine, a kind of
//! objects with the same prototype and keys, or a kind of primitive values. A signature is one way
//! to call or construct a type. Six kinds of edges connect them: *property* and *prototype* edges
//! between types, *call* and *construct* edges from types to signatures, *parameter* edges from
//! types to signatures, and *return* edges from signatures to types.
//!
//! A graph of Python has modules, types, and functions instead of objects, and the bases of types
//! instead of prototypes. [`Language`] has the differences.
//!
//! [`probe`] has the scripts that run inside an engine and report its graph: [`probe::explore`]
//! visits every reachable object, and [`probe::learn`] records the calls of a test. [`Reports`]
//! reads their output. A [`Walker`] generates expressions.
//!
//! The crate knows no processes and no files.
//!
//! Source: R. Hodován, "Fuzzing and Test Case Reduction: Novel Techniques and Tools", PhD thesis,
//! University of Szeged, 2019, chapter 4. R. Hodován, Á. Kiss, "Fuzzing JavaScript Engine APIs",
//! iFM 2016.
//!
//! ```
//! use nubbin_generate::Choices;
//! use nubbin_graph::{Graph, WalkOptions, Walker};
//!
//! let graph = Graph::from_json(
//!     r#"{
//!       "format": "nubbin prototype graph",
//!       "version": 1,
//!       "types": [
//!         { "name": "this", "kind": "object", "properties": [["Object", 1]] },
//!         { "name": "this.Object", "kind": "function", "call": [0] }
//!       ],
//!       "signatures": [{ "parameters": [{ "types": [0] }] }]
//!     }"#,
//! )?;
//! let walker = Walker::new(&graph, WalkOptions::default());
//! let text = walker.generate(&mut Choices::seeded(1));
//! assert!(text.starts_with(b"this.Object"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod draw;
mod error;
mod json;
mod language;
mod merge;
pub mod model;
pub mod probe;
mod reports;
mod statistics;
pub mod walk;

pub use draw::{Drawing, dot, page, svg};
pub use error::GraphError;
pub use language::Language;
pub use model::{Engine, Graph, Key, Kind, Parameter, Signature, SignatureId, Type, TypeId};
pub use reports::Reports;
pub use statistics::Statistics;
pub use walk::{Start, WalkOptions, Walker};
