//! `--keep` and the marks in the input: regions that are not changed.

use crate::exit::Exit;
use crate::problem::{Problem, say, warn};
use crate::settings::SearchSettings;
use nubbin_reduce::input::Input;
use nubbin_reduce::protect::marked;
use nubbin_reduce::span::Span;
use regex::bytes::{Regex, RegexBuilder};

/// Protects the regions that the user wants to keep, and reports their size.
pub(super) fn protect(
    input: Input,
    search: &SearchSettings,
    quiet: bool,
) -> Result<Input, Problem> {
    let mut spans = Vec::new();
    let mut warnings = Vec::new();
    for text in &search.keep {
        let found = matches(&input, &parse(text)?);
        if found.is_empty() {
            warnings.push(format!(
                "`--keep {text}` matches nothing in the original, and keeps nothing"
            ));
        }
        spans.extend(found);
    }
    let by_marks = spans.len();
    if !search.no_keep_marks {
        for file in input.present() {
            let found = marked(file.text);
            let shift =
                |span: Span| Span::new(span.start + file.span.start, span.end + file.span.start);
            spans.extend(found.spans.into_iter().map(shift));
            let name = file.name.display();
            if found.unended {
                warnings.push(format!(
                    "`{name}`: there is no `nubbin:keep-end`; everything from `nubbin:keep-begin` \
                     to the end of the file is kept"
                ));
            }
            if found.unbegun {
                warnings.push(format!(
                    "`{name}`: a `nubbin:keep-end` has no `nubbin:keep-begin` before it, and keeps \
                     nothing"
                ));
            }
        }
    }
    let by_marks = spans.len() - by_marks;
    if !quiet {
        for warning in warnings {
            warn(&warning);
        }
    }
    if spans.is_empty() {
        return Ok(input);
    }
    let regions = spans.len();
    let input = input.protect(spans);
    if !quiet {
        let cells = input.present().map(|file| file.extent.end - 1);
        let cells: Vec<u32> = cells.filter(|_| input.file_count() > 1).collect();
        let kept = input.protected().spans().iter();
        let kept = kept.filter(|span| cells.binary_search(&span.start).is_err());
        let bytes: u64 = kept.map(|span| u64::from(span.len())).sum();
        let marks = match by_marks {
            0 => String::new(),
            1 => "; 1 is marked in the input (`--no-keep-marks` ignores marks)".to_owned(),
            marks => {
                format!("; {marks} are marked in the input (`--no-keep-marks` ignores marks)")
            }
        };
        let (region, byte) = (plural(regions as u64, "region"), plural(bytes, "byte"));
        say(&format!("keeping {region} ({byte}) unchanged{marks}"));
    }
    Ok(input)
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Parses a regular expression in which `^` and `$` match at line borders, as in conditions on
/// output.
fn parse(text: &str) -> Result<Regex, Problem> {
    let built = RegexBuilder::new(text).multi_line(true).build();
    built.map_err(|error| {
        let what = format!("`--keep {text}` is not a regular expression");
        Problem::new(Exit::Usage, what).because(&error)
    })
}

/// Returns all matches with at least one byte, file by file.
fn matches(input: &Input, regex: &Regex) -> Vec<Span> {
    let in_file = |file: nubbin_reduce::input::File<'_>| -> Vec<Span> {
        let found = regex.find_iter(file.text).filter(|found| !found.is_empty());
        found
            .map(|found| Span::at(file.span.start, found.range()))
            .collect()
    };
    input.present().flat_map(in_file).collect()
}
