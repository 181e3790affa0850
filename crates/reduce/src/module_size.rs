use nubbin_edit::{Fingerprint, fingerprint};
use nubbin_engine::order::{Count, Order};
use std::collections::VecDeque;
use std::ops::Add;
use std::sync::{Mutex, PoisonError};

/// The size of a module in LLVM IR, SPIR-V, MLIR, or WebAssembly.
///
/// ```
/// use nubbin_reduce::ModuleSize;
///
/// let module = b"define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n";
/// let size = ModuleSize::of(module).unwrap();
/// assert_eq!((size.functions, size.instructions), (1, 2));
/// assert_eq!(ModuleSize::of(b"int f(void);\n"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleSize {
    /// The number of functions with a body.
    pub functions: u64,
    /// The number of instructions, without statements for debuggers.
    pub instructions: u64,
}

impl ModuleSize {
    /// Returns the size of a module. Returns `None` if the text is not a module, or is a
    /// WebAssembly module with unknown instructions.
    ///
    /// Cost: linear in the text.
    pub fn of(text: &[u8]) -> Option<Self> {
        let (functions, instructions) = nubbin_modules::size(text).or_else(|| of_wasm(text))?;
        Some(ModuleSize {
            functions,
            instructions,
        })
    }
}

impl Add for ModuleSize {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        ModuleSize {
            functions: self.functions + other.functions,
            instructions: self.instructions + other.instructions,
        }
    }
}

/// Returns the order of inputs by their number of instructions, then by their bytes.
///
/// A file in which no function can be read counts as having more instructions than any module, so a
/// module is never reduced to such a text. Prefer this order if people read the result, or if its
/// number of instructions is compared with a result of `llvm-reduce`. Names and types may be longer
/// in the result.
///
/// Cost: each module is read once for the comparisons that follow each other.
///
/// ```
/// use nubbin_reduce::input::Input;
///
/// let order = nubbin_reduce::by_instructions();
/// let module = |body: &str| {
///     let text = format!("define i8 @f(i8 %x) {{\n{body}}}\n");
///     Input::single("x.ll", text).unwrap()
/// };
/// let short = module("  %y = add i8 %x, 1\n  ret i8 %y\n");
/// let long = module("  ret i8 sub (i8 ptrtoint (ptr @f to i8), i8 1)\n");
/// assert!(order.is_below(&long, &short));
/// assert!(!order.is_below(&Input::single("x.ll", "").unwrap(), &short));
/// ```
pub fn by_instructions() -> Order {
    Order::by_count(Count {
        name: "instructions",
        of: remembered,
    })
}

/// Returns the number of instructions of a text. The best so far is in every comparison, so the
/// last numbers are remembered.
fn remembered(text: &[u8]) -> u64 {
    const REMEMBERED: usize = 8;
    static LAST: Mutex<VecDeque<(Fingerprint, u64)>> = Mutex::new(VecDeque::new());
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let key = fingerprint(text);
    if let Some((_, number)) = last().iter().find(|(of, _)| *of == key) {
        return *number;
    }
    let size = ModuleSize::of(text);
    let number = size.map_or(u64::from(u32::MAX), |size| size.instructions);
    let mut last = last();
    if last.len() == REMEMBERED {
        last.pop_front();
    }
    last.push_back((key, number));
    number
}

#[cfg(feature = "binary")]
fn of_wasm(text: &[u8]) -> Option<(u64, u64)> {
    let code = nubbin_binary::wasm_code(text)?;
    Some((code.functions, code.instructions?))
}

/// Without knowledge of formats, no file is a module in WebAssembly.
#[cfg(not(feature = "binary"))]
fn of_wasm(_: &[u8]) -> Option<(u64, u64)> {
    None
}
