//! The rules that compilers write for make (`-M`).

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// Returns the prerequisites of the first rule: the files that the compiler reads.
pub(super) fn read(text: &[u8]) -> Vec<PathBuf> {
    let Some(colon) = text
        .windows(2)
        .position(|pair| pair[0] == b':' && pair[1].is_ascii_whitespace())
    else {
        return vec![];
    };
    let mut found = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    let mut bytes = text[colon + 1..].iter().copied().peekable();
    let mut end_name = |name: &mut Vec<u8>| {
        if !name.is_empty() {
            found.push(PathBuf::from(OsString::from_vec(std::mem::take(name))));
        }
    };
    while let Some(byte) = bytes.next() {
        match byte {
            // The rule continues on the next line.
            b'\\' if bytes.peek() == Some(&b'\n') => {
                bytes.next();
                end_name(&mut name);
            }
            b'\\' if bytes.peek().is_some_and(|next| b" #\\\t".contains(next)) => {
                name.extend(bytes.next());
            }
            b'$' if bytes.peek() == Some(&b'$') => name.extend(bytes.next()),
            b'\n' => break,
            b' ' | b'\t' | b'\r' => end_name(&mut name),
            other => name.push(other),
        }
    }
    end_name(&mut name);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_real_rules_are_read() {
        // This is the output of gcc 12.
        let text = b"x: foo.c /usr/include/stdc-predef.h a.h \\\n x\\ y/$$z\\#.h inc/../b.h\n\nother: no.h\n";
        let names: Vec<_> = read(text)
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        assert_eq!(
            names,
            [
                "foo.c",
                "/usr/include/stdc-predef.h",
                "a.h",
                "x y/$z#.h",
                "inc/../b.h"
            ]
        );
        assert!(read(b"").is_empty() && read(b"x:").is_empty());
        assert_eq!(read(b"a:b x.o: c"), [PathBuf::from("c")]);
    }
}
