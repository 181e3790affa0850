//! Modules of intermediate languages: readers of damaged modules do not panic, and a change of a
//! module is completed to sorted, disjoint cuts, which a second reader takes as well.
//!
//! The first four bytes of an input choose what is removed. The rest is the module.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_ir::{Change, Substitute, read};

fuzz_target!(|data: &[u8]| {
    let Some((chosen, text)) = data.split_at_checked(4) else { return };
    let Some(module) = read(text) else { return };
    let is_chosen = |part: usize, at: u32| (at + u32::from(chosen[part])).is_multiple_of(3);
    let all = |len: usize| 0..u32::try_from(len).unwrap_or(u32::MAX);
    let mut change = Change::new(&module);
    match chosen[0] % 6 {
        0 => change.instructions.extend(all(module.instructions.len()).filter(|&at| is_chosen(1, at))),
        1 => change.blocks.extend(all(module.blocks.len()).filter(|&at| is_chosen(1, at))),
        2 => change.items.extend(all(module.items.len()).filter(|&at| is_chosen(1, at))),
        3 => change.bodies.extend(all(module.items.len()).filter(|&at| is_chosen(1, at))),
        4 => change.merged.extend(all(module.functions.len()).filter(|&at| is_chosen(1, at))),
        _ => {
            for value in all(module.values.len()).filter(|&at| is_chosen(1, at)) {
                change.values.insert(value, Substitute::Parameter);
            }
        }
    }
    if chosen[2] % 2 == 0 {
        for block in all(module.blocks.len()).filter(|&at| is_chosen(3, at)) {
            change.edges.insert(block, u32::from(chosen[3] % 2));
        }
    }
    let cuts = module.complete(&change);
    assert!(cuts.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
    let _ = read(&module.render(&change));
});
