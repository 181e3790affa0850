//! Tests of the invariants of trees, on one sample of each language and on bad input.

#![cfg(feature = "common-languages")]
#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::grammar::{Expr, SymbolKind};
use nubbin_grammar::syntax::{Replacement, Syntax};
use nubbin_grammar::tree::{Indented, Node, NodeId, NodeKind, Tree};
use nubbin_languages::catalogue;
use std::path::Path;
use std::sync::Arc;

fn language(name: &str) -> Arc<dyn Syntax> {
    let entry = catalogue::named(name).unwrap_or_else(|| panic!("no {name}"));
    entry.syntax().unwrap()
}

fn errors(tree: &Tree) -> usize {
    let wrong = |node: &Node| matches!(node.kind, NodeKind::Error | NodeKind::Missing);
    tree.nodes().filter(|(_, node)| wrong(node)).count()
}

/// Asserts the invariants of a tree. Returns the number of nodes that its grammar does not explain.
fn check(tree: &Tree, text: &[u8]) -> usize {
    assert!(tree.print() == text, "printing is the identity");
    let grammar = tree.grammar();
    let automata = grammar.automata();
    let mut unexplained = 0;
    for (id, node) in tree.nodes() {
        let parent = tree.parent(id).map(|parent| *tree.node(parent));
        let expr = node.expr.map(|expr| grammar.expr(expr));
        match node.kind {
            NodeKind::Rule | NodeKind::Token | NodeKind::Missing => {
                if let Some(Expr::Symbol { symbol, alias, .. }) = expr {
                    assert_eq!(node.symbol, alias.unwrap_or(symbol));
                } else {
                    assert!(expr.is_none());
                }
            }
            NodeKind::Optional => assert!(matches!(expr, Some(Expr::Optional(_)))),
            NodeKind::Repeat => {
                assert!(matches!(expr, Some(Expr::Repeat(_))));
                for child in tree.children(id).map(|child| tree.node(child)) {
                    let part = matches!(child.kind, NodeKind::Iteration | NodeKind::Separator);
                    let outside = matches!(child.kind, NodeKind::Gap | NodeKind::Error);
                    assert!(outside || part && child.expr == node.expr);
                }
            }
            NodeKind::Iteration | NodeKind::Separator => {
                assert_eq!(parent.map(|parent| parent.kind), Some(NodeKind::Repeat));
            }
            NodeKind::Gap => assert!(!node.span().is_empty()),
            NodeKind::Error => {}
        }
        if let Some(parent) = parent.filter(|_| !matches!(node.kind, NodeKind::Rule)) {
            let quantifier = matches!(
                node.kind,
                NodeKind::Optional | NodeKind::Repeat | NodeKind::Iteration | NodeKind::Separator
            );
            assert!(!quantifier || node.symbol == parent.symbol);
        }
        let is_rule = node.kind == NodeKind::Rule
            || node.kind == NodeKind::Token
                && matches!(grammar.symbol(tree.rule(id)).kind, SymbolKind::Rule(_));
        if is_rule && !automata.accepts(tree.rule(id), &tree.child_symbols(id)) {
            unexplained += 1;
        }
    }
    unexplained
}

fn sample(id: &str) -> Vec<u8> {
    sample_of(id).unwrap_or_else(|| panic!("no sample of {id}"))
}

fn sample_of(id: &str) -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let file = files.find(|path| path.file_stem().is_some_and(|stem| stem == id))?;
    Some(std::fs::read(file).unwrap())
}

#[test]
fn every_common_language_has_a_sample() {
    let without = catalogue::all().filter(|entry| sample_of(entry.id).is_none());
    let without: Vec<&str> = without.map(|entry| entry.id).collect();
    assert!(
        cfg!(feature = "all-languages") || without.is_empty(),
        "{without:?}"
    );
}

#[test]
fn samples_are_explained_to_the_last_node() {
    for entry in catalogue::all() {
        let Some(text) = sample_of(entry.id) else {
            continue;
        };
        let tree = entry.syntax().unwrap().tree(&text).unwrap();
        assert_eq!(check(&tree, &text), 0, "{}", entry.id);
        assert!(tree.len() > 100, "{}", entry.id);
        assert_eq!(errors(&tree), 0, "{}: {}", entry.id, Indented(&tree));
    }
}

#[test]
fn damaged_samples_are_kept_to_the_last_byte() {
    for entry in catalogue::all() {
        let Some(text) = sample_of(entry.id) else {
            continue;
        };
        for seed in 0..20usize {
            let at = (seed * 7919) % text.len();
            let len = (seed * 31) % 40;
            let mut damaged = text.clone();
            damaged.drain(at..(at + len).min(text.len()));
            damaged.splice(at..at, b"\0)\xff"[..seed % 4].iter().copied());
            let Some(language) = entry.language().unwrap() else {
                let tree = entry.syntax().unwrap().tree(&damaged).unwrap();
                assert_eq!(check(&tree, &damaged), 0, "{} {seed}", entry.id);
                continue;
            };
            let (tree, alignment) = language.parse(damaged.as_slice().into()).unwrap();
            let unexplained = check(&tree, &damaged);
            assert_eq!(unexplained, alignment.unexplained, "{} {seed}", entry.id);
        }
    }
}

#[test]
fn every_text_has_a_tree() {
    let texts: [&[u8]; 10] = [
        b"",
        b"\n",
        b" \t\r\n",
        b"\0\0\0",
        b"\xef\xbb\xbfint x;\n",
        b"int x;\r\nint y;\r\n",
        b"int x;\0int y;",
        b"\xff\xfe\xfd",
        b"}}}}((((",
        b"x",
    ];
    for entry in catalogue::all() {
        let language = entry.syntax().unwrap();
        for text in texts {
            let tree = language.tree(text).unwrap();
            check(&tree, text);
        }
        let Some(sample_text) = sample_of(entry.id) else {
            continue;
        };
        // The text of another language, and line ends of another system.
        let other = sample(if entry.id == "python" { "c" } else { "python" });
        let tree = language.tree(&other).unwrap();
        check(&tree, &other);
        let text = String::from_utf8(sample_text)
            .unwrap()
            .replace('\n', "\r\n");
        let tree = language.tree(text.as_bytes()).unwrap();
        check(&tree, text.as_bytes());
    }
}

#[test]
fn deep_nesting_needs_no_stack() {
    let depth = 100_000;
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let cases = [
        ("json", format!("{open}{close}")),
        ("javascript", format!("x = {open}{close};\n")),
        ("python", format!("x = {open}{close}\n")),
        (
            "c",
            format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth)),
        ),
        ("json", open),
        (
            "smt-lib",
            format!("(assert {}x{})", "(not ".repeat(20_000), ")".repeat(20_000)),
        ),
        ("smt-lib", "(".repeat(depth)),
    ];
    for (name, text) in cases {
        let tree = language(name).tree(text.as_bytes()).unwrap();
        assert!(tree.print() == text.as_bytes());
    }
}

fn shown(name: &str, text: &str) -> String {
    let tree = language(name).tree(text.as_bytes()).unwrap();
    Indented(&tree).to_string()
}

#[test]
fn lists_have_iterations_and_separators() {
    let expected = "\
<document> › (…)* › · › <array>
  \"[\"
  (…)*
    · › <number> \"1\"
    , › \",\"
    · › <true> \"true\"
  \"]\"
";
    assert_eq!(shown("json", "[1, true]"), expected);
}

#[test]
fn comments_and_hidden_tokens_are_gaps_outside_of_iterations() {
    let text = "f(a, /* c */ b) // d\n\ng()\n";
    let tree = language("javascript").tree(text.as_bytes()).unwrap();
    let grammar = tree.grammar();
    let comment = grammar.rule("comment").unwrap();
    let gaps: Vec<(&str, bool, NodeKind)> = tree
        .nodes()
        .filter(|(_, node)| node.kind == NodeKind::Gap)
        .map(|(id, node)| {
            let text = std::str::from_utf8(tree.text_of(id)).unwrap();
            let parent = tree.node(tree.parent(id).unwrap()).kind;
            (text, node.symbol == comment, parent)
        })
        .collect();
    assert_eq!(
        gaps,
        [
            (" ", false, NodeKind::Repeat),
            ("/* c */", true, NodeKind::Repeat),
            (" ", false, NodeKind::Repeat),
            // A statement without a semicolon ends at the end of the line.
            (" ", false, NodeKind::Rule),
            ("// d", true, NodeKind::Rule),
            ("\n\n", false, NodeKind::Repeat),
            ("\n", false, NodeKind::Rule),
        ]
    );
}

#[test]
fn errors_are_in_their_place() {
    let tree = language("c")
        .tree(b"int f(void) { int x = ; @@ return 1; }\n")
        .unwrap();
    assert!(errors(&tree) >= 2);
    let body = tree
        .nodes()
        .find(|(_, node)| &*tree.grammar().symbol(node.symbol).name == "compound_statement");
    let (body, _) = body.unwrap();
    let automata = tree.grammar().automata();
    assert!(automata.accepts(tree.rule(body), &tree.child_symbols(body)));
}

/// Returns the names of the rules that are iterations of the list of the whole text.
fn outer_iterations(name: &str, text: &str) -> Vec<String> {
    let tree = language(name).tree(text.as_bytes()).unwrap();
    check(&tree, text.as_bytes());
    let is_outer = |id: &NodeId| {
        let around = tree.parent(tree.parent(*id).unwrap());
        tree.node(*id).kind == NodeKind::Iteration && around == Some(NodeId::ROOT)
    };
    let iterations = tree.nodes().map(|(id, _)| id).skip(1).filter(is_outer);
    let rule = |id| tree.node(tree.children(id).next().unwrap()).symbol;
    let name = |id| String::from(&*tree.grammar().symbol(rule(id)).name);
    iterations.map(name).collect()
}

#[test]
fn declarations_in_a_text_that_is_an_error_are_iterations() {
    // The parser sees more opening brackets than closing ones, so it makes most of it an error.
    let text = "int a() { return 1; }\nint b() {\n#ifdef A\n  if (a()) {\n#else\n  if (1) {\n#endif\n  \
                }\n}\nint c() { return 2; }\nint d;\n";
    let found = outer_iterations("c", text);
    let [first, .., function, declaration] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(first, "function_definition");
    assert_eq!(
        [&**function, declaration],
        ["function_definition", "declaration"]
    );
    // All of it is an error.
    let text = "}\n#endif\nint a;\nint b() { return 2; }\n(";
    let found = outer_iterations("c", text);
    assert_eq!(found, ["declaration", "function_definition"]);
}

#[test]
fn a_blank_behind_a_macro_without_a_value_is_not_its_value() {
    let text = "#ifndef A\n#define A \n#define B \t\n#endif\nint c;\n";
    let found = outer_iterations("c", text);
    assert_eq!(found, ["preproc_ifdef", "declaration"]);
    assert_eq!(outer_iterations("cpp", text), found);
}

#[test]
fn an_alias_does_not_change_the_rule_of_a_node() {
    let tree = language("go")
        .tree(b"package p\nvar x = make([]int, 3)\nvar y = f(1)\n")
        .unwrap();
    let grammar = tree.grammar();
    let rules: Vec<&str> = tree
        .nodes()
        .filter(|(_, node)| &*grammar.symbol(node.symbol).name == "argument_list")
        .filter(|(_, node)| node.kind == NodeKind::Rule)
        .map(|(id, _)| &*grammar.symbol(tree.rule(id)).name)
        .collect();
    assert_eq!(rules, ["special_argument_list", "argument_list"]);
}

#[test]
fn the_root_covers_text_that_the_parser_leaves_out() {
    let text = b"\n\n  int x;  \n\n";
    let tree = language("c").tree(text).unwrap();
    assert_eq!(tree.node(NodeId::ROOT).span(), 0..text.len());
}

#[test]
fn threads_share_a_language() {
    let language = language("rust");
    let text = sample("rust");
    let sizes: Vec<usize> = std::thread::scope(|scope| {
        let parse = || language.tree(&text).unwrap().len();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(parse)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(sizes.iter().all(|size| *size == sizes[0]));
}

#[test]
fn the_shortest_phrases_of_a_language_fit_it() {
    let cases = [
        ("c", "return_statement", "return;"),
        ("c", "do_statement", "do;while(a);"),
        ("c", "type_definition", "typedef a a;"),
        ("javascript", "class_declaration", "class a{}"),
        ("smt-lib", "signature", "(a()a)"),
    ];
    for (name, rule, expected) in cases {
        let language = language(name);
        let grammar = language.grammar();
        let rule = grammar.rule(rule).unwrap();
        let text = grammar.facts().min_yield(grammar, rule, 100).unwrap();
        assert_eq!(String::from_utf8_lossy(&text), expected, "{name}");
    }
}

#[test]
fn parsing_a_change_equals_parsing_anew() {
    let mut same = 0;
    let mut all = 0;
    for entry in catalogue::all() {
        let Some(text) = sample_of(entry.id) else {
            continue;
        };
        let language = entry.syntax().unwrap();
        let mut tree = language.tree(&text).unwrap();
        for seed in 1..20usize {
            let len = tree.text().len();
            let start = (seed * 7919) % len;
            let change = Replacement {
                span: start..start + (seed * 31) % 20,
                text: &b" a(b) \n"[..seed % 8],
            };
            let again = language.reparse(&tree, &change).unwrap();
            let anew = language.tree(&change.apply(tree.text())).unwrap();
            assert!(again.text() == anew.text());
            check(&again, anew.text());
            all += 1;
            if errors(&anew) == 0 {
                assert_eq!(errors(&again), 0, "{} {seed}", entry.id);
            }
            same += usize::from(again.nodes().eq(anew.nodes()));
            // The next change starts from the text that still fits.
            if errors(&again) == 0 {
                tree = again;
            }
        }
    }
    // If neither text fits, two ways to divide the text are equally good.
    assert!(same * 100 >= all * 95, "{same} of {all} are the same");
}

#[test]
fn text_that_a_parser_does_not_know_is_kept_in_its_place() {
    let text = "namespace std __attribute__ ((__visibility__ (\"default\")))\n{\n  int a;\n  \
                extern template int f(int);\n}\n";
    let language = language("cpp");
    let tree = language.tree(text.as_bytes()).unwrap();
    assert_eq!(errors(&tree), 0);
    assert_eq!(language.misfits(text.as_bytes()), 0);
    check(&tree, text.as_bytes());
    let texts = |rule: &str| -> Vec<String> {
        let is_rule = |node: &Node| {
            node.kind == NodeKind::Rule && &*tree.grammar().symbol(node.symbol).name == rule
        };
        let nodes = tree.nodes().filter(|(_, node)| is_rule(node));
        nodes
            .map(|(id, _)| String::from_utf8_lossy(tree.text_of(id)).into_owned())
            .collect()
    };
    assert_eq!(
        texts("template_instantiation"),
        ["extern template int f(int);"]
    );
    assert_eq!(texts("namespace_definition"), [text.trim_end()]);
    let first = language.tree(b"extern template int f(int);").unwrap();
    let is_whole = |(id, node): (NodeId, &Node)| {
        &*first.grammar().symbol(node.symbol).name == "template_instantiation"
            && node.kind == NodeKind::Rule
            && first.text_of(id).starts_with(b"extern")
    };
    assert!(first.nodes().any(is_whole));
    // The attribute follows a word in front of it.
    let change = Replacement {
        span: 0.."namespace".len(),
        text: b"int",
    };
    let again = language.reparse(&tree, &change).unwrap();
    let anew = language.tree(again.text()).unwrap();
    assert!(again.nodes().eq(anew.nodes()));
    let back = Replacement {
        span: 0..3,
        text: b"namespace",
    };
    let back = language.reparse(&again, &back).unwrap();
    assert!(back.nodes().eq(tree.nodes()));
}

#[test]
fn hidden_rules_that_begin_with_themselves_are_explained() {
    let text = b"fn f() { if let A = a && b && c && let D = d && e { } }\n";
    let language = catalogue::named("rust").unwrap().language().unwrap();
    let (tree, alignment) = language.unwrap().parse(text.as_slice().into()).unwrap();
    assert_eq!((check(&tree, text), alignment.unexplained), (0, 0));
}

#[test]
fn stand_ins_for_bodies_parse_in_every_body() {
    let mut with_bodies = vec![];
    for entry in catalogue::all() {
        let Some(text) = sample_of(entry.id) else {
            continue;
        };
        let syntax = entry.syntax().unwrap();
        let tree = syntax.tree(&text).unwrap();
        let grammar = tree.grammar();
        for (id, node) in tree.nodes() {
            let around = tree.parent(id).map(|around| tree.rule(around));
            let stand_in = around.and_then(|around| grammar.stand_in(tree.rule(id), around));
            let Some(stand_in) = stand_in.filter(|_| node.kind == NodeKind::Rule) else {
                continue;
            };
            with_bodies.push(entry.id);
            let old = node.span();
            let end = old.start + text[old.clone()].trim_ascii_end().len();
            let valued = around.and_then(|around| grammar.valued_stand_in(tree.rule(id), around));
            for stand_in in std::iter::once(stand_in).chain(valued) {
                let stubbed = [&text[..old.start], &**stand_in, &text[end..]].concat();
                let misfits = syntax.misfits(&stubbed);
                assert_eq!(misfits, 0, "{}", String::from_utf8_lossy(&stubbed));
            }
        }
    }
    with_bodies.dedup();
    let known = [
        "c",
        "cpp",
        "rust",
        "javascript",
        "typescript",
        "python",
        "java",
        "go",
        "bash",
    ];
    for id in known {
        assert!(with_bodies.contains(&id), "{id} has none: {with_bodies:?}");
    }
}

#[test]
fn python_is_stricter_than_its_parser() {
    let python = catalogue::named("python")
        .unwrap()
        .language()
        .unwrap()
        .unwrap();
    let unexplained = |text: &str| {
        let (_, alignment) = python.parse(text.as_bytes().into()).unwrap();
        alignment.unexplained
    };
    let whole = [
        "try:\n  a\nexcept E as e:\n  b\n",
        "try:\n  a\nfinally:\n  b\n",
        "try:\n  a\nexcept:\n  b\nelse:\n  c\nfinally:\n  d\n",
        "try: a\nexcept* E: b\n",
        "if a: b; c\nelse:\n  pass\n",
    ];
    for text in whole {
        assert_eq!(unexplained(text), 0, "{text}");
    }
    assert!(unexplained("try:\n  a\nx = 1\n") > 0);
}

/// Reads every command of SMT-LIB 2.6, every kind of term, and extensions of solvers, and also
/// texts that no solver should accept.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn commands_of_smt_lib_have_the_shape_of_the_standard() {
    let right = [
        "(set-logic QF_UFLIA)",
        "(set-option :produce-models true)",
        "(set-info :status unsat)",
        "(declare-sort e 0)",
        "(define-sort S (A B) (Array A B))",
        "(declare-const a Int)",
        "(declare-fun f (Int Bool) Int)",
        "(define-fun f ((a Int)) Int (+ a 1))",
        "(define-fun-rec f ((a Int)) Int (f a))",
        "(define-funs-rec ((f ((a Int)) Int)) (1))",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))",
        "(declare-datatype L (par (T) ((nil) (cons (head T) (tail (L T))))))",
        "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))",
        "(assert (! (> a 0) :named n))",
        "(assert (let ((a 1) (b 2)) (= a b)))",
        "(assert (forall ((a Int) (b Int)) (exists ((c Int)) (= a b c))))",
        "(assert (match l ((nil true) ((cons h t) (p h)))))",
        "(assert (= ((as const (Array Int Int)) 0) ((_ extract 7 0) x) #xff #b1 \"a\"))",
        "(push 1)",
        "(pop 1)",
        "(check-sat)",
        "(check-sat-assuming (a (not b)))",
        "(get-value (a (f 1)))",
        "(get-info :name)",
        "(get-option :produce-models)",
        "(echo \"a\")",
        "(get-model)(get-assertions)(get-assignment)(get-proof)",
        "(get-unsat-core)(get-unsat-assumptions)(reset)(reset-assertions)(exit)",
        // Beside the standard.
        "(push)(pop)",
        "(declare-datatypes () ((L nil (cons (head Int) (tail L)))))",
        "(declare-datatypes ((C 0)) ((red green)))",
        "(check-sat-using smt)",
        "(assert (f))",
    ];
    let wrong = [
        "(set-logic)",
        "(set-option)",
        "(set-info 1)",
        "(declare-sort e)",
        "(declare-sort 0)",
        "(declare-sort)",
        "(declare-sort e f)",
        "(define-sort S Int)",
        "(define-sort S ())",
        "(declare-const a)",
        "(declare-const a Int Int)",
        "(declare-fun f Int)",
        "(declare-fun f ())",
        "(define-fun f () Int)",
        "(define-fun f (a) Int a)",
        "(define-fun-rec f ((a Int)) Int)",
        "(define-funs-rec () ())",
        "(define-funs-rec ((f () Int)))",
        "(declare-datatype L)",
        "(declare-datatype L ())",
        "(declare-datatypes ((L)) (((nil))))",
        "(declare-datatypes ((L 0)))",
        "(assert)",
        "(assert a b)",
        "(assert ())",
        "(assert (let () a))",
        "(assert (let ((a)) a))",
        "(assert (let ((a 1))))",
        "(assert (forall () a))",
        "(assert (forall ((a)) a))",
        "(assert (exists ((a Int))))",
        "(assert (match l ()))",
        "(assert (! a))",
        "(assert (as a))",
        "(assert (_ a))",
        "(push a)",
        "(pop 1 2)",
        "(check-sat a)",
        "(check-sat-assuming)",
        "(get-value ())",
        "(get-info a)",
        "(get-option)",
        "(echo a)",
        "(exit 1)",
    ];
    let language = language("smt-lib");
    let fits = |text: &str| {
        let tree = language.tree(text.as_bytes()).unwrap();
        tree.nodes().all(|(_, node)| node.kind != NodeKind::Error)
    };
    for text in right {
        assert!(fits(text), "{text}");
    }
    for text in wrong {
        assert!(!fits(text), "{text}");
    }
}

#[test]
fn a_tree_that_is_known_is_that_of_a_new_parse() {
    let language = catalogue::named("c").unwrap().language().unwrap().unwrap();
    let text = b"int f( { int x = ; }\nint g;\n".as_slice();
    let before = language.tree(b"int f() { int x = ; }\nint g;\n").unwrap();
    let change = Replacement {
        span: 6..7,
        text: b"",
    };
    // This tree is made with parts of another one, so it does not count as known.
    let made = language.reparse(&before, &change).unwrap();
    assert_eq!(&**made.text(), text);
    let count = language.misfits(text);
    assert!(count > 0);
    let first = language.tree(text).unwrap();
    for _ in 0..9 {
        let again = language.tree(text).unwrap();
        assert!(again.nodes().eq(first.nodes()));
        assert_eq!(language.misfits(text), count);
        // Other texts come between.
        language.tree(b"int a;").unwrap();
        assert_eq!(language.misfits(b"int b;"), 0);
    }
}
