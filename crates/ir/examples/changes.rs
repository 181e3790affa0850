//! Writes a module after some random changes, each into a file of its own: `cargo run -p nubbin-ir
//! --example changes FILE COUNT FOLDER`. `scripts/ir-changes` has a verifier look at them.

use nubbin_ir::{Change, Definition, ItemKind, Module, Op, Substitute, Undefined};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, count, folder] = &arguments[..] else {
        return Err("usage: changes FILE COUNT FOLDER".into());
    };
    let text = std::fs::read(file)?;
    let module = nubbin_ir::read(&text).ok_or("the file is not a module")?;
    let extension = Path::new(file).extension().unwrap_or_default();
    let extension = extension.to_string_lossy();
    let mut random = Random(7);
    for nth in 0..count.parse()? {
        let (name, change) = change(&module, &mut random, nth);
        std::fs::write(
            Path::new(folder).join(format!("{nth}-{name}.{extension}")),
            module.render(&change),
        )?;
    }
    Ok(())
}

/// A generator of numbers: xorshift by G. Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns some of the numbers below `len`, a random share of them.
    fn some(&mut self, len: usize) -> Vec<u32> {
        let share = 1 + self.next() % 100;
        (0..len as u32)
            .filter(|_| self.next() % 100 < share)
            .collect()
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of change")]
fn change(module: &Module, random: &mut Random, nth: u32) -> (&'static str, Change) {
    let mut change = Change::new(module);
    let name = match nth % 13 {
        0 => {
            let some = random.some(module.instructions.len());
            change.instructions.extend(some);
            "instructions"
        }
        1 => {
            some_blocks(module, random, &mut change);
            "blocks"
        }
        2 => {
            some_edges(module, random, &mut change);
            "edges"
        }
        3 => {
            for at in random.some(module.items.len()) {
                let item = &module.items[at as usize];
                let is_fit = matches!(item.kind, ItemKind::Function(_) | ItemKind::Global);
                if is_fit && !item.is_frozen {
                    change.bodies.insert(at);
                }
            }
            "bodies"
        }
        4 => {
            for function in random.some(module.functions.len()) {
                change.merged.insert(function);
            }
            some_edges(module, random, &mut change);
            "merged"
        }
        5 => {
            some_parameters(module, random, &mut change);
            "parameters"
        }
        6 => {
            for at in random.some(module.functions.len()) {
                let item = &module.items[module.functions[at as usize].item as usize];
                let ty = item.ty.clone().map(|ty| module.bytes(&ty));
                if ty.is_some_and(|ty| ty != b"void") {
                    change.results.insert(at);
                }
            }
            "results"
        }
        7 => {
            for value in random.some(module.values.len()) {
                if let Definition::Instruction(at) = module.values[value as usize].definition
                    && module.instructions[at as usize].op == Op::Pure
                {
                    change.values.insert(value, Substitute::Constant("poison"));
                }
            }
            "values"
        }
        8 => {
            for value in random.some(module.values.len()) {
                if let Definition::Instruction(at) = module.values[value as usize].definition
                    && !matches!(module.instructions[at as usize].op, Op::Invoke | Op::Pad)
                {
                    change.values.insert(value, Substitute::Parameter);
                }
            }
            some_parameters(module, random, &mut change);
            "added"
        }
        9 => {
            some_variables(module, random, &mut change);
            "variables"
        }
        10 => {
            some_returns(module, random, &mut change);
            "returns"
        }
        11 => {
            some_shapes(module, random, &mut change);
            "shapes"
        }
        _ => {
            some_shapes(module, random, &mut change);
            some_returns(module, random, &mut change);
            some_blocks(module, random, &mut change);
            some_edges(module, random, &mut change);
            some_variables(module, random, &mut change);
            for at in random.some(module.instructions.len()) {
                change.instructions.insert(at);
            }
            for function in random.some(module.functions.len()) {
                change.merged.insert(function);
            }
            change.undefined = Undefined::Poison;
            "all"
        }
    };
    (name, change)
}

fn some_parameters(module: &Module, random: &mut Random, change: &mut Change) {
    for function in &module.functions {
        for value in function.parameters.clone() {
            if random.next().is_multiple_of(2) {
                change.parameters.insert(value);
            }
        }
    }
}

fn some_variables(module: &Module, random: &mut Random, change: &mut Change) {
    let functions = 0..module.functions.len() as u32;
    let all: Vec<u32> = functions
        .flat_map(|function| module.variables(function))
        .collect();
    let some = random.some(all.len());
    change
        .variables
        .extend(some.into_iter().map(|at| all[at as usize]));
}

fn some_returns(module: &Module, random: &mut Random, change: &mut Change) {
    for function in random.some(module.functions.len()) {
        let all = module.returns(function);
        let some = random.some(all.len());
        if let Some(&(at, value)) = some.first().and_then(|&nth| all.get(nth as usize)) {
            change.instructions.insert(at);
            change.returned.insert(function, value);
        }
    }
}

fn some_shapes(module: &Module, random: &mut Random, change: &mut Change) {
    for function in random.some(module.functions.len()) {
        let straight = module.straight_branches(function);
        let some = random.some(straight.len());
        change
            .straight
            .extend(some.into_iter().map(|nth| straight[nth as usize]));
        let turned = module.turned_branches(function);
        let some = random.some(turned.len());
        change
            .turned
            .extend(some.into_iter().map(|nth| turned[nth as usize]));
        if random.next().is_multiple_of(2) {
            change.merged.insert(function);
        }
    }
}

fn some_blocks(module: &Module, random: &mut Random, change: &mut Change) {
    for block in random.some(module.blocks.len()) {
        change.blocks.insert(block);
    }
}

fn some_edges(module: &Module, random: &mut Random, change: &mut Change) {
    for at in random.some(module.instructions.len()) {
        let op = module.instructions[at as usize].op;
        if matches!(op, Op::Branch | Op::Switch) {
            change.edges.insert(at, (random.next() % 2) as u32);
        } else if op == Op::Invoke {
            change.edges.insert(at, 0);
        }
    }
}
