//! Damaged modules: no panic, work that is linear in the text, and changes that are of the text.

use nubbin_ir::{Change, Module, Op, Substitute};

const SAMPLES: [&[u8]; 6] = [
    include_bytes!("samples/values-14.ll"),
    include_bytes!("samples/values-19.ll"),
    include_bytes!("samples/values-19-o2.ll"),
    include_bytes!("samples/values-named.ll"),
    include_bytes!("samples/unwind-14.ll"),
    include_bytes!("samples/unwind-19.ll"),
];

/// A shader as words and as assembly.
const SPIRV: [&[u8]; 2] = [
    include_bytes!("samples/skin.spv"),
    include_bytes!("samples/skin.spvasm"),
];

/// Loops, branches, and the generic form with places.
const MLIR: [&[u8]; 3] = [
    include_bytes!("samples/loops.mlir"),
    include_bytes!("samples/branches.mlir"),
    include_bytes!("samples/generic.mlir"),
];

/// A generator of numbers: xorshift by G. Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Removes, repeats, moves, and changes some bytes.
fn damage(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(4) {
        let start = random.below(text.len());
        let end = (start + random.below(80)).min(text.len());
        match random.below(5) {
            0 => drop(text.drain(start..end)),
            1 => text.truncate(start),
            2 => {
                let part = text[start..end].to_vec();
                let at = random.below(text.len());
                text.splice(at..at, part);
            }
            3 => {
                let marks = b"{}()[]<>%@!#\"=,:;\n\\\xff";
                let at = random.below(text.len());
                text.insert(at, marks[random.below(marks.len())]);
            }
            _ => {
                if let Some(byte) = text.get_mut(start) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    text
}

fn some(random: &mut Random, len: usize) -> Vec<u32> {
    (0..8.min(len)).map(|_| random.below(len) as u32).collect()
}

fn change(module: &Module, random: &mut Random) -> Change {
    let mut change = Change::new(module);
    change
        .instructions
        .extend(some(random, module.instructions.len()));
    change
        .variables
        .extend(some(random, module.instructions.len()));
    change.blocks.extend(some(random, module.blocks.len()));
    change.merged.extend(some(random, module.functions.len()));
    change.results.extend(some(random, module.functions.len()));
    change.words.extend(some(random, module.words.len()));
    for at in some(random, module.instructions.len()) {
        if module.instructions[at as usize].op != Op::Invoke {
            change.edges.insert(at, random.below(3) as u32);
        }
    }
    for at in some(random, module.values.len()) {
        let to = random.below(module.values.len()) as u32;
        change.values.insert(at, Substitute::Value(to));
        change.parameters.insert(to);
    }
    for at in some(random, module.uses.len()) {
        change.operands.insert(at, Substitute::Constant("undef"));
    }
    for at in some(random, module.values.len()) {
        change.values.insert(at, Substitute::Parameter);
    }
    for at in some(random, module.functions.len()) {
        let value = random.below(module.values.len().max(1));
        change.returned.insert(at, value as u32);
    }
    for at in some(random, module.items.len()) {
        match random.below(8) {
            0 => change.items.extend([at]),
            _ => change.bodies.extend([at]),
        }
    }
    change
}

/// Reads and changes 10,000 damaged modules. Returns how many of them are still modules.
fn damaged(samples: &[&[u8]]) -> usize {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut modules = 0;
    for nth in 0..10_000 {
        let text = damage(samples[nth % samples.len()], &mut random);
        let Some(module) = nubbin_ir::read(&text) else {
            continue;
        };
        modules += 1;
        let end = module.items.iter().fold(0, |end, item| {
            assert_eq!(item.span.start, end, "the items tile the text");
            item.span.end
        });
        assert_eq!(end as usize, text.len());
        let change = change(&module, &mut random);
        let mut end = 0;
        for cut in module.complete(&change) {
            assert!(
                cut.span.start >= end && cut.span.end >= cut.span.start,
                "cuts are disjoint"
            );
            end = cut.span.end;
        }
        assert!(end as usize <= text.len());
        module.render(&change);
    }
    modules
}

#[test]
fn damaged_modules_are_read_and_changed() {
    let modules = damaged(&SAMPLES);
    assert!(modules > 8_000, "{modules}");
}

#[test]
fn damaged_shaders_are_read_and_changed() {
    let big = swapped(SPIRV[0]);
    let modules = damaged(&[SPIRV[0], SPIRV[1], &big]);
    // A binary module ends where an instruction is damaged.
    assert!(modules > 4_500, "{modules}");
}

#[test]
fn damaged_modules_in_mlir_are_read_and_changed() {
    let modules = damaged(&MLIR);
    assert!(modules > 8_000, "{modules}");
}

#[test]
fn brackets_that_never_end_take_linear_time() {
    for part in [
        "\"a.b\"() ({\n",
        "%a = a.b ((((\n",
        "module {\n",
        "a.b [<{(\n]]\n",
    ] {
        let text = format!("module {{\n{}", part.repeat(100_000));
        let module = nubbin_ir::read(text.as_bytes());
        let end = module.map(|module| module.items.last().map_or(0, |item| item.span.end));
        assert!(end.is_none_or(|end| end as usize == text.len()));
    }
}

/// Returns a binary module with the bytes of its words in the other order.
fn swapped(module: &[u8]) -> Vec<u8> {
    let words = module.chunks_exact(4);
    words.flat_map(|word| word.iter().rev().copied()).collect()
}

#[test]
fn both_orders_of_bytes_have_the_same_changes() {
    let (little, big) = (SPIRV[0].to_vec(), swapped(SPIRV[0]));
    let of = |text: &[u8]| {
        let module = nubbin_ir::read(text).unwrap();
        let mut change = Change::new(&module);
        for at in (0..module.instructions.len()).step_by(5) {
            let op = module.instructions[at].op;
            if op == Op::Branch {
                change.edges.insert(at as u32, 1);
            } else if !op.is_terminator() {
                change.instructions.insert(at as u32);
            }
        }
        module.render(&change)
    };
    let (after, swapped_after) = (of(&little), of(&big));
    assert!(after.len() < little.len());
    // Strings have the same order of bytes in both, and are not compared.
    assert_eq!(after.len(), swapped_after.len());
}

#[test]
fn a_change_of_nothing_changes_nothing() {
    // The others have blocks that nothing reaches.
    for text in SAMPLES[..4].iter().chain(&SPIRV).chain(&MLIR) {
        let module = nubbin_ir::read(text).unwrap();
        assert_eq!(module.complete(&Change::new(&module)), []);
        // Everything about a function is computed, and comes out the same.
        let mut change = Change::new(&module);
        for at in 0..module.instructions.len() {
            if module.instructions[at].op == Op::Return {
                change.instructions.insert(at as u32);
            }
        }
        assert_eq!(module.complete(&change), []);
    }
}

#[test]
fn computed_constants_within_computed_constants_end() {
    // Each word could be the number of another one.
    let words = 65_000u32;
    let head = [0x0723_0203, 0x0001_0000, 0, 9, 0, words << 16 | 52, 1, 2];
    let nested = std::iter::repeat_n(52, words as usize - 3);
    let module: Vec<u8> = (head.into_iter().chain(nested))
        .flat_map(u32::to_le_bytes)
        .collect();
    let _ = nubbin_ir::read(&module);
}
