//! Pairs of words that begin and end parts of a text: a guess for all languages together, like the
//! [keywords](super::keywords).

/// The role of a line in a pair. Lines with the same key belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// The line begins a pair.
    Opens(&'static [u8]),
    /// The line begins another part of a pair.
    Divides(&'static [u8]),
    /// The line ends a pair.
    Closes(&'static [u8]),
}

type Words = &'static [&'static [u8]];

/// Words that begin a pair, and the words that end it. The key is the first of the latter.
const PAIRS: &[(Words, Words)] = &[
    (&[b"#if", b"#ifdef", b"#ifndef"], &[b"#endif"]),
    (&[b"#region"], &[b"#endregion"]),
    (&[b"#pragmaregion"], &[b"#pragmaendregion"]),
    (&[b"if"], &[b"fi"]),
    (
        &[b"if", b"ifdef", b"ifeq", b"ifneq", b"ifndef"],
        &[b"endif"],
    ),
    (&[b"case"], &[b"esac"]),
    (&[b"for", b"while", b"until", b"select", b"do"], &[b"done"]),
    (&[b"function"], &[b"endfunction"]),
    (&[b"module"], &[b"endmodule"]),
    (&[b"case", b"casez", b"casex"], &[b"endcase"]),
    (&[b"task"], &[b"endtask"]),
    (&[b"generate"], &[b"endgenerate"]),
    (&[b"while"], &[b"endwhile"]),
    (&[b"for", b"foreach"], &[b"endfor", b"endforeach"]),
    (&[b"begin"], &[b"commit", b"rollback"]),
    (&[b"push"], &[b"pop"]),
    (&[b"open"], &[b"close"]),
    (&[b"acquire"], &[b"release"]),
    (&[b"lock"], &[b"unlock"]),
    (&[b"start"], &[b"stop"]),
    (&[b"create", b"new"], &[b"destroy", b"delete", b"drop"]),
    (&[b"alloc", b"malloc", b"calloc"], &[b"free", b"dealloc"]),
    (&[b"enter"], &[b"leave", b"exit"]),
    (&[b"connect"], &[b"disconnect"]),
    (&[b"attach"], &[b"detach"]),
    (&[b"subscribe"], &[b"unsubscribe"]),
    (&[b"register"], &[b"unregister"]),
    (&[b"mount"], &[b"unmount", b"umount"]),
    (&[b"load"], &[b"unload"]),
    (&[b"save"], &[b"restore"]),
    (&[b"retain"], &[b"release"]),
    (&[b"setup", b"init"], &[b"teardown", b"deinit"]),
];

/// Words that may begin a block that `end` ends.
const BLOCKS: Words = &[
    b"begin",
    b"case",
    b"class",
    b"def",
    b"defmodule",
    b"do",
    b"for",
    b"function",
    b"if",
    b"loop",
    b"macro",
    b"module",
    b"package",
    b"procedure",
    b"quote",
    b"record",
    b"repeat",
    b"select",
    b"struct",
    b"subroutine",
    b"task",
    b"try",
    b"unless",
    b"until",
    b"while",
];

/// Words between `if` or another of [`BLOCKS`] and its `end`.
const PARTS: Words = &[
    b"else", b"elsif", b"elif", b"elseif", b"rescue", b"ensure", b"when", b"catch", b"except",
];

/// Returns whether a word may begin a block that a bare `end` ends.
pub(crate) fn is_block_word(word: &[u8]) -> bool {
    BLOCKS.contains(&word)
}

/// Returns whether a word begins another part of a block: `else`.
pub(crate) fn is_part_word(word: &[u8]) -> bool {
    PARTS.contains(&word)
}

/// Returns the roles that the first word gives a line. Most lines have no role.
pub(crate) fn ends_of(head: &[u8], line: &[u8]) -> Vec<Ends> {
    let mut lower = head.to_ascii_lowercase();
    lower.retain(|byte| !byte.is_ascii_whitespace());
    let head = lower.as_slice();
    let mut found = vec![];
    match head {
        [b'`', b'`', b'`', ..] => found.extend([Ends::Closes(b"```"), Ends::Opens(b"```")]),
        [b'~', b'~', b'~', ..] => found.extend([Ends::Closes(b"~~~"), Ends::Opens(b"~~~")]),
        b"#else" | b"#elif" | b"#elifdef" | b"#elifndef" => found.push(Ends::Divides(b"#endif")),
        b"end" => found.push(Ends::Closes(b"end")),
        _ => {}
    }
    for (opens, closes) in PAIRS {
        let key = closes.first().copied().unwrap_or_default();
        if closes.contains(&head) {
            found.push(Ends::Closes(key));
        } else if opens.contains(&head) {
            found.push(Ends::Opens(key));
        }
    }
    if PARTS.contains(&head) {
        found.extend([b"end".as_slice(), b"fi", b"endif"].map(Ends::Divides));
    }
    let is_block = BLOCKS.contains(&head) || line.ends_with(b" do") || line.ends_with(b" begin");
    if is_block {
        found.push(Ends::Opens(b"end"));
    }
    found
}
