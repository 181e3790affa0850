use nubbin_grammar::sorts::{
    Binder, BoundTo, Connective, Declaration, Gives, Indexed, Literal, LiteralSort, Operator,
    SortRules, Vectors,
};

/// The sorts of SMT-LIB 2.6, and of operators that solvers add.
pub static SMT_LIB: SortRules = SortRules {
    commands: &[
        "assert",
        "declare-fun",
        "declare-const",
        "define-fun",
        "define-fun-rec",
        "define-const",
        "check-sat",
        "set-logic",
    ],
    terms: &[
        ("assert", 1),
        ("minimize", 1),
        ("maximize", 1),
        ("simplify", 1),
        ("define-fun", 4),
        ("define-fun-rec", 4),
        ("define-const", 3),
    ],
    no_terms: &["_", "as"],
    // Z3 reads `if` as `ite`.
    reserved: &["if"],
    declarations: &[
        declared_sort("declare-sort"),
        declared_sort("define-sort"),
        Declaration {
            command: "declare-const",
            parameters: None,
            sort: Some(2),
            has_body: false,
        },
        Declaration {
            command: "define-const",
            parameters: None,
            sort: Some(2),
            has_body: true,
        },
        Declaration {
            command: "declare-fun",
            parameters: Some(2),
            sort: Some(3),
            has_body: false,
        },
        Declaration {
            command: "define-fun",
            parameters: Some(2),
            sort: Some(3),
            has_body: true,
        },
        Declaration {
            command: "define-fun-rec",
            parameters: Some(2),
            sort: Some(3),
            has_body: true,
        },
    ],
    datatypes: &[
        "declare-datatype",
        "declare-datatypes",
        "declare-codatatype",
        "declare-codatatypes",
    ],
    tester: "is-",
    asserts: &["assert"],
    truth: "Bool",
    binders: &[
        binder("let", 1, BoundTo::Term, true),
        binder("forall", 1, BoundTo::Sort, true),
        binder("exists", 1, BoundTo::Sort, true),
        binder("lambda", 1, BoundTo::Sort, false),
        binder("choice", 1, BoundTo::Sort, false),
        binder("define-fun", 2, BoundTo::Sort, false),
        binder("define-fun-rec", 2, BoundTo::Sort, false),
    ],
    annotations: &["!"],
    connectives: &[
        Connective {
            operators: &["and"],
            neutral: &["true"],
            absorbing: &["false"],
        },
        Connective {
            operators: &["or"],
            neutral: &["false"],
            absorbing: &["true"],
        },
        Connective {
            operators: &["+"],
            neutral: &["0", "0.0"],
            absorbing: &[],
        },
        Connective {
            operators: &["*"],
            neutral: &["1", "1.0"],
            absorbing: &["0", "0.0"],
        },
        Connective {
            operators: &["str.++"],
            neutral: &["\"\""],
            absorbing: &[],
        },
    ],
    negation: ("not", "true", "false"),
    conjunction: "and",
    equality: "=",
    implication: "=>",
    conditional: "ite",
    plain: &[("check-sat-assuming", "check-sat")],
    scopes: &[("push", "pop")],
    literals: &[
        (Literal::Is(&["true", "false"]), LiteralSort::Sort("Bool")),
        (Literal::Begins("\""), LiteralSort::Sort("String")),
        (Literal::Begins("#b"), LiteralSort::Bits(1)),
        (Literal::Begins("#x"), LiteralSort::Bits(4)),
        (Literal::Decimal, LiteralSort::Sort("Real")),
        (Literal::Numeral, LiteralSort::Sort("Int")),
    ],
    operators: &[
        (Operator::Is(&["let"]), Gives::Argument(&[1])),
        (Operator::Is(&["!"]), Gives::Argument(&[0])),
        (Operator::Is(&["ite"]), Gives::Argument(&[1, 2])),
        (Operator::Is(&["_"]), Gives::VectorLiteral),
        (Operator::Is(&["+", "-", "*", "store"]), Gives::AnyArgument),
        (Operator::Is(&["select"]), Gives::PartOfSort(2)),
        (Operator::Is(BOOL), Gives::Sort("Bool")),
        (Operator::Is(INT), Gives::Sort("Int")),
        (
            Operator::Is(&["/", "to_real", "fp.to_real"]),
            Gives::Sort("Real"),
        ),
        (
            Operator::Is(&["str.to_re", "str.to.re"]),
            Gives::Sort("RegLan"),
        ),
        (Operator::Is(&["concat"]), Gives::WidthsTogether),
        (Operator::Is(&["bvcomp"]), Gives::Sort("(_ BitVec 1)")),
        (Operator::Begins(&["fp.is"]), Gives::Sort("Bool")),
        // The first argument is a rounding mode.
        (Operator::Begins(&["fp."]), Gives::Argument(&[1, 0])),
        (Operator::Begins(&["re."]), Gives::Sort("RegLan")),
        (Operator::Begins(&["str."]), Gives::Sort("String")),
        (
            Operator::Begins(&["bvul", "bvug", "bvsl", "bvsg"]),
            Gives::Sort("Bool"),
        ),
        (Operator::Begins(&["bv"]), Gives::AnyArgument),
    ],
    ascription: "as",
    indexed: &[
        (&["is"], Indexed::Sort("Bool")),
        (&["rotate_left", "rotate_right"], Indexed::Argument),
        (&["extract"], Indexed::Range),
        (&["zero_extend", "sign_extend"], Indexed::Wider),
        (&["repeat"], Indexed::Times),
        (
            &["int2bv", "int_to_bv", "fp.to_ubv", "fp.to_sbv"],
            Indexed::Width,
        ),
        (
            &["to_fp", "to_fp_unsigned"],
            Indexed::Numbers("(_ FloatingPoint ", ")"),
        ),
    ],
    least: &[
        ("Bool", &["true", "false"]),
        ("Int", &["0"]),
        ("Real", &["0.0"]),
        ("String", &["\"\""]),
    ],
    next_least: &[("Int", "1"), ("Real", "1.0")],
    vectors: Vectors {
        sort_before: "(_ BitVec ",
        sort_behind: ")",
        binary: "#b",
        hexadecimal: "#x",
        index: "_",
        number: "bv",
    },
};

const fn declared_sort(command: &'static str) -> Declaration {
    Declaration {
        command,
        parameters: None,
        sort: None,
        has_body: false,
    }
}

const fn binder(head: &'static str, at: usize, to: BoundTo, may_go: bool) -> Binder {
    Binder {
        head,
        at,
        to,
        may_go,
    }
}

const BOOL: &[&str] = &[
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "<",
    "<=",
    ">",
    ">=",
    "forall",
    "exists",
    "is_int",
    "str.prefixof",
    "str.suffixof",
    "str.contains",
    "str.<",
    "str.<=",
    "str.in_re",
    "str.in.re",
    "str.is_digit",
    "fp.lt",
    "fp.leq",
    "fp.gt",
    "fp.geq",
    "fp.eq",
    "set.member",
    "set.subset",
];

const INT: &[&str] = &[
    "div",
    "mod",
    "abs",
    "to_int",
    "str.len",
    "str.indexof",
    "str.to_int",
    "str.to_code",
    "bv2nat",
    "seq.len",
    "str.to.int",
];
