//! Files in archives and compressed files: their names, their texts, and changes of these.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_binary::{Cut, Layout, Sum, View, read};

fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

fn layout(name: &str) -> Layout {
    read(&sample(name)).unwrap().with_whole_texts()
}

/// The name of each packed file, and its content if that is text.
fn files(view: &View) -> Vec<(Option<&str>, Option<&str>)> {
    let files = view.files.iter().map(|file| {
        let content = &view.text[file.span.start as usize..file.span.end as usize];
        let content = std::str::from_utf8(content).ok().filter(|_| file.is_text);
        (file.name.as_deref(), content)
    });
    files.collect()
}

#[test]
fn archives_have_the_names_and_texts_of_their_files() {
    let lines = "a line\nanother line\n";
    for name in ["x.cpio", "odc.cpio", "bin.cpio"] {
        let expected = [(Some("x"), Some(lines)), (Some("t"), Some(lines))];
        assert_eq!(files(&layout(name).view()), expected, "{name}");
    }
    let some = "some text\n".repeat(3);
    let expected = ["a", "b"].map(|name| (Some(name), Some(&*some)));
    assert_eq!(files(&layout("x.tar").view()), expected);
    let texts = ["a.txt", "b/c.txt", "d.txt"].map(|name| format!("the text of {name}\n").repeat(4));
    let names = ["a.txt", "b/c.txt", "d.txt"].into_iter().zip(&texts);
    let expected: Vec<_> = names
        .map(|(name, text)| (Some(name), Some(&**text)))
        .collect();
    assert_eq!(files(&layout("x.zip").view()), expected);
    // The table of long names is not a file of the archive.
    let lines = "a line\nanother\n";
    let expected = [
        (Some("a_long_name_of_an_object.o"), None),
        (Some("t"), Some(lines)),
    ];
    assert_eq!(files(&layout("x.a").view()), expected);
}

#[test]
fn compressed_files_are_texts_with_the_name_that_they_state() {
    let lines = "a line\nanother line\n".repeat(3);
    assert_eq!(files(&layout("x.gz").view()), [(None, Some(&*lines))]);
    let more = "more\n".repeat(3);
    for name in ["x.xz", "x.zst", "x.lz4", "x.bz2"] {
        let expected = [(None, Some(&*lines)), (None, Some(&*more))];
        assert_eq!(files(&layout(name).view()), expected, "{name}");
    }
    let mut named = sample("x.gz");
    named[3] |= 8;
    named.splice(10..10, *b"a.c\0");
    let view = read(&named).unwrap().with_whole_texts().view();
    assert_eq!(files(&view), [(Some("a.c"), Some(&*lines))]);
    assert_eq!(files(&layout("x.zlib").view()), [(None, None)]);
}

#[test]
fn parts_of_other_formats_are_no_files() {
    for name in ["x.png", "x.pdf", "packed.pdf", "x.o", "x.woff", "x.db"] {
        assert!(layout(name).view().files.is_empty(), "{name}");
        assert_eq!(layout(name), read(&sample(name)).unwrap(), "{name}");
    }
}

/// Returns a file after a text is inserted in its view, and what is in it then.
fn inserted(name: &str, at: impl Fn(&View) -> u32) -> Vec<String> {
    let layout = layout(name);
    let at = at(&layout.view());
    let cut = Cut {
        span: at..at,
        text: b"NEW".to_vec(),
    };
    let file = Cut::render(&layout.rewrite(&[cut]), &layout.text);
    let view = read(&file).unwrap().with_whole_texts().view();
    let contents = files(&view)
        .into_iter()
        .map(|(_, content)| content.unwrap_or_default().into());
    contents.collect()
}

#[test]
fn an_insertion_at_either_end_of_a_text_belongs_to_it() {
    for name in [
        "x.zip", "x.tar", "x.cpio", "x.gz", "x.xz", "x.zst", "x.lz4", "x.bz2",
    ] {
        let before = layout(name).view();
        let before: Vec<String> = files(&before)
            .into_iter()
            .map(|(_, text)| text.unwrap().into())
            .collect();
        let mut expected = before.clone();
        expected[0] = format!("NEW{}", before[0]);
        assert_eq!(
            inserted(name, |view| view.files[0].span.start),
            expected,
            "{name}"
        );
        expected[0] = format!("{}NEW", before[0]);
        assert_eq!(
            inserted(name, |view| view.files[0].span.end),
            expected,
            "{name}"
        );
    }
}

#[test]
fn the_unpacked_length_follows_the_text_where_that_of_the_file_does_not() {
    for name in ["x.tar", "x.zip", "x.gz", "x.xz", "x.bz2", "x.cpio", "x.a"] {
        let layout = layout(name);
        let view = layout.view();
        let text = view
            .files
            .iter()
            .find(|file| file.is_text)
            .unwrap()
            .span
            .clone();
        let file = Cut::render(
            &layout.rewrite(&[Cut::remove(text.start..text.start + 1)]),
            &layout.text,
        );
        let less = read(&file).unwrap().unpacked_len();
        assert_eq!(less + 1, layout.unpacked_len(), "{name}");
    }
    assert_eq!(layout("x.png").unpacked_len(), sample("x.png").len() as u64);
}

/// Returns an archive of one stored file, as a program writes it to a pipe: its sum and lengths are
/// behind the data, the latter in so many bytes.
fn piped(text: &[u8], width: usize) -> Vec<u8> {
    let word = |value: usize| (value as u32).to_le_bytes();
    let long = |value: usize| (value as u64).to_le_bytes()[..width].to_vec();
    let sum = word(Sum::Crc32.of(text) as usize);
    let head = b"\x14\0\x08\0\0\0\0\0\0\0";
    let names = b"\x03\0\0\0";
    let file = [
        &b"PK\x03\x04"[..],
        head,
        &[0; 12],
        names,
        b"a.c",
        text,
        b"PK\x07\x08",
        &sum,
        &long(text.len()),
        &long(text.len()),
    ]
    .concat();
    let len = word(text.len());
    let entry = [
        &b"PK\x01\x02\x14\0"[..],
        head,
        &sum,
        &len,
        &len,
        names,
        &[0; 14],
        b"a.c",
    ]
    .concat();
    let end = [
        &b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..],
        &word(entry.len()),
        &word(file.len()),
        b"\0\0",
    ];
    [file, entry, end.concat()].concat()
}

#[test]
fn lengths_behind_the_data_of_a_file_may_have_eight_bytes() {
    for width in [4, 8] {
        let file = piped(b"int x;\n", width);
        let layout = read(&file).unwrap().with_whole_texts();
        let text = layout.view().files[0].span.clone();
        let changed = layout.rewrite(&[Cut::remove(text.start..text.start + 4)]);
        assert_eq!(
            Cut::render(&changed, &file),
            piped(b"x;\n", width),
            "{width}"
        );
    }
}
