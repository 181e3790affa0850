//! Files of programs and libraries: readers of unwind tables, symbols, and debug information end,
//! and do not panic.
//!
//! An input is the file. Names are asked for at the addresses of its first symbols.
#![no_main]
#![expect(dead_code, reason = "a part of the crate is compiled")]

#[path = "../../crates/stack/src/linux/image.rs"]
mod image;
#[path = "../../crates/stack/src/linux/names.rs"]
mod names;
#[path = "../../crates/stack/src/linux/section.rs"]
mod section;
#[path = "../../crates/stack/src/linux/symbols.rs"]
mod symbols;

use gimli::UnwindContext;
use libfuzzer_sys::fuzz_target;
use object::{Object as _, ObjectSymbol as _};
use std::io::Write as _;

/// The number of symbols at whose addresses names are asked for.
const MAX_SYMBOLS: usize = 64;

fuzz_target!(|data: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a file can be made");
    file.write_all(data).expect("it can be written");
    let Some(image) = image::Image::of_file(file.path()) else { return };
    let addresses = match object::File::parse(data) {
        Ok(file) => {
            let symbols = file.symbols().chain(file.dynamic_symbols()).take(MAX_SYMBOLS);
            symbols.map(|symbol| symbol.address()).chain([0, u64::MAX]).collect()
        }
        Err(_) => vec![],
    };
    let section = image.eh_frame();
    for &address in &addresses {
        image.bias(address, address / 2);
        if let Some(entry) = image.entry(address) {
            let mut context = UnwindContext::new();
            let _ = entry.unwind_info_for_address(&section, image.bases(), &mut context, address);
        }
    }
    image.symbols().names(&addresses);
});
