//! WebAssembly as expressions: what a valid module can do without, and stay valid.

mod bytes;
mod changes;
mod code;
mod operator;
mod program;
mod types;

pub use changes::WasmCode;
pub use program::wasm_code;
