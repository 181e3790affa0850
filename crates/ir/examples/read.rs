//! Shows how much of some modules is read, and how long that takes: `cargo run --release -p
//! nubbin-ir --example read FILE...`.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    for file in std::env::args().skip(1) {
        let text = std::fs::read(&file)?;
        let start = Instant::now();
        let module = nubbin_ir::read(&text);
        let time = start.elapsed();
        let Some(module) = module else {
            writeln!(out, "{file}: no module")?;
            continue;
        };
        let rigid = module
            .functions
            .iter()
            .filter(|function| function.is_rigid)
            .count();
        writeln!(
            out,
            "{file}: {} bytes in {time:.1?}, {} items, {} functions ({rigid} rigid), {} blocks, {} \
             instructions, {} values, {} uses, {} words",
            text.len(),
            module.items.len(),
            module.functions.len(),
            module.blocks.len(),
            module.instructions.len(),
            module.values.len(),
            module.uses.len(),
            module.words.len(),
        )?;
    }
    Ok(())
}
