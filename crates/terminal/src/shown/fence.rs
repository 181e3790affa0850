/// Returns the fence of a Markdown code block for a text. The fence is longer than every fence in
/// the text.
///
/// ```
/// assert_eq!(nubbin_terminal::shown::fence("a ``` b"), "````");
/// ```
pub fn fence(text: &str) -> String {
    let runs = text.split(|char| char != '`').map(str::len);
    "`".repeat(3.max(runs.max().unwrap_or(0) + 1))
}
