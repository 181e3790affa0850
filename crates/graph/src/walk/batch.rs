//! Scripts of several expressions.

/// Returns a script that evaluates expressions one after the other, each in a `try` statement.
///
/// In each expression, `this` is the global object, also where the script itself is a function or a
/// module of CommonJS. A regular expression, a comment, and a line feed in an expression do no
/// harm.
///
/// ```
/// let script = nubbin_graph::walk::batch([b"this.Math", b"this.JSON"]);
/// assert_eq!(script.split(|&byte| byte == b'\n').count(), 7);
/// ```
pub fn batch<E: AsRef<[u8]>>(expressions: impl IntoIterator<Item = E>) -> Vec<u8> {
    let mut script = vec![];
    for expression in expressions {
        script.extend_from_slice(b"(function () { try {\n");
        script.extend_from_slice(expression.as_ref());
        script.extend_from_slice(b"\n} catch (ignored) {} })();\n");
    }
    script
}
