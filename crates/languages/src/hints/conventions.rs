use super::sql::QUERIES;
use nubbin_grammar::conventions::{Conventions, Fields, LanguageWords, NO_QUERIES};

/// Conventions that the grammars of tree-sitter parsers share.
///
/// The authors of these grammars give a field the same name in most languages, so one table serves
/// all of them. The words of all languages are in one list. A word with another meaning in some
/// language only costs tests.
pub static CONVENTIONS: Conventions = COMMON;

/// Conventions of C, where `{1, 2}` may be a value of a structure.
pub static C: Conventions = Conventions {
    words: LanguageWords {
        conditions: Some(("#", "if")),
        undivided: &["preproc_arg"],
        ..WORDS
    },
    by_position: true,
    ..COMMON
};

/// Conventions of C++.
pub static CPP: Conventions = Conventions {
    overloads: true,
    ..C
};

/// Conventions of LLVM IR, where `%x = …` and `@f = …` define a name.
pub static LLVM: Conventions = Conventions {
    fields: Fields {
        // A definition has the same field for its parameters as a call for its arguments.
        arguments: &[],
        ..FIELDS
    },
    words: LanguageWords {
        sigils: &["@", "%", "!", "#", "$", "^"],
        defining: Some("="),
        ..WORDS
    },
    ..COMMON
};

/// Conventions of SQL.
pub static SQL: Conventions = Conventions {
    queries: QUERIES,
    ..COMMON
};

const COMMON: Conventions = Conventions {
    fields: FIELDS,
    words: WORDS,
    by_position: false,
    overloads: false,
    queries: NO_QUERIES,
};

const FIELDS: Fields = Fields {
    name: &["name"],
    defined: &["name", "declarator", "pattern", "alias"],
    named: &["name", "declarator"],
    assigned: &["left"],
    member: &["attribute", "property", "field"],
    object: &["object", "expression"],
    // Rust, C++, and Go among others.
    qualifier: &["path", "scope", "object", "operand", "expression"],
    declaration: &["declaration", "definition", "declarators", "spec"],
    local: &[
        "parameters",
        "parameter",
        "type_parameters",
        "body",
        "initializer",
        "captures",
        "receiver",
    ],
    import_path: &["path"],
    // JavaScript.
    module: &["source"],
    alias: &["alias"],
    // Rust. Members that an interface of another language does not need can go.
    implemented: &["trait"],
    parameters: &["parameters"],
    parameter_list: &["parameters", "parameter"],
    // The first ones are those of C++.
    type_parameters: &["parameters", "type_parameters"],
    type_arguments: &["arguments", "type_arguments"],
    // Template arguments are not those of a call, since a specialization is defined with them.
    arguments: &["arguments"],
    argument_list: &["arguments", "argument"],
    callee: &["function", "name", "method"],
    constructed: &["function", "name", "method", "constructor"],
    bound: &["name", "declarator", "pattern", "left"],
    value: &["value", "right"],
    type_value: &["type", "value"],
    body: &["body"],
    // C.
    result: &["type"],
    // C++.
    requirements: &["requirements"],
};

const WORDS: LanguageWords = LanguageWords {
    entry_points: &["main"],
    // Python.
    special_names: Some(("__", "__")),
    // Rust.
    attributes: &["#["],
    // C, C++, and many others.
    type_definitions: &["typedef", "using", "type"],
    // C++.
    types: &["class", "struct", "union", "enum"],
    // C++.
    open_bodies: &["constexpr", "consteval", "auto"],
    returns: &["return"],
    // Python, Java, and JavaScript; Rust; C++.
    imports: &["import", "from", "use", "pub use", "using"],
    // C; TypeScript.
    declares: &["extern", "declare"],
    no_value: &["void"],
    // C++, C#, PHP, and TypeScript; Ruby.
    namespaces: &["namespace", "module"],
    sigils: &[],
    defining: None,
    conditions: None,
    undivided: &[],
};
