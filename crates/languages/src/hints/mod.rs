//! Facts about languages that their grammars do not state.

mod conventions;
mod smt_lib;
mod sql;
pub mod unread;

pub use conventions::{C, CONVENTIONS, CPP, LLVM, SQL};
pub use smt_lib::SMT_LIB;

use nubbin_grammar::conventions::Conventions;
use nubbin_grammar::sorts::SortRules;
use unread::Unread;

/// Rules for the sorts of terms, for every language that has such rules.
pub static SORTS: &[&SortRules] = &[&SMT_LIB];

/// Facts about one language, by the names of the rules of its grammar.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// The rules whose text depends on text elsewhere, such as a closing tag.
    pub bound: &'static [&'static str],
    /// Rules that are stricter than the parser's, in the notation of `grammar.json`. The trees of
    /// valid texts fit both.
    pub stricter: &'static [(&'static str, &'static str)],
    /// The texts that may stand for any phrase of a rule.
    pub stand_ins: &'static [StandIn],
    /// Roles of fields, and words with a meaning.
    pub conventions: &'static Conventions,
    /// Finds the text that the parser does not support and must not see.
    pub unread: Unread,
}

impl Default for Hints {
    /// Returns the hints for a language without facts except that it has a tree-sitter parser.
    fn default() -> Self {
        Hints {
            bound: &[],
            stricter: &[],
            stand_ins: &[],
            conventions: &CONVENTIONS,
            unread: unread::nothing,
        }
    }
}

/// A text that may stand for any phrase of a rule, for example for any body of a function.
#[derive(Clone, Copy, Debug)]
pub struct StandIn {
    /// The rule whose phrases the text may replace.
    pub rule: &'static str,
    /// The rules directly inside which the text may occur. If the list is empty, the text may occur
    /// anywhere.
    pub within: &'static [&'static str],
    /// The text that replaces a phrase.
    pub text: &'static str,
    /// The text for a body that must return a value, if `text` does not return a value.
    pub valued: Option<&'static str>,
}

/// Returns the hints for the language with the given name.
///
/// A stand-in for a body must be valid for every return type and must end. In a language with a
/// type for expressions that never return, it throws.
pub fn of(id: &str) -> Hints {
    let mut stand_ins = STAND_INS.iter();
    let stand_ins = stand_ins.find(|(languages, _)| languages.contains(&id));
    let bound: &[&str] = match id {
        "html" => &["start_tag", "end_tag"],
        "xml" => &["STag", "ETag"],
        _ => &[],
    };
    let stricter = match id {
        "python" => PYTHON,
        _ => &[],
    };
    Hints {
        bound,
        stricter,
        stand_ins: stand_ins.map_or(&[], |&(_, stand_ins)| stand_ins),
        conventions: match id {
            "c" => &C,
            "cpp" => &CPP,
            "llvm" => &LLVM,
            "sql" => &SQL,
            _ => &CONVENTIONS,
        },
        unread: match id {
            "c" => unread::c,
            "cpp" => unread::cpp,
            _ => unread::nothing,
        },
    }
}

/// The stand-ins for bodies, by the languages that have them.
const STAND_INS: &[(&[&str], &[StandIn])] = &[
    (
        &["bash"],
        &[StandIn {
            rule: "compound_statement",
            within: &["function_definition"],
            text: "{ :; }",
            valued: None,
        }],
    ),
    (
        &["c"],
        &[StandIn {
            rule: "compound_statement",
            within: &["function_definition"],
            text: "{}",
            valued: Some("{return 0;}"),
        }],
    ),
    // A class can rarely be constructed from 0.
    (
        &["cpp", "php"],
        &[StandIn {
            rule: "compound_statement",
            within: &[
                "function_definition",
                "method_declaration",
                "lambda_expression",
            ],
            text: "{}",
            valued: None,
        }],
    ),
    (
        &["csharp"],
        &[
            StandIn {
                rule: "block",
                within: &["method_declaration", "local_function_statement"],
                text: "{throw null;}",
                valued: None,
            },
            StandIn {
                rule: "block",
                within: &["constructor_declaration"],
                text: "{}",
                valued: None,
            },
        ],
    ),
    (
        &["dart"],
        &[StandIn {
            rule: "function_body",
            within: &[],
            text: "{throw 0;}",
            valued: None,
        }],
    ),
    (
        &["go"],
        &[StandIn {
            rule: "block",
            within: &["function_declaration", "method_declaration", "func_literal"],
            text: "{panic(0)}",
            valued: None,
        }],
    ),
    (
        &["java"],
        &[
            StandIn {
                rule: "block",
                within: &["method_declaration"],
                text: "{throw null;}",
                valued: None,
            },
            StandIn {
                rule: "constructor_body",
                within: &[],
                text: "{}",
                valued: None,
            },
        ],
    ),
    (
        &["javascript"],
        &[StandIn {
            rule: "statement_block",
            within: FUNCTIONS,
            text: "{}",
            valued: None,
        }],
    ),
    (
        &["kotlin"],
        &[StandIn {
            rule: "function_body",
            within: &["function_declaration"],
            text: "{TODO()}",
            valued: None,
        }],
    ),
    (
        &["llvm"],
        &[StandIn {
            rule: "function_body",
            within: &[],
            text: "{unreachable}",
            valued: None,
        }],
    ),
    (
        &["python"],
        &[StandIn {
            rule: "block",
            within: &[],
            text: "pass",
            valued: None,
        }],
    ),
    (
        &["rust"],
        &[StandIn {
            rule: "block",
            within: &["function_item"],
            text: "{panic!()}",
            valued: None,
        }],
    ),
    (
        &["swift"],
        &[StandIn {
            rule: "function_body",
            within: &["function_declaration"],
            text: "{fatalError()}",
            valued: None,
        }],
    ),
    (
        &["typescript", "tsx"],
        &[StandIn {
            rule: "statement_block",
            within: FUNCTIONS,
            text: "{throw 0}",
            valued: None,
        }],
    ),
];

/// The rules of JavaScript that have a body.
const FUNCTIONS: &[&str] = &[
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "method_definition",
    "arrow_function",
];

/// The rules of Python for blocks, which must not be empty, and for `try`, which needs another
/// clause.
const PYTHON: &[(&str, &str)] = &[
    (
        "block",
        r#"{"type": "SEQ", "members": [
            {"type": "REPEAT1", "content": {"type": "SYMBOL", "name": "_statement"}},
            {"type": "SYMBOL", "name": "_dedent"}
        ]}"#,
    ),
    (
        "try_statement",
        r#"{"type": "SEQ", "members": [
            {"type": "STRING", "value": "try"},
            {"type": "STRING", "value": ":"},
            {"type": "FIELD", "name": "body", "content": {"type": "SYMBOL", "name": "_suite"}},
            {"type": "CHOICE", "members": [
                {"type": "SEQ", "members": [
                    {"type": "REPEAT1", "content": {"type": "SYMBOL", "name": "except_clause"}},
                    {"type": "CHOICE", "members": [
                        {"type": "SYMBOL", "name": "else_clause"},
                        {"type": "BLANK"}
                    ]},
                    {"type": "CHOICE", "members": [
                        {"type": "SYMBOL", "name": "finally_clause"},
                        {"type": "BLANK"}
                    ]}
                ]},
                {"type": "SYMBOL", "name": "finally_clause"}
            ]}
        ]}"#,
    ),
];
