//! The languages of the interpreters to which a graph can belong.

use serde::{Deserialize, Serialize};

/// The language of an interpreter, which decides the syntax of expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// JavaScript, from ECMAScript 5 on.
    #[default]
    Javascript,
    /// Python 3.
    Python,
}

/// The global object of a graph of Python: an attribute is a module.
const PYTHON_HEAD: &str = "\
class This:
    def __getattr__(self, name):
        return __import__(name)


this = This()
";

/// Evaluates one expression of a batch. It is compiled by itself, so that one with a syntax error
/// does no harm to the others.
const PYTHON_EVALUATE: &str = "\
def evaluate(expression, exec=exec, this=this):
    try:
        exec(expression, {\"this\": this})
    except BaseException:
        pass


";

impl Language {
    /// Returns the text that must precede an expression, so that `this` is the global object. The
    /// head of JavaScript is empty.
    pub fn head(self) -> &'static str {
        match self {
            Language::Javascript => "",
            Language::Python => PYTHON_HEAD,
        }
    }

    /// Returns the text that precedes the expressions of a batch.
    pub(crate) fn batch_head(self) -> String {
        match self {
            Language::Javascript => String::new(),
            Language::Python => format!("{PYTHON_HEAD}\n\n{PYTHON_EVALUATE}"),
        }
    }

    /// Returns the ending of the names of scripts.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Javascript => "js",
            Language::Python => "py",
        }
    }

    /// Returns the name of the language for people: `JavaScript`.
    pub fn title(self) -> &'static str {
        match self {
            Language::Javascript => "JavaScript",
            Language::Python => "Python",
        }
    }

    /// Returns whether a function can be called with another receiver than the object it was read
    /// from, by `.call`. A Python method that is read from its type takes the receiver as an
    /// argument.
    pub(crate) fn has_receivers(self) -> bool {
        self == Language::Javascript
    }

    /// Returns the value that stands for a missing value.
    pub(crate) fn nothing(self) -> &'static str {
        match self {
            Language::Javascript => "undefined",
            Language::Python => "None",
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Language::default()
    }
}
