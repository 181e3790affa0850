//! Laws that hold for every pass of the catalogue.
//!
//! Each pass runs on odd texts, and on texts that are composed of fragments. A new pass that is not
//! opened on any of these texts needs another fragment.

use super::{Pass, catalogue};
use nubbin_edit::Input;
use nubbin_engine::testing::{odd_texts, open_with};
use nubbin_minimize::random::SplitMix64;
use std::collections::BTreeMap;

/// The number of proposals that a pass is asked for on each text.
const STEPS: usize = 120;

/// The number of texts that are composed of fragments.
const TEXTS: u64 = 150;

/// Fragments of texts, for each view that some pass has.
const FRAGMENTS: &[&str] = &[
    // For passes over lines, blank lines, and indentation.
    "a line of words\n",
    "a line of words\n",
    "\n\n\n",
    "if x:\n    y = 1\n    if z:\n        return y\n",
    "  - item: 1\n    other: two\n",
    // For passes over comments.
    "// a comment\n",
    "# another\n",
    "/* of\nthree\nlines */",
    "-- of SQL\n",
    "; of Lisp\n",
    // For passes over brackets and statements.
    "int f(int a, int b) { if (a) { return a; } else { b = a + 1; } return b; }\n",
    "foo(bar(1, 2), [3, 4], {\"k\": 5});",
    "((((x))))",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    "struct s { int a; struct { int b; } c; };\n",
    "int table[] = { 1, 2, 3, 4 };\n",
    "int a;\nint b;\nint c = a;\n",
    "while (true) { break; }\n",
    // For passes over numbers, strings, operators, and names.
    "x = 1234567 + 0x7fffffff - 1.5e10 * 00012;\n",
    "s = \"a string with words\" + 'c' + \"int main() { return 0; }\";\n",
    "a = b && c || !d == e << 2;\n",
    "long_name = another_long_name + long_name;\n",
    // For passes over files, tables, and markup.
    "#include \"other.h\"\n#include <stdio.h>\n",
    "a,b,c\n1,2,3\n4,5,6\n",
    "a\tb\tc\n1\t2\t3\n",
    "<ul class=\"x\"><li>one</li><li>two <b>bold</b></li></ul>\n",
    "[{\"a\": 1, \"b\": [true, null]}, {\"a\": 2}]",
    // For passes over terms.
    "(declare-const p Bool)\n(declare-const n Int)\n(assert (and p (> n (+ n 1))))\n(check-sat)\n",
    "(declare-fun long_function (Int) Int)\n(assert (= (long_function 0) 12))\n",
    "(define-fun twice ((n Int)) Int (+ n n))\n(push 1)\n(assert (= (twice 2) 4))\n(pop 1)\n",
    "(assert (=> true (or false (= 1 2))))\n",
    // For passes over arguments.
    "-O2\n-Wall\n--passes=sroa,gvn\n-DX=100\n",
    // For passes over dumps and encoded text.
    "00000000: 4142 4344 4546 4748 494a 4b4c 4d4e 4f50  ABCDEFGHIJKLMNOP\n",
    "data:text/plain;base64,SGVsbG8sIHdvcmxkISBIZWxsbywgd29ybGQh\n",
    // For passes over modules of values.
    "define i32 @f(i32 %0) {\n  %2 = alloca i32, align 4\n  store i32 %0, ptr %2, align 4\n  \
     %3 = load i32, ptr %2, align 4\n  ret i32 %3\n}\n",
    "@v = global i32 7, align 4\n\ndefine internal i32 @f(i32 noundef %0, i1 %1) #0 {\n  %3 = add nsw \
     i32 %0, 1\n  store i32 %3, ptr @v, !tbaa !0\n  br i1 %1, label %4, label %6\n\n4:\n  %5 = mul i32 \
     %3, %0\n  br label %6\n\n6:\n  %7 = phi i32 [ %3, %2 ], [ %5, %4 ]\n  ret i32 %7\n}\n\ndefine weak_odr void \
     @g() {\n  %1 = call i32 @f(i32 noundef 1, i1 true)\n  br label %2\n\n2:\n  ret void\n}\n\ndefine i32 \
     @h(i32 %0) {\n  br label %2\n\n2:\n  %3 = phi i32 [ 0, %1 ], [ %6, %5 ]\n  %4 = icmp slt i32 \
     %3, %0\n  br i1 %4, label %5, label %7\n\n5:\n  %6 = add i32 %3, 1\n  br label %2\n\n7:\n  ret \
     i32 %3\n}\n\nattributes #0 = { nounwind }\n!0 = !{}\n",
    // For passes over formulas, circuits, and images.
    "p cnf 3 3\n1 -2 0\n2 3 0\n-3 0\n",
    "p cnf 16 8\n1 -2 0\n3 4 0\n5 6 0\n7 8 0\n9 -10 0\n11 12 0\n13 14 0\n15 16 0\n",
    "aag 4 2 0 2 2\n2\n4\n8\n6\n6 2 4\n8 3 6\n",
    "1 sort bitvec 8\n2 input 1\n5 add 1 2 2\n6 output 5\n",
    "P2 2 2 9\n1 2 3 4\n",
    "3\na\nb\nc\n",
    // For passes over bytes.
    "\u{1}\u{2}\u{3}\0\0\0\u{8}\0\0\0",
    "\u{feff}ünïcödé → text\n",
];

/// Binary files with a known format, and with records, lengths, and repeats that passes guess.
fn binaries() -> Vec<Vec<u8>> {
    let chunk = |name: &[u8; 4], data: &[u8]| {
        let named = [&name[..], data].concat();
        let sum = crc32(&named).to_be_bytes();
        let len = u32::try_from(data.len()).unwrap().to_be_bytes();
        [&len[..], &named, &sum].concat()
    };
    let header = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0];
    let image = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"tEXt", b"Comment\0some words"),
        chunk(b"tIME", &[7, 0xe0, 1, 2, 3, 4, 5]),
        chunk(b"IEND", b""),
    ];
    let mut records = vec![];
    for number in 0..40u8 {
        let data = vec![number; 3 + usize::from(number % 5)];
        records.extend([0xaa, 0xbb, 0, u8::try_from(data.len()).unwrap()]);
        records.extend(data);
    }
    let lengths = [&[0, 0, 0, 24][..], &[7; 20], &[0, 0, 0, 8], &[1, 2, 3, 4]].concat();
    // MessagePack: a list of numbers within lists that have other members.
    let mut nested = b"\x99\x01\x02\x03\x04\x05\x06\x07\x08\x09".to_vec();
    for _ in 0..6 {
        nested = [&b"\x93\x01"[..], &nested, b"\xa3abc"].concat();
    }
    // WebAssembly: an exported function that drops a number, after it was in a local, and a custom
    // section.
    let wasm = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x05\x01\x01f\0\0\x0a\x0d\x01\x0b\x01\x01\x7f\x41\0\x21\0\x20\0\x1a\x0b\0\x04\x01xyz";
    vec![
        wasm.to_vec(),
        image.concat(),
        nested,
        records,
        lengths,
        vec![0; 300],
        vec![0xff; 40],
    ]
}

/// Returns the checksum of a chunk, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}

/// Returns texts of some fragments each. The first texts have one fragment.
fn texts_of_fragments() -> Vec<Vec<u8>> {
    let random = &mut SplitMix64::new(7);
    let single = FRAGMENTS.iter().map(|text| text.as_bytes().to_vec());
    let mut texts: Vec<Vec<u8>> = single.collect();
    for _ in 0..TEXTS {
        let mut text = vec![];
        for _ in 0..=random.below(12) {
            let at = usize::try_from(random.below(FRAGMENTS.len() as u64)).unwrap();
            text.extend(FRAGMENTS[at].as_bytes());
        }
        texts.push(text);
    }
    texts
}

/// Inputs of several files: includes, empty files, and long names.
fn folders() -> Vec<Input> {
    let folder = |files: &[(&str, &str)]| {
        let files = files
            .iter()
            .map(|(name, text)| (*name, text.as_bytes().to_vec()));
        Input::files(files)
            .unwrap()
            .with_names(|_| Some("p".into()), vec![])
            .unwrap()
    };
    vec![
        folder(&[
            (
                "p/main.c",
                "#include \"deep/other.h\"\nint main() { return f(); }\n",
            ),
            ("p/deep/other.h", "int f() { return 1; }\n"),
            ("p/deep/unused.txt", "some words\n"),
        ]),
        folder(&[("p/a_long_name.txt", ""), ("p/b", "x\n"), ("p/c", "y\n")]),
    ]
}

/// Asks a pass for proposals on a file. Adopts none, but records every seventh as a success.
/// Returns the number of proposals, or `None` if there is nothing for the pass.
fn drive(pass: &dyn Pass, input: &Input, number: usize) -> Option<usize> {
    let mut machine = open_with(pass, input, number, &facts())?;
    for step in 0..STEPS {
        let Some(edit) = machine.fork().next() else {
            return Some(step);
        };
        let id = pass.id();
        assert_eq!(
            machine.next().as_ref(),
            Some(&edit),
            "{id}: a fork is the same"
        );
        let len = u32::try_from(input.bytes().len()).unwrap();
        let mut splices = edit.splices().iter();
        assert!(
            splices.all(|splice| splice.span.end <= len),
            "{id}: {edit:?}"
        );
        machine.record(step % 7 == 6);
    }
    Some(STEPS)
}

#[test]
fn every_pass_takes_any_text_and_proposes_something_for_some() {
    let odd = odd_texts().into_iter().chain(binaries());
    let texts = odd.chain(texts_of_fragments());
    let inputs: Vec<Input> = texts
        .map(|text| Input::single("test", text).unwrap())
        .chain(folders())
        .collect();
    let mut proposals: BTreeMap<&str, usize> = BTreeMap::new();
    for pass in catalogue() {
        let count = proposals.entry(pass.id()).or_default();
        for input in &inputs {
            for number in 0..input.file_count() {
                *count += drive(&**pass, input, number).unwrap_or_default();
            }
        }
    }
    let idle: Vec<_> = proposals.iter().filter(|(_, count)| **count == 0).collect();
    assert!(idle.is_empty(), "no text has anything for {idle:?}");
}

fn facts() -> super::Facts {
    let facts = super::Facts::default();
    #[cfg(feature = "trees")]
    let facts = facts.with(super::SortTables(nubbin_languages::hints::SORTS));
    facts
}
