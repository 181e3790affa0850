//! Facts about a language that its grammar does not state: the roles of fields, and the meaning of
//! words.
//!
//! The types are here, so that a grammar can carry the facts to the code that works on its trees.
//! The facts themselves are data of the crate that knows the language. Without facts, every table
//! is empty.

/// Facts about the trees of a grammar, see
/// [`Grammar::conventions`](crate::grammar::Grammar::conventions).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conventions {
    /// The roles of fields.
    pub fields: Fields,
    /// Words with a meaning.
    pub words: LanguageWords,
    /// Whether a value of a type may be written as the values of its members in their order,
    /// without their names.
    pub by_position: bool,
    /// Whether a name may have several definitions in one scope that differ in the types of their
    /// parameters or arguments.
    pub overloads: bool,
    /// The rules of queries.
    pub queries: Queries,
}

/// Conventions without any facts.
pub static NONE: Conventions = Conventions {
    by_position: false,
    overloads: false,
    queries: NO_QUERIES,
    fields: Fields {
        name: &[],
        defined: &[],
        named: &[],
        assigned: &[],
        member: &[],
        object: &[],
        qualifier: &[],
        declaration: &[],
        local: &[],
        import_path: &[],
        module: &[],
        alias: &[],
        implemented: &[],
        parameters: &[],
        parameter_list: &[],
        type_parameters: &[],
        type_arguments: &[],
        arguments: &[],
        argument_list: &[],
        callee: &[],
        constructed: &[],
        bound: &[],
        value: &[],
        type_value: &[],
        body: &[],
        result: &[],
        requirements: &[],
    },
    words: LanguageWords {
        entry_points: &[],
        special_names: None,
        attributes: &[],
        type_definitions: &[],
        types: &[],
        open_bodies: &[],
        returns: &[],
        imports: &[],
        declares: &[],
        no_value: &[],
        namespaces: &[],
        sigils: &[],
        defining: None,
        conditions: None,
        undivided: &[],
    },
};

/// Names of fields.
pub type Names = &'static [&'static str];

/// The names of fields, by the role that the field has in the rule around it. A field may have
/// several roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The name of the phrase of the rule.
    pub name: Names,
    /// The field of a name that a statement defines.
    pub defined: Names,
    /// A name by which other code refers to a declaration with parts.
    pub named: Names,
    /// The target of an assignment.
    pub assigned: Names,
    /// The field of a name that is a member of a value, as in `value.member`.
    pub member: Names,
    /// The field of the value that has the member.
    pub object: Names,
    /// The module, type, or value before the name of its part.
    pub qualifier: Names,
    /// The part of a statement that may be between the statement and the name that it defines for
    /// others.
    pub declaration: Names,
    /// A part whose definitions are visible only within the statement.
    pub local: Names,
    /// The path of an import, in quotes.
    pub import_path: Names,
    /// The module, in quotes, from which a statement takes names, or whose names it exports again.
    pub module: Names,
    /// The other name that an import gives to a name.
    pub alias: Names,
    /// The interface that a declaration implements, and whose members it must have.
    pub implemented: Names,
    /// The parameters of a function.
    pub parameters: Names,
    /// The field of all parameters of a function, or of its only parameter.
    pub parameter_list: Names,
    /// The parameters of a generic type or function. The parameters of a function may have the same
    /// field. Those parameters are in round brackets.
    pub type_parameters: Names,
    /// The arguments of a generic type or function. The arguments of a call may have the same
    /// field. Those arguments are in round brackets.
    pub type_arguments: Names,
    /// The arguments of a call.
    pub arguments: Names,
    /// The field of all arguments of a call, or of its only argument.
    pub argument_list: Names,
    /// The function that is called.
    pub callee: Names,
    /// The function or type that is called or constructed.
    pub constructed: Names,
    /// The field of a name next to its value.
    pub bound: Names,
    /// The field of the value of a name.
    pub value: Names,
    /// The field of the aliased type, as in a `typedef`.
    pub type_value: Names,
    /// The body of a function.
    pub body: Names,
    /// The type of the value that a function returns.
    pub result: Names,
    /// The field of the statements in a requirement expression (`requires` in C++).
    pub requirements: Names,
}

/// Words and signs of a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanguageWords {
    /// Names of functions that are called from outside of the program.
    pub entry_points: Names,
    /// The beginning and the end of the names of members that the language calls implicitly.
    pub special_names: Option<(&'static str, &'static str)>,
    /// Starts of attributes that come before a statement and belong to the statement.
    pub attributes: Names,
    /// Beginnings of definitions of types.
    pub type_definitions: Names,
    /// The words that start the definition of a type with members, in languages with
    /// [overloads](Conventions::overloads).
    pub types: Names,
    /// Words before a function whose body has another effect than the function's, such as its type,
    /// or is run by the compiler.
    pub open_bodies: Names,
    /// Words before the value that a function returns.
    pub returns: Names,
    /// Words that start a statement with names from other files.
    pub imports: Names,
    /// Words that start the declaration of a variable of another file.
    pub declares: Names,
    /// Types of functions that return no value.
    pub no_value: Names,
    /// Words before the name of a declaration that may consist of several statements.
    pub namespaces: Names,
    /// Signs, other than letters, that names start with. After such a sign, all text of the token
    /// belongs to the name.
    pub sigils: Names,
    /// The sign after a name that a statement defines, in languages without fields for names.
    pub defining: Option<&'static str>,
    /// The sign and the word, with or without white space between them, at the beginning of a
    /// statement whose parts are read on a condition, such as `#if` of a preprocessor. The names of
    /// the condition are uses.
    pub conditions: Option<(&'static str, &'static str)>,
    /// The rules whose text the grammar does not divide, such as the value of a macro. Each word in
    /// it may be a name.
    pub undivided: Names,
}

/// The rules of a grammar for queries, such as SQL queries, by their role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queries {
    /// The head of a query, next to its clauses.
    pub select: Names,
    /// Several queries with operators between them.
    pub combined: Names,
    /// The operators between queries.
    pub operators: Names,
    /// The list of the results of a query.
    pub results: Names,
    /// The rules of clauses, which a query may lack.
    pub clauses: Names,
    /// Words with which a clause without its own rule begins. Such a clause ends where the parts
    /// between commas end.
    pub clause_words: Names,
    /// The signs and words between the parts of a list, of which one part suffices. Signs that bind
    /// least come last.
    pub separators: Names,
    /// The rules of expressions with an operator. An expression with a separator as its operator is
    /// a list.
    pub operations: Names,
    /// The rules of expressions that a literal may replace.
    pub expressions: Names,
    /// The rules of a table, or of a query, in a list of sources.
    pub relation: Names,
    /// The name of a table with its qualifiers.
    pub reference: Names,
    /// A single name.
    pub word: Names,
    /// A column with its qualifier.
    pub column: Names,
    /// The definition of a query that has a name.
    pub named: Names,
    /// The definition of a table.
    pub table: Names,
    /// The list of the columns of a table.
    pub table_columns: Names,
    /// A column in the list of the columns of a table.
    pub table_column: Names,
    /// A statement that adds rows.
    pub insert: Names,
    /// A row, or a list of names of columns.
    pub row: Names,
    /// The literals that may stand for an expression, best first.
    pub literals: Names,
    /// The words before and after a query of one value that turn it into a statement.
    pub whole: Option<(&'static str, &'static str)>,
}

/// Rules of a grammar without queries.
pub const NO_QUERIES: Queries = Queries {
    select: &[],
    combined: &[],
    operators: &[],
    results: &[],
    clauses: &[],
    clause_words: &[],
    separators: &[],
    operations: &[],
    expressions: &[],
    relation: &[],
    reference: &[],
    word: &[],
    column: &[],
    named: &[],
    table: &[],
    table_columns: &[],
    table_column: &[],
    insert: &[],
    row: &[],
    literals: &[],
    whole: None,
};
