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
        // The parameters of a definition have the same field as the arguments of a call.
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
    // These fields are from Rust, C++, Go, and other languages.
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
    // This field is from JavaScript.
    module: &["source"],
    alias: &["alias"],
    // This field is from Rust. In other languages, members that implement an interface may be
    // needed.
    implemented: &["trait"],
    parameters: &["parameters"],
    parameter_list: &["parameters", "parameter"],
    // The first names are from C++.
    type_parameters: &["parameters", "type_parameters"],
    type_arguments: &["arguments", "type_arguments"],
    // Template arguments are not listed, since a specialization is defined with them.
    arguments: &["arguments"],
    argument_list: &["arguments", "argument"],
    callee: &["function", "name", "method"],
    constructed: &["function", "name", "method", "constructor"],
    bound: &["name", "declarator", "pattern", "left"],
    value: &["value", "right"],
    type_value: &["type", "value"],
    body: &["body"],
    // This field is from C.
    result: &["type"],
    // This field is from C++.
    requirements: &["requirements"],
};

const WORDS: LanguageWords = LanguageWords {
    entry_points: &["main"],
    // These names are from Python.
    special_names: Some(("__", "__")),
    // This attribute is from Rust.
    attributes: &["#["],
    // These words are from C, C++, and many other languages.
    type_definitions: &["typedef", "using", "type"],
    // These words are from C++.
    types: &["class", "struct", "union", "enum"],
    // These words are from C++.
    open_bodies: &["constexpr", "consteval", "auto"],
    returns: &["return"],
    // These words are from Python, Java, and JavaScript, from Rust, and from C++.
    imports: &["import", "from", "use", "pub use", "using"],
    // These words are from C and TypeScript.
    declares: &["extern", "declare"],
    no_value: &["void"],
    // These words are from C++, C#, PHP, and TypeScript, and from Ruby.
    namespaces: &["namespace", "module"],
    sigils: &[],
    defining: None,
    conditions: None,
    undivided: &[],
};
