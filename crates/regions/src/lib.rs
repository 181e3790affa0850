//! Passes over bytes, and over the structure of binary files: regions, length fields, and
//! checksums.

#![deny(missing_docs)]

mod checked_chunks;
mod nested;
mod nested_regions;
mod on_view;
mod on_wasm;
mod regions;
mod wasm_bodies;
mod wasm_code;
mod wasm_data;
mod wasm_exports;
mod wasm_locals;

pub use checked_chunks::CheckedChunks;
pub use nested_regions::NestedRegions;
pub use on_view::{beside_texts, has_texts, on_its_view, on_texts};
pub use on_view::{each_text, on_view};
pub use regions::Regions;
pub use regions::regions_beside_texts;
pub use wasm_bodies::WasmBodies;
pub use wasm_code::WasmCode;
pub use wasm_data::WasmData;
pub use wasm_exports::WasmExports;
pub use wasm_locals::WasmLocals;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
