//! Changes of the code of WebAssembly modules.

use nubbin_binary::{WasmCode, WasmParts, wasm_code, wasm_parts};

const MODULE: &[u8] = include_bytes!("samples/module.wasm");

/// Every place of the changes, in any order.
fn places(code: &WasmCode) -> Vec<std::ops::Range<u32>> {
    let constants = code.constants.iter().map(|(span, _)| span.clone());
    let children = code.children.iter().flatten().cloned();
    let bodies = code.bodies.iter().map(|(span, _)| span.clone());
    let statements = code.statements.iter().cloned();
    let locals = code.locals.iter().map(|(span, _)| span.clone());
    let all = bodies.chain(statements).chain(locals);
    all.chain(constants).chain(children).collect()
}

fn places_of_parts(parts: &WasmParts) -> Vec<std::ops::Range<u32>> {
    let all = [&parts.data, &parts.exports, &parts.unneeded];
    all.into_iter().flatten().cloned().collect()
}

/// A module of sections, each with its number and its items.
fn sections(sections: &[(u8, &[&[u8]])]) -> Vec<u8> {
    let mut text = b"\0asm\x01\0\0\0".to_vec();
    for (id, items) in sections {
        let content = [&[items.len() as u8], &items.concat()[..]].concat();
        text.extend([*id, content.len() as u8]);
        text.extend(content);
    }
    text
}

#[test]
fn parts_that_code_names_stay() {
    let of = |code: &[u8]| {
        let body = [&[code.len() as u8 + 2, 0], code, &[0x0b]].concat();
        let text = sections(&[
            (1, &[&[0x60, 0, 0]]),
            (3, &[&[0], &[0]]),
            (4, &[&[0x70, 0, 2]]),
            (5, &[&[0, 1]]),
            (7, &[&[1, b'f', 0, 0]]),
            (9, &[&[0, 0x41, 0, 0x0b, 1, 1]]),
            (12, &[]),
            (10, &[&body, &[2, 0, 0x0b]]),
            (11, &[&[1, 3, 1, 2, 3]]),
        ]);
        let parts = wasm_parts(&text).unwrap_or_default();
        let count = |list: &[std::ops::Range<u32>]| list.len();
        [&parts.data, &parts.exports, &parts.unneeded].map(|list| count(list))
    };
    // Data, the export and the segment of the table; the memory is not used.
    assert_eq!(of(&[]), [1, 2, 1]);
    // `data.drop` names the data.
    assert_eq!(of(&[0xfc, 9, 0]), [0, 2, 1]);
    // `elem.drop` names the segment, and the function in it must be declared for `ref.func`.
    assert_eq!(of(&[0xfc, 13, 0]), [1, 1, 1]);
    assert_eq!(of(&[0xd2, 1, 0x1a]), [1, 1, 1]);
    // An access of the memory needs it.
    assert_eq!(of(&[0x3f, 0, 0x1a]), [1, 2, 0]);
    // An instruction that is not known may need anything.
    assert_eq!(of(&[0xfb, 0]), [0, 0, 0]);
}

#[test]
fn changes_are_within_bodies() {
    let code = wasm_code(MODULE).unwrap_or_default();
    assert!(
        !code.bodies.is_empty() && !code.constants.is_empty(),
        "{code:?}"
    );
    for place in places(&code) {
        let mut bodies = code.bodies.iter().map(|(body, _)| body);
        let is_within = bodies.any(|body| body.start <= place.start && place.end <= body.end);
        assert!(is_within, "{place:?}");
    }
}

#[test]
fn damaged_modules_have_changes_within_their_bytes() {
    // Xorshift by G. Marsaglia, "Xorshift RNGs", 2003.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound.max(1) as u64) as usize
    };
    let mut modules = 0;
    for _ in 0..10_000 {
        let mut text = MODULE.to_vec();
        for _ in 0..=random(3) {
            let at = 8 + random(text.len() - 8);
            match random(3) {
                0 => text[at] ^= 1 << random(8),
                1 => drop(text.remove(at)),
                _ => text.insert(at, random(256) as u8),
            }
        }
        for place in wasm_parts(&text).iter().flat_map(places_of_parts) {
            assert!(place.start <= place.end && place.end as usize <= text.len());
        }
        let Some(code) = wasm_code(&text) else {
            continue;
        };
        modules += 1;
        for place in places(&code) {
            assert!(place.start <= place.end && place.end as usize <= text.len());
        }
    }
    assert!(modules > 1_000, "{modules}");
}

/// Returns a module with one function of these parameters, result, and instructions.
fn module(ty: &[u8], code: &[u8]) -> Vec<u8> {
    let section = |id: u8, content: &[u8]| [&[id, content.len() as u8], content].concat();
    let body = [&[0], code, &[0x0b]].concat();
    let parts = [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, &[&[1, 0x60], ty].concat()),
        section(3, &[1, 0]),
        section(10, &[&[1, body.len() as u8], &body[..]].concat()),
    ];
    parts.concat()
}

/// Returns the places of the statements in a function without result.
fn statements(code: &[u8]) -> Vec<std::ops::Range<u32>> {
    let text = module(&[0, 0], code);
    let start = (text.len() - code.len() - 1) as u32;
    let found = wasm_code(&text).unwrap_or_default().statements;
    let moved = found
        .iter()
        .map(|span| span.start - start..span.end - start);
    moved.collect()
}

#[test]
fn a_block_is_a_statement_with_its_condition() {
    // if (1) { drop 2 }
    let code = [0x41, 1, 0x04, 0x40, 0x41, 2, 0x1a, 0x0b];
    assert_eq!(statements(&code), [4..7, 0..8]);
}

#[test]
fn code_that_is_never_reached_has_no_changes() {
    // return; drop 2
    assert_eq!(statements(&[0x0f, 0x41, 2, 0x1a]), []);
    // block { return; drop 2 } drop 3
    let code = [0x02, 0x40, 0x0f, 0x41, 2, 0x1a, 0x0b, 0x41, 3, 0x1a];
    assert_eq!(statements(&code), [0..7, 7..10]);
}

#[test]
fn a_function_with_an_unknown_instruction_has_only_its_body() {
    let text = module(&[0, 0], &[0x41, 1, 0x1a, 0xfd, 0x0c]);
    let found = wasm_code(&text).unwrap_or_default();
    assert_eq!((found.bodies.len(), found.statements.len()), (1, 0));
}

#[test]
fn a_body_is_replaced_by_one_that_returns_a_value_of_its_type() {
    let least = |types: &[u8]| {
        let text = module(types, &[0x00; 8]);
        let code = wasm_code(&text).unwrap_or_default();
        code.bodies.into_iter().next().map(|(_, least)| least)
    };
    assert_eq!(least(&[0, 0]), Some(vec![0, 0x0b]));
    assert_eq!(least(&[0, 1, 0x7e]), Some(vec![0, 0x42, 0, 0x0b]));
    let both = vec![0, 0x41, 0, 0x42, 0, 0x0b];
    assert_eq!(least(&[0, 2, 0x7f, 0x7e]), Some(both));
    // A reference to a function.
    assert_eq!(least(&[0, 1, 0x70]), Some(vec![0, 0, 0x0b]));
}
