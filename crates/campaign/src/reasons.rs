use std::error::Error;

/// Returns an error and its reasons in one line.
///
/// ```
/// let error = std::io::Error::other("no room");
/// assert_eq!(nubbin_campaign::reasons(&error), "no room");
/// ```
pub fn reasons(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let more = error.to_string();
        // A transparent wrapper repeats the message of its source.
        if !text.ends_with(&more) {
            text += &format!(": {more}");
        }
        next = error.source();
    }
    text
}
