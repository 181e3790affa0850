//! WebAssembly as expressions: the parts that a valid module can lose and remain valid.

mod bytes;
mod changes;
mod code;
mod operator;
mod parts;
mod program;
mod references;
mod types;

pub use changes::WasmCode;
pub use parts::{WasmParts, wasm_parts};
pub use program::wasm_code;
