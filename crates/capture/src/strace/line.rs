//! One line of the output of `strace -f -y -o FILE`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// A line, with the process that it is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) pid: u32,
    pub(super) part: Part<'a>,
}

/// The part of a call that a line has. Lines of other processes may be between two parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Whole(&'a [u8]),
    Begin(&'a [u8]),
    End(&'a [u8]),
}

impl<'a> Line<'a> {
    /// Reads a line. Returns `None` for a line without a call, for example about a signal.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let pid = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
        let rest = line[digits..].trim_ascii();
        let part = if let Some(end) = rest.strip_prefix(b"<... ") {
            let at = find(end, b" resumed>")?;
            Part::End(&end[at + b" resumed>".len()..])
        } else if let Some(begin) = rest.strip_suffix(b"<unfinished ...>") {
            Part::Begin(begin)
        } else if rest.first()?.is_ascii_alphabetic() || rest.starts_with(b"_") {
            Part::Whole(rest)
        } else {
            return None;
        };
        Some(Line { pid, part })
    }
}

/// A call with its arguments and its result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) args: Vec<Arg>,
    /// The number that the call returned; negative if it failed, or if it is not known.
    pub(super) result: i64,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arg {
    /// A text, such as the name of a file.
    Text(PathBuf),
    /// The current folder of the process.
    Current(PathBuf),
    /// A descriptor of a file, with the path of the file.
    Descriptor(PathBuf),
    /// Flags, numbers, structures, and descriptors of no file, as they are printed.
    Other(String),
}

impl Call {
    /// Reads a call, such as `openat(AT_FDCWD</p>, "a", O_RDONLY) = 3</p/a>`.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let open = text.iter().position(|&byte| byte == b'(')?;
        let name = String::from_utf8(text[..open].to_vec()).ok()?;
        let (args, end) = args(&text[open + 1..])?;
        let result = text[open + 1 + end..].trim_ascii_start();
        let result = result.strip_prefix(b"=")?.trim_ascii_start();
        let length = result
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'-')
            .count();
        // `?` is printed for a call that never returned.
        let result = String::from_utf8_lossy(&result[..length]).parse();
        Some(Call {
            name,
            args,
            result: result.unwrap_or(-1),
        })
    }
}

/// Reads arguments up to the closing parenthesis. Returns them with the position after it.
fn args(text: &[u8]) -> Option<(Vec<Arg>, usize)> {
    let mut args = Vec::new();
    let (mut depth, mut start, mut at) = (0_usize, 0, 0);
    loop {
        match *text.get(at)? {
            b'"' => at += quoted(&text[at + 1..], b'"')? + 1,
            // A descriptor is followed by its path in `<>`. `<<` is a shift.
            b'<' if at > start
                && text.get(at + 1) != Some(&b'<')
                && is_descriptor(&text[start..at]) =>
            {
                at += quoted(&text[at + 1..], b'>')? + 1;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => {
                if start < at {
                    args.push(arg(&text[start..at]));
                }
                return Some((args, at + 1));
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                args.push(arg(&text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Returns whether an argument so far is a descriptor, which its path follows.
fn is_descriptor(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text == b"AT_FDCWD" || (!text.is_empty() && text.iter().all(u8::is_ascii_digit))
}

/// Returns the position of the end of a quoted text.
fn quoted(text: &[u8], end: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        match *text.get(at)? {
            byte if byte == end => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn arg(text: &[u8]) -> Arg {
    let text = text.trim_ascii();
    if let Some(inner) = text.strip_prefix(b"\"")
        && let Some(end) = quoted(inner, b'"')
    {
        return Arg::Text(unescaped(&inner[..end]));
    }
    if let Some(at) = text.iter().position(|&byte| byte == b'<')
        && is_descriptor(&text[..at])
        && let Some(end) = quoted(&text[at + 1..], b'>')
        && text[at + 1..].starts_with(b"/")
    {
        let path = unescaped(&text[at + 1..at + 1 + end]);
        return match &text[..at] {
            b"AT_FDCWD" => Arg::Current(path),
            _ => Arg::Descriptor(path),
        };
    }
    Arg::Other(String::from_utf8_lossy(text).into_owned())
}

/// Replaces the escapes of C with their bytes.
fn unescaped(text: &[u8]) -> PathBuf {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&kind, after)) = rest.split_first() else {
            break;
        };
        let (value, length) = match kind {
            b'n' => (b'\n', 1),
            b't' => (b'\t', 1),
            b'r' => (b'\r', 1),
            b'v' => (0x0b, 1),
            b'f' => (0x0c, 1),
            b'x' => {
                number(&after[..after.len().min(2)], 16).map_or((b'x', 1), |it| (it.0, it.1 + 1))
            }
            b'0'..=b'7' => number(&rest[..rest.len().min(3)], 8).unwrap_or((kind, 1)),
            other => (other, 1),
        };
        out.push(value);
        rest = &rest[length..];
    }
    PathBuf::from(OsString::from_vec(out))
}

/// Reads the number at the start of a text. Returns it with its length.
fn number(text: &[u8], radix: u32) -> Option<(u8, usize)> {
    let digits = text
        .iter()
        .take_while(|byte| char::from(**byte).is_digit(radix));
    let length = digits.count();
    let digits = std::str::from_utf8(&text[..length]).ok()?;
    let value = u32::from_str_radix(digits, radix).ok()?;
    Some((u8::try_from(value & 0xff).ok()?, length))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    fn call(text: &str) -> Call {
        Call::read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"))
    }

    fn text(text: &str) -> Arg {
        Arg::Text(text.into())
    }

    #[test]
    fn a_line_is_a_whole_call_or_one_of_its_ends() {
        let read = |text: &'static str| Line::read(text.as_bytes());
        let part = |text| read(text).map(|line| line.part);
        assert_eq!(
            read("4004  rename(\"a\", \"b\")         = 0"),
            Some(Line {
                pid: 4004,
                part: Part::Whole(b"rename(\"a\", \"b\")         = 0")
            })
        );
        assert_eq!(
            part("4005  vfork( <unfinished ...>"),
            Some(Part::Begin(b"vfork( "))
        );
        assert_eq!(
            part("4004  <... clone3 resumed>)             = 4005"),
            Some(Part::End(b")             = 4005"))
        );
        for line in [
            "4005  --- SIGCHLD {si_signo=SIGCHLD} ---",
            "4005  +++ exited with 0 +++",
            "",
            "x",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn the_arguments_of_real_calls_are_read() {
        let read = call(
            r#"openat(AT_FDCWD</p/q>, "/lib/libc.so.6", O_RDONLY|O_CLOEXEC) = 3</usr/lib/libc.so.6>"#,
        );
        assert_eq!((read.name.as_str(), read.result), ("openat", 3));
        let flags = Arg::Other("O_RDONLY|O_CLOEXEC".into());
        assert_eq!(
            read.args,
            [Arg::Current("/p/q".into()), text("/lib/libc.so.6"), flags]
        );

        let read = call(
            r#"newfstatat(5</tmp/sub/x\ny\74\76,)>, "", {st_mode=S_IFREG|0644, st_rdev=makedev(0x1, 0x3), ...}, AT_EMPTY_PATH) = 0"#,
        );
        assert_eq!(read.args[0], Arg::Descriptor("/tmp/sub/x\ny<>,)".into()));
        assert_eq!(
            (read.args[1].clone(), read.args.len(), read.result),
            (text(""), 4, 0)
        );

        let read = call(
            r#"openat(AT_FDCWD</p>, "w\303\251ird \"q.h", O_RDONLY) = -1 ENOENT (No such file or directory)"#,
        );
        assert_eq!(
            (read.args[1].clone(), read.result),
            (text("wéird \"q.h"), -1)
        );

        let read = call(
            r#"execve("/bin/sh", ["/bin/sh", "-c", "cd sub) && gcc"...], 0x55 /* 38 vars */) = 0"#,
        );
        assert_eq!(
            (read.args[0].clone(), read.args.len()),
            (text("/bin/sh"), 3)
        );

        let read = call("wait4(-1,  [{WIFEXITED(s) && WEXITSTATUS(s) == 1}], 0, NULL) = 4012");
        assert_eq!(read.result, 4012);
        assert_eq!(call("exit_group(1) = ?").result, -1);
        assert_eq!(call("vfork() = 7").args, []);
        assert_eq!(call("getcwd(\"/tmp\", 1<<10) = 10").args.len(), 2);
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(
            unescaped(br#"\377\0011\x41\\\""#).as_os_str().as_bytes(),
            b"\xff\x011A\\\""
        );
        assert_eq!(unescaped(br"\").as_os_str().as_bytes(), b"");
    }

    #[test]
    fn a_line_that_was_cut_is_no_call() {
        let whole = br#"openat(AT_FDCWD</p>, "a\"b", O_RDONLY) = 3</p/a>"#;
        for end in 0..whole.len() - 7 {
            let read = Call::read(&whole[..end]);
            assert!(read.is_none_or(|call| call.result < 0), "{end}");
        }
    }
}
