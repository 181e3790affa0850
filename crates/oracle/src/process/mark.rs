/// The variable that marks the processes of a test.
pub(crate) const MARK: &str = "NUBBIN_TEST";

/// Returns the value of [`MARK`] for a process. If nubbin runs inside a test of nubbin, the mark is
/// added to the outer one, so that the outer run also finds the process.
pub(crate) fn mark_value(mark: &str) -> std::ffi::OsString {
    let mut value = std::env::var_os(MARK).unwrap_or_default();
    value.push(" ");
    value.push(mark);
    value
}
