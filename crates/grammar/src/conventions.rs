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
    /// Whether a name may have several definitions in one place that differ in the types of their
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
    /// A name that a statement defines.
    pub defined: Names,
    /// A name by which other code refers to a declaration with parts.
    pub named: Names,
    /// The target of an assignment.
    pub assigned: Names,
    /// A name that is a part of something else.
    pub member: Names,
    /// The value that has the member.
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
    /// The parameters of a function, or its only parameter.
    pub parameter_list: Names,
    /// The parameters of a generic type or function. The parameters of a function may have the same
    /// field. They are in round brackets.
    pub type_parameters: Names,
    /// The arguments of a generic type or function. The arguments of a call may have the same
    /// field. They are in round brackets.
    pub type_arguments: Names,
    /// The arguments of a call.
    pub arguments: Names,
    /// The arguments of a call, or its only argument.
    pub argument_list: Names,
    /// The function that is called.
    pub callee: Names,
    /// The function or type that is called or constructed.
    pub constructed: Names,
    /// A name next to the value for which it stands.
    pub bound: Names,
    /// The value for which a name stands.
    pub value: Names,
    /// The type for which a name stands.
    pub type_value: Names,
    /// The body of a function.
    pub body: Names,
    /// The type of the value that a function returns.
    pub result: Names,
    /// The statements of an expression.
    pub requirements: Names,
}

/// Words and signs of a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanguageWords {
    /// Functions that are called from outside.
    pub entry_points: Names,
    /// The beginning and the end of the names of members that the language calls implicitly.
    pub special_names: Option<(&'static str, &'static str)>,
    /// Beginnings of attributes that come before a statement and belong to it.
    pub attributes: Names,
    /// Beginnings of definitions of types.
    pub type_definitions: Names,
    /// The words with which the definition of a type with members begins, in languages with
    /// [overloads](Conventions::overloads).
    pub types: Names,
    /// Words before a function whose body has another effect than the function's, such as its type,
    /// or is run by the compiler.
    pub open_bodies: Names,
    /// Words before the value that a function returns.
    pub returns: Names,
    /// Words with which a statement begins that takes names from other files.
    pub imports: Names,
    /// Words with which the declaration of a variable begins that another file defines.
    pub declares: Names,
    /// Types of functions that return no value.
    pub no_value: Names,
    /// Words before the name of a declaration that may consist of several statements.
    pub namespaces: Names,
    /// Signs with which names begin and that are not letters. After such a sign, all text of the
    /// token belongs to the name.
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
    /// Clauses, which a query may lack.
    pub clauses: Names,
    /// Words with which a clause without its own rule begins. Such a clause ends where the parts
    /// between commas end.
    pub clause_words: Names,
    /// The signs and words between the parts of a list of which one part is enough. Signs that bind
    /// least are at the end.
    pub separators: Names,
    /// Expressions with an operator, of which those with a separator are lists.
    pub operations: Names,
    /// Expressions, which may be a literal.
    pub expressions: Names,
    /// A table or a query in the list that a query reads.
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
