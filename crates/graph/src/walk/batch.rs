//! Scripts of several expressions.

use crate::language::Language;

/// Returns a script that evaluates expressions one after the other, each in a `try` statement.
///
/// In a JavaScript expression, `this` is the global object, even if the script itself is a function
/// or a CommonJS module. An expression may contain regular expressions, comments, and line feeds.
///
/// ```
/// use nubbin_graph::{Language, walk::batch};
///
/// let script = batch(Language::Javascript, ["this.Math", "this.JSON"]);
/// assert_eq!(script.split(|&byte| byte == b'\n').count(), 7);
/// let script = batch(Language::Python, ["this.math", "this._json"]);
/// assert!(script.ends_with(b"evaluate(\"this.math\")\nevaluate(\"this._json\")\n"));
/// ```
pub fn batch<E: AsRef<[u8]>>(
    language: Language,
    expressions: impl IntoIterator<Item = E>,
) -> Vec<u8> {
    let mut script = language.batch_head().into_bytes();
    for expression in expressions {
        let expression = expression.as_ref();
        match language {
            Language::Javascript => {
                script.extend_from_slice(b"(function () { try {\n");
                script.extend_from_slice(expression);
                script.extend_from_slice(b"\n} catch (ignored) {} })();\n");
            }
            Language::Python => {
                script.extend_from_slice(b"evaluate(");
                // All escape sequences of JSON are valid in Python.
                let text = String::from_utf8_lossy(expression);
                script.extend(serde_json::to_vec(&text).unwrap_or_default());
                script.extend_from_slice(b")\n");
            }
        }
    }
    script
}
