/// Returns the fence of a block of Markdown with a text. No fence that the text has ends the block.
///
/// ```
/// assert_eq!(nubbin_terminal::shown::fence("a ``` b"), "````");
/// ```
pub fn fence(text: &str) -> String {
    let runs = text.split(|char| char != '`').map(str::len);
    "`".repeat(3.max(runs.max().unwrap_or(0) + 1))
}
