//! Coverage that a command prints.

use nubbin_reduce::edit::fingerprint;

/// Returns a number for each covered location that a text names.
///
/// In a tracefile of lcov these are the lines and branches with a count above 0. In any other text
/// each line that is not empty names a location.
pub(super) fn places(text: &[u8]) -> Vec<u64> {
    let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_tracefile = lines().any(|line| line.starts_with(b"SF:"));
    let mut found: Vec<u64> = match is_tracefile {
        false => lines()
            .filter(|line| !line.is_empty())
            .map(number)
            .collect(),
        true => of_tracefile(lines()),
    };
    found.sort_unstable();
    found.dedup();
    found
}

fn of_tracefile<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<u64> {
    let (mut file, mut found) = (&[][..], Vec::new());
    for line in lines {
        if let Some(name) = line.strip_prefix(b"SF:") {
            file = name;
            continue;
        }
        // `DA:LINE,COUNT[,CHECKSUM]` and `BRDA:LINE,BLOCK,BRANCH,COUNT`.
        let (is_line, is_branch) = (line.starts_with(b"DA:"), line.starts_with(b"BRDA:"));
        let mut fields: Vec<&[u8]> = line.split(|&byte| byte == b',').collect();
        fields.truncate(if is_line { 2 } else { fields.len() });
        let count = fields.pop().unwrap_or_default();
        if (is_line || is_branch) && count != b"0" && count != b"-" {
            found.push(number(&[file, b"\n", &fields.join(&b','), b""].concat()));
        }
    }
    found
}

fn number(place: &[u8]) -> u64 {
    fingerprint(place).0 as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_text_is_a_place() {
        assert_eq!(places(b"a\nb\n\na\n").len(), 2);
        assert_eq!(places(b"a\nb"), places(b"b\r\na\n"));
        assert!(places(b"\n\n").is_empty());
    }

    #[test]
    fn lines_and_branches_of_a_tracefile_count_if_they_were_reached() {
        let text = b"TN:\nSF:a.c\nDA:1,3\nDA:2,0\nBRDA:1,0,0,-\nBRDA:1,0,1,2\nend_of_record\n\
                     SF:b.c\nDA:1,1,sum\nLF:1\nend_of_record\n";
        assert_eq!(places(text).len(), 3);
        let more = String::from_utf8_lossy(text).replace("DA:1,3", "DA:1,9");
        assert_eq!(places(more.as_bytes()), places(text));
    }
}
