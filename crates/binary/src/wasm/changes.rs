use crate::Span;

/// Changes of the code of a WebAssembly module that keep the module as valid as it was, in any
/// combination of changes that do not overlap.
///
/// A function with types or instructions that this crate does not know (vectors, references, blocks
/// with parameters) has no changes within its body.
///
/// Source of the idea: `wasm-reduce` of Binaryen.
///
/// ```
/// use nubbin_binary::wasm_code;
///
/// // A function that returns `1 + 2`.
/// let module = b"\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7f\x03\x02\x01\0\x0a\x09\x01\x07\0\x41\x01\x41\x02\x6a\x0b";
/// let code = wasm_code(module).unwrap();
/// assert_eq!(code.bodies, [(23..30, vec![0, 0x41, 0, 0x0b])]);
/// assert_eq!(code.instructions, Some(3));
/// assert_eq!(code.constants[0], (24..29, &[0x41, 0][..]));
/// assert_eq!(code.children, [[24..24, 26..29], [24..26, 28..29]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct WasmCode {
    /// The number of functions with a body.
    pub functions: u64,
    /// Bodies of functions, with their locals and without their length, each with a shorter body
    /// that can replace it. The shorter body returns zero, or traps if the result is not a number.
    pub bodies: Vec<(Span, Vec<u8>)>,
    /// The number of instructions, without the ends of blocks; `None` if a body has unknown
    /// instructions.
    pub instructions: Option<u64>,
    /// The statements that can be removed.
    pub statements: Vec<Span>,
    /// The expressions that a constant can replace, each with the constant.
    pub constants: Vec<(Span, &'static [u8])>,
    /// The instructions that set a local and immediately read its value, each with the one
    /// instruction that does both.
    pub locals: Vec<(Span, Vec<u8>)>,
    /// The bytes around an operand that can replace its expression, and the bytes around the
    /// content of a block that no branch leaves.
    pub children: Vec<[Span; 2]>,
}
