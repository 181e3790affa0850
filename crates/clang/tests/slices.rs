//! Slices of small programs by the libclang of this machine.

#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;

use nubbin_clang::{ClangError, Facts, ItemKind, Request, arguments, read};
use skip::skipped;

/// Returns the facts about a text with the item at each of some words as a root; `None` without
/// libclang.
fn facts(text: &str, words: &[&str], runs: bool) -> Option<Facts> {
    facts_in("-std=c++17", text, words, runs)
}

fn facts_in(standard: &str, text: &str, words: &[&str], runs: bool) -> Option<Facts> {
    let at = |word: &&str| {
        let start = text.find(word).expect("the text has each root") as u32;
        start..start + word.len() as u32
    };
    let request = Request {
        text: text.to_owned(),
        arguments: arguments([standard].into_iter(), "cpp"),
        root_sets: vec![words.iter().map(at).collect()],
        runs,
        seconds: 60,
        ..Request::default()
    };
    match read(&request, &mut |_, _| true) {
        Ok(facts) => Some(facts),
        Err(ClangError::Missing(_)) => {
            skipped("libclang");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Returns the words of the first slice.
fn slice(text: &str, words: &[&str], runs: bool) -> Option<String> {
    facts(text, words, runs).map(|facts| first(text, &facts))
}

/// Returns the words of the first slice of a text in C++20.
fn cpp20(text: &str, word: &str) -> Option<String> {
    facts_in("-std=c++20", text, &[word], false).map(|facts| first(text, &facts))
}

fn first(text: &str, facts: &Facts) -> String {
    let first = facts.slices.first().expect("clang accepts a slice");
    let kept = &first.kept;
    let (mut out, mut from) = (String::new(), 0);
    for (at, item) in (0..).zip(&facts.items) {
        if item.start >= from && !kept.contains(&at) {
            out += &text[from as usize..item.start as usize];
            out += item.kind.stand_in();
            from = item.end;
        }
    }
    out += &text[from as usize..];
    let words: Vec<_> = out.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn overloads_and_members_are_those_that_are_used() {
    let text = "
        struct A { int m; A(int); ~A(); int f() const { return m; } int g(); };
        struct B { int n; };
        int over(const A &a) { return a.f(); }
        int over(const B &b) { return b.n; }
        int use() { A a(1); return over(a); }";
    let Some(slice) = slice(text, &["return over(a)"], false) else {
        return;
    };
    let expected =
        "struct A { A(int); }; int over(const A &a) ; int use() { A a(1); return over(a); }";
    assert_eq!(slice, expected);
}

#[test]
fn bodies_are_kept_where_the_program_has_to_run() {
    let text = "
        int last() { return 3; }
        int next() { return last(); }
        int other() { return next(); }
        int main() { return next(); }";
    let Some(slice) = slice(text, &["main"], true) else {
        return;
    };
    let expected =
        "int last() { return 3; } int next() { return last(); } int main() { return next(); }";
    assert_eq!(slice, expected);
}

#[test]
fn needs_of_an_instance_of_a_template_are_found_by_its_errors() {
    let text = "
        namespace n {
          struct one { typedef int type; void unused(); };
          template<class T> struct get { typedef typename T::type type; type value(); };
          template<class T> struct get<T *> { typedef int *type; };
          template<class T> typename get<T>::type call(T t) { return get<T>().value(); }
          template<class T> void call(T t, int);
        }
        int use(n::one o) { return n::call(o); }";
    let Some(slice) = slice(text, &["return n::call"], true) else {
        return;
    };
    assert!(slice.contains("typedef int type;"), "{slice}");
    assert!(slice.contains("type value();"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
    assert!(!slice.contains("call(T t, int)"), "{slice}");
}

#[test]
fn declarations_in_nested_namespaces_are_items() {
    let text = "
        namespace a::b { class unused; class used; void g(); }
        namespace a { namespace b { class used { int m; }; } }
        a::b::used *use(a::b::used *it) { return it; }";
    let Some(slice) = slice(text, &["return it"], false) else {
        return;
    };
    assert!(slice.contains("class used;"), "{slice}");
    assert!(
        !slice.contains("unused") && !slice.contains("g()"),
        "{slice}"
    );
}

#[test]
fn variables_of_templates_are_found_in_concepts() {
    let text = "
        template<class T> constexpr bool is_small = sizeof(T) < 8;
        template<class T> constexpr bool is_large = sizeof(T) > 8;
        template<class T> concept small = is_small<T>;
        template<class T> concept large = is_large<T>;
        template<small T> int take(T) { return 0; }
        int use() { return take('a'); }";
    let Some(slice) = cpp20(text, "return take") else {
        return;
    };
    assert!(slice.contains("bool is_small"), "{slice}");
    assert!(!slice.contains("is_large"), "{slice}");
}

#[test]
fn a_specialization_that_a_constraint_asks_for_is_found_by_its_error() {
    let text = "
        template<class T> constexpr bool enabled = false;
        template<class T> constexpr bool unused = false;
        struct A {};
        template<> constexpr bool enabled<A> = true;
        template<> constexpr bool unused<A> = true;
        template<class T> concept on = enabled<T>;
        template<on T> int take(T) { return 0; }
        int use() { return take(A()); }";
    let Some(slice) = cpp20(text, "return take") else {
        return;
    };
    assert!(slice.contains("bool enabled<A> = true"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn only_the_statements_that_the_wrong_one_needs_are_kept() {
    let text = "
        struct A { int m; };
        struct B { int n; };
        void other(B);
        int use(A a) {
            A first = a;
            B second; other(second);
            for (int i = 0; i < 3; i++) { other(second); int third = first.missing; }
            other(second);
            return 0;
        }";
    let Some(slice) = slice(text, &["first.missing"], false) else {
        return;
    };
    let expected = "struct A { }; int use(A a) { A first = a; \
                    for (int i = 0; i < 3; i++) { int third = first.missing; } return 0; }";
    assert_eq!(slice, expected);
}

#[test]
fn a_directive_keeps_a_namespace_of_its_name_before_it() {
    // The later part of the namespace, which is used, is behind the directive.
    let text = "namespace n { int unused(); }\n\
        namespace m { using namespace n; namespace o = n; }\n\
        namespace n { template <class T> int used(T t) { return t; } }\n\
        int f(int b) { return m::used(b) + m::o::used(b); }";
    let Some(slice) = slice(text, &["return m::used"], false) else {
        return;
    };
    let expected = "namespace n { } namespace m { using namespace n; namespace o = n; }";
    assert!(slice.starts_with(expected), "{slice}");
    assert!(slice.contains("int used(T t)"), "{slice}");
}

#[test]
fn a_class_keeps_the_types_that_templates_ask_for() {
    let text = "template <class T> struct always { typedef void type; };\n\
        template <class T, class = void> struct tag_of { static const int value = 0; };\n\
        template <class T> struct tag_of<T, typename always<typename T::tag>::type> {\n\
            static const int value = 1; };\n\
        struct S { typedef int tag; typedef int a; typedef int b; typedef int c; typedef int d; };\n\
        template <int> struct take; template <> struct take<1> { int x; };\n\
        int f(take<tag_of<S>::value> *t) { return t->x; }";
    let Some(slice) = slice(text, &["return t->x"], false) else {
        return;
    };
    assert!(slice.contains("typedef int tag;"), "{slice}");
    assert!(!slice.contains("typedef int d;"), "{slice}");
}

#[test]
fn a_statement_keeps_the_names_that_a_using_directive_makes_known() {
    let text = "namespace n { const int a = 1; } int unused;\n\
        int f(int b) { using namespace n; int c = b; switch (b & a) { case 0: return 1; } \
        return c; }";
    let Some(slice) = slice(text, &["b & a"], false) else {
        return;
    };
    assert!(slice.contains("using namespace n;"), "{slice}");
    assert!(slice.contains("const int a = 1;"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn a_constructor_that_converts_is_found_by_the_note_of_an_error() {
    let text = "struct A { int a; }; struct B : A {}; struct Unused {};\n\
        template <class T> struct P { P(T *p) : p(p) {} \
        template <class U> P(const P<U> &o) : p(o.p) {} T *p; };\n\
        struct S { P<A> a; S(P<A> a) : a(a) {} };\n\
        P<B> make();\n\
        int main() { S s(make()); return s.a.p->a; }";
    let Some(slice) = slice(text, &["s(make())"], false) else {
        return;
    };
    assert!(slice.contains("P(const P<U> &o)"), "{slice}");
    assert!(!slice.contains("Unused"), "{slice}");
}

#[test]
fn all_statements_of_a_body_are_in_a_second_slice() {
    let text = "
        struct A { int m; };
        struct B { int n; };
        int use(A a, B b) { b.n = 1; return a.missing; }";
    let Some(facts) = facts(text, &["a.missing"], false) else {
        return;
    };
    let slices: Vec<bool> = facts
        .slices
        .iter()
        .map(|slice| {
            let is_statement = |at: &&u32| facts.items[**at as usize].kind == ItemKind::Statement;
            slice.kept.iter().filter(is_statement).count() == 2
        })
        .collect();
    assert!(!slices[0] && slices.contains(&true), "{slices:?}");
}

#[test]
fn an_error_of_the_whole_text_elsewhere_is_left_out() {
    let text = "
        strange unknown();
        struct A { int m; };
        int f(A a) { return a.missing; }
        int g() { return unknown(); }";
    let Some(slice) = slice(text, &["a.missing"], false) else {
        return;
    };
    assert!(
        slice.contains("a.missing") && !slice.contains("strange"),
        "{slice}"
    );
}

#[test]
fn an_error_of_the_whole_text_stays() {
    let text = "
        struct A { int m; };
        struct B { int n; };
        int f(A a) { return a.missing; }
        int g(B b) { return b.missing; }";
    let Some(slice) = slice(text, &["a.missing"], false) else {
        return;
    };
    assert!(
        slice.contains("a.missing") && !slice.contains("B"),
        "{slice}"
    );
}

#[test]
fn code_of_a_library_on_the_way_to_the_failure_is_kept() {
    let text = "
        template<class T> struct less {
          bool operator()(const T &a, const T &b) { return a < b; }
        };
        template<class T> struct map {
          int at(T a) { return less<T>()(a, a); }
          int other(T a) { return at(a); }
        };
        struct key { int m; };
        int use(map<key> all, key k) { return all.at(k); }";
    let Some(slice) = slice(text, &["all.at(k)"], false) else {
        return;
    };
    assert!(slice.contains("return a < b;"), "{slice}");
    assert!(!slice.contains("other"), "{slice}");
}

#[test]
fn a_deleted_member_of_a_class_that_the_failure_names_is_kept() {
    let text = "
        template<class T> struct holder { T t; holder(const T &x) : t(x) {} };
        struct fixed { int m; fixed(const fixed &) = delete; int unused(); };
        void use(const fixed &f) { holder<fixed> h(f); }";
    let Some(slice) = slice(text, &["h(f)"], false) else {
        return;
    };
    assert!(slice.contains("= delete;"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn an_error_in_the_head_of_a_function_needs_its_definition() {
    let text = "
        template<class T> struct box { T &&m; static_assert(sizeof(T) > 8); };
        void other();
        box<int> use() { other(); return box<int>(); }";
    let Some(slice) = slice(text, &["use"], false) else {
        return;
    };
    assert!(slice.contains("box<int> use() {"), "{slice}");
    assert!(!slice.contains("other"), "{slice}");
}

#[test]
fn functions_in_signatures_are_kept_although_no_error_names_them() {
    let text = "
        template<class...> struct make { typedef void type; };
        template<class T> T &&own(int);
        template<class T> T own(long);
        template<class T> auto value() -> decltype(own<T>(0));
        template<class T, class = void> struct has { static const int is = 0; };
        template<class T> struct has<T, typename make<decltype(value<T>().m)>::type> {
          static const int is = 1;
        };
        struct A { int m; };
        int use() { return has<A>::is; }";
    let Some(slice) = slice(text, &["return has"], true) else {
        return;
    };
    assert!(slice.contains("T &&own(int);"), "{slice}");
    assert!(slice.contains("T own(long);"), "{slice}");
}

#[test]
fn a_class_that_compilers_fill_keeps_its_fields() {
    let text = "
        namespace std {
          template<class T> class initializer_list {
            const T *all; unsigned long count;
          public:
            unsigned long size() const { return count; }
          };
        }
        int take(std::initializer_list<int>);
        int use() { return take({1, 2}); }";
    let Some(slice) = slice(text, &["return take"], false) else {
        return;
    };
    let fields = "const T *all; unsigned long count;";
    assert!(slice.contains(fields), "{slice}");
    assert!(!slice.contains("size()"), "{slice}");
}

#[test]
fn items_tile_their_scope_in_any_text() {
    let texts = [
        "",
        "}}} namespace { struct { int a",
        "int f( { ; } template<class T struct X { void g() }; int x = ;",
        "#if 1\nint a;\n#else\nint a\n#endif\nint b;\n",
        "struct S { int m; } a, *b; typedef struct { int n; } T, *U; enum { X, Y } e;",
        "# 1 \"a.h\" 1 3\nextern \"C\" { int f(); }\n# 2 \"a.c\" 2\nextern \"C\" int g();",
        "\u{e9}t\u{e9} int \u{e9}; // \u{1f600}\nint b;",
    ];
    for text in texts {
        let Some(facts) = facts(text, &[], false) else {
            return;
        };
        let mut open: Vec<u32> = vec![];
        for (at, item) in (0..).zip(&facts.items) {
            let is_within = |outer: u32| item.end <= facts.items[outer as usize].end;
            while open
                .last()
                .is_some_and(|&outer| item.start >= facts.items[outer as usize].end)
            {
                open.pop();
            }
            assert_eq!(item.parent, open.last().copied(), "{text}");
            assert!(open.iter().all(|outer| is_within(*outer)), "{text}");
            assert!(
                item.start < item.end && item.end as usize <= text.len(),
                "{text}"
            );
            open.push(at);
        }
    }
}

#[test]
fn without_roots_the_file_itself_is_kept_with_its_needs() {
    let unused: String = (0..9).map(|nth| format!("int unused{nth}();\n")).collect();
    let text = "# 1 \"a.cpp\"\n# 1 \"a.h\" 1 3\nint used();\n".to_owned()
        + &unused
        + "# 2 \"a.cpp\" 2\nint own() { return used(); }\nint second();\n";
    let Some(slice) = slice(&text, &[], true) else {
        return;
    };
    let expected =
        "# 1 \"a.h\" 3 int used(); # 2 \"a.cpp\" int own() { return used(); } int second();";
    assert_eq!(slice, expected);
}

/// Returns the words of the first slice for a test that asks for these words, and says no place.
fn asked(text: &str, words: &[&str], runs: bool) -> Option<String> {
    let request = Request {
        text: text.to_owned(),
        arguments: arguments(["-std=c++17", "-Wall"].into_iter(), "cpp"),
        words: words.iter().map(|&word| word.to_owned()).collect(),
        runs,
        seconds: 60,
        ..Request::default()
    };
    match read(&request, &mut |_, _| true) {
        Ok(facts) => Some(first(text, &facts)),
        Err(ClangError::Missing(_)) => {
            skipped("libclang");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// An error, and a warning of `-Wall`.
const TWO_MESSAGES: &str = "struct A { A() = delete; }; int f() { A a; return 0; } \
     int g() { int unused; return 1; } int main() { return g(); }";

#[test]
fn the_error_that_a_test_asks_for_is_the_root_of_a_slice() {
    let Some(slice) = asked(TWO_MESSAGES, &["deleted", "constructor"], true) else {
        return;
    };
    assert!(slice.contains("A a;") && !slice.contains("main"), "{slice}");
}

#[test]
fn the_warning_that_a_test_asks_for_is_the_root_of_a_slice() {
    let text = "struct A { int b; }; int f(A *a) { return a = a, 0; } \
                int g() { int unused; return 1; } int main() { return g(); }";
    let Some(slice) = asked(text, &["Wunused", "variable"], false) else {
        return;
    };
    assert!(slice.contains("int unused;"), "{slice}");
    assert!(
        !slice.contains("main") && !slice.contains("struct A"),
        "{slice}"
    );
}

#[test]
fn without_markers_the_text_behind_the_library_is_the_file_itself() {
    let library = "namespace std { struct ostream {}; int cout; int unused; } int _helper();";
    let text = format!("{library} int user() {{ return std::cout; }} int main() {{ return 0; }}");
    let Some(slice) = asked(&text, &[], false) else {
        return;
    };
    assert!(slice.contains("user") && slice.contains("cout"), "{slice}");
    assert!(
        !slice.contains("unused") && !slice.contains("_helper"),
        "{slice}"
    );
}

/// As g++ 12 preprocesses `<utility>`.
const PACKED: &str = "template <unsigned long... I> struct Indices {}; \
     template <unsigned long N> struct Build { using type = Indices<__integer_pack(N)...>; }; \
     template <class T, T... I> struct Seq {}; \
     template <class T, T N> using Make = Seq<T, __integer_pack(N)...>; int unused();";

#[test]
fn lists_of_numbers_of_gcc_are_no_errors() {
    let text = format!(
        "{PACKED} int user() {{ Build<2>::type a = Indices<0, 1>(); \
         Make<int, 2> b = Seq<int, 0, 1>(); return nothing; }}"
    );
    let Some(slice) = asked(&text, &["undeclared", "identifier"], false) else {
        return;
    };
    assert!(slice.contains("nothing"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn a_program_keeps_the_overload_that_an_instance_of_a_template_calls() {
    // Without the second `pick`, the first one is called, and no error says so.
    let text = "
        struct A { int m; };
        int pick(...) { return 1; }
        int pick(A *a) { return a->m; }
        int pick(long *) { return 3; }
        template<class T> int call(T *t) { return pick(t); }
        template<class T> int other(T *t) { return pick(t); }
        int main() { A a = {2}; return call(&a); }";
    let Some(slice) = slice(text, &["main"], true) else {
        return;
    };
    assert!(slice.contains("int pick(A *a) { return a->m; }"), "{slice}");
    assert!(!slice.contains("pick(long *)"), "{slice}");
    assert!(!slice.contains("other"), "{slice}");
}

#[test]
fn a_program_keeps_the_calls_that_are_not_written() {
    let text = "
        struct Base { ~Base() { free(); } void free() {} void unused() {} };
        template<class T> struct Hold : Base { T *t; Hold() : t(0) {} ~Hold() { clear(t); } };
        template<class T> void clear(T *) {}
        struct It {
          int n;
          int operator*() const { return n; }
          It &operator++() { ++n; return *this; }
          bool operator!=(It it) const { return n != it.n; }
          bool operator==(It it) const { return n == it.n; }
        };
        struct Range { It begin() const { return {0}; } It end() const { return {3}; } int size(); };
        int main() { Hold<int> h; int sum = 0; for (int n : Range()) sum += n; return sum; }";
    let Some(slice) = slice(text, &["main"], true) else {
        return;
    };
    for kept in [
        "~Base() { free(); }",
        "void free() {}",
        "~Hold() { clear(t); }",
        "void clear(T *) {}",
        "It &operator++() { ++n; return *this; }",
        "bool operator!=(It it) const { return n != it.n; }",
        "It end() const { return {3}; }",
    ] {
        assert!(slice.contains(kept), "{kept} in {slice}");
    }
    for removed in ["unused", "operator==", "size"] {
        assert!(!slice.contains(removed), "{removed} in {slice}");
    }
}

#[test]
fn a_program_keeps_layouts_and_objects_that_are_made_before_it_begins() {
    let text = "
        struct Stream { int first; int second; virtual int late(); virtual ~Stream(); void unused(); };
        extern Stream out;
        struct Init { Init() {} void unused(); };
        static Init init;
        static int number = 7;
        int main() { return out.second; }";
    let Some(slice) = slice(text, &["main"], true) else {
        return;
    };
    for kept in [
        "int first;",
        "virtual int late();",
        "Init() {}",
        "static Init init;",
    ] {
        assert!(slice.contains(kept), "{kept} in {slice}");
    }
    for removed in ["unused", "number"] {
        assert!(!slice.contains(removed), "{removed} in {slice}");
    }
}

#[test]
fn a_program_in_c_keeps_its_functions_and_the_values_of_its_variables() {
    let text = "
        void *alloc(int) __attribute__((__malloc__(0, 1)));
        static int twice(int n) { return n * 2; }
        static int unused(int n) { return n; }
        static int (*table[])(int) = { twice };
        int main(void) { return table[0](2); }";
    let at = text.find("main").unwrap() as u32;
    let request = Request {
        text: text.to_owned(),
        arguments: arguments([].into_iter(), "c"),
        root_sets: vec![vec![at..at + 4]],
        runs: true,
        seconds: 60,
        ..Request::default()
    };
    let facts = match read(&request, &mut |_, _| true) {
        Err(ClangError::Missing(_)) => return skipped("libclang"),
        facts => facts.unwrap(),
    };
    let expected = "static int twice(int n) { return n * 2; } static int (*table[])(int) = { twice }; \
                    int main(void) { return table[0](2); }";
    assert_eq!(first(text, &facts), expected);
}

#[test]
fn a_function_of_a_local_type_keeps_its_body() {
    let text = "template <class F> void each(F f) { f(); } template <class F> void all(F f) { \
                each(f); } template <class F> void other(F f) { f(); } void start() { all([] {}); }";
    let Some(kept) = slice(text, &["all([]"], false) else {
        return;
    };
    // No other text can define it, so GCC reports an error.
    assert!(kept.contains("{ each(f); }"), "{kept}");
    assert!(kept.contains("void each(F f) { f(); }"), "{kept}");
    assert!(!kept.contains("other"), "{kept}");
}

#[test]
fn a_test_of_code_keeps_the_code_that_functions_call() {
    let text = "namespace std { struct bits { int count() { return 9; } int other() { return 8; } \
                }; } int weigh(std::bits *b) { return b->count(); }";
    let request = |makes_code| Request {
        text: text.to_owned(),
        arguments: arguments(["-std=c++17"].into_iter(), "cpp"),
        makes_code,
        seconds: 60,
        ..Request::default()
    };
    let kept = |makes_code| match read(&request(makes_code), &mut |_, _| true) {
        Ok(facts) => Some(first(text, &facts)),
        Err(ClangError::Missing(_)) => {
            skipped("libclang");
            None
        }
        Err(error) => panic!("{error}"),
    };
    let (Some(code), Some(compiled)) = (kept(true), kept(false)) else {
        return;
    };
    assert!(code.contains("return 9;"), "{code}");
    assert!(!code.contains("return 8;"), "{code}");
    assert!(!compiled.contains("return 9;"), "{compiled}");
}

#[test]
fn a_program_keeps_functions_that_values_of_fields_call() {
    let text = "struct maker { static int value() { return 3; } static int other() { return 4; } \
                }; struct whole { int field = maker::value(); }; \
                int main() { whole w; return w.field; }";
    let Some(kept) = slice(text, &["int main"], true) else {
        return;
    };
    assert!(kept.contains("return 3;"), "{kept}");
    assert!(!kept.contains("return 4;"), "{kept}");
}

#[test]
fn a_program_keeps_the_functions_of_virtual_functions_that_templates_have() {
    let text = "struct info { int name() { return 7; } int other() { return 8; } }; \
                template <class T> struct node { virtual int get(info &i) { return i.name(); } }; \
                int main() { node<int> n; return sizeof(n); }";
    let Some(kept) = slice(text, &["int main"], true) else {
        return;
    };
    assert!(kept.contains("return 7;"), "{kept}");
    assert!(!kept.contains("return 8;"), "{kept}");
}

#[test]
fn inherited_constructors_are_those_of_the_base() {
    let text = "template <class T> struct base { base(T) {} void other() {} }; \
                template <class T> struct inner : base<T> { using of = base<T>; using of::of; \
                using base<T>::base; }; \
                template <class T> struct user { inner<T> i; user() : i(T(3)) {} }; \
                int main() { user<int> u; }";
    let Some(kept) = slice(text, &["int main"], true) else {
        return;
    };
    assert!(kept.contains("base(T)"), "{kept}");
    assert!(!kept.contains("other"), "{kept}");
}

#[test]
fn a_variable_template_keeps_its_specializations_for_kept_classes() {
    let text = "
        struct partial {}; struct strong {}; struct weak {};
        template<class T> inline constexpr unsigned id = 1;
        template<> inline constexpr unsigned id<partial> = 2;
        template<> inline constexpr unsigned id<strong> = 8;
        template<> inline constexpr unsigned id<weak> = 4;
        template<class T> inline constexpr unsigned id<T *> = id<T>;
        template<class... T> constexpr auto common() {
          if constexpr ((id<T> | ...) & 1) return;
          else if constexpr (bool((id<T> | ...) & id<partial>)) return partial();
          else return strong();
        }
        template<class T> concept comparable = requires { common<T, strong>().~strong(); };
        template<class T> requires comparable<T> int compare(T t);
        int use() { return compare(strong()); }";
    let Some(slice) = cpp20(text, "return compare") else {
        return;
    };
    // Without it, no error says what is missing: the constraint is not satisfied.
    assert!(slice.contains("id<strong> = 8"), "{slice}");
    assert!(!slice.contains("id<weak> = 4"), "{slice}");
}

#[test]
fn variables_and_concepts_keep_the_classes_that_they_name() {
    let text = "
        template<class T> struct size_of { static constexpr int value = sizeof(T); };
        template<class T> struct other { static constexpr int value = 0; };
        template<class T> inline constexpr int size_of_v = size_of<T>::value;
        template<class T> inline constexpr int other_v = other<T>::value;
        template<class T> concept small = size_of_v<T> < 8;
        template<small T> int f(T t);
        int use() { return f(1); }";
    let Some(slice) = cpp20(text, "return f") else {
        return;
    };
    assert!(slice.contains("struct size_of "), "{slice}");
    assert!(!slice.contains("other"), "{slice}");
}

#[test]
fn a_comparison_keeps_the_constants_that_compilers_know_by_name() {
    let text = "
        namespace std {
          enum class order : signed char { less = -1, same = 0, more = 1 };
          struct strong_ordering {
            order value;
            constexpr explicit strong_ordering(order o) : value(o) {}
            static const strong_ordering less, equal, equivalent, greater;
            int unused();
            friend constexpr bool operator<(strong_ordering o, int) { return o.value == order::less; }
          };
          inline constexpr strong_ordering strong_ordering::less(order::less);
          inline constexpr strong_ordering strong_ordering::equal(order::same);
          inline constexpr strong_ordering strong_ordering::equivalent(order::same);
          inline constexpr strong_ordering strong_ordering::greater(order::more);
        }
        bool use(int a, int b) { return (a <=> b) < 0; }";
    let Some(slice) = cpp20(text, "return (a <=>") else {
        return;
    };
    for constant in ["less", "equal", "equivalent", "greater"] {
        let definition = format!("strong_ordering::{constant}(order::");
        assert!(slice.contains(&definition), "{slice}");
    }
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn a_class_with_constructors_keeps_one() {
    let text = "
        struct base {};
        struct wrapper : base {
          char *p;
          wrapper(char *q, const base &b) : base(b), p(q) {}
          wrapper(char *q, int n, int m);
        };
        template<class T> struct string {
          wrapper w;
          char local;
          string(const base &b) : w(&local, b) {}
        };
        int main() { base b; string<char> s(b); return 0; }";
    let Some(facts) = facts_in("-std=c++20", text, &["string<char> s(b)"], true) else {
        return;
    };
    let slice = first(text, &facts);
    assert!(
        slice.contains("wrapper(char *q, const base &b) :"),
        "{slice}"
    );
}

#[test]
fn a_name_in_a_template_with_an_unknown_base_is_a_member_around_it() {
    let text = "
        template<class T> struct base { int other(); };
        template<class T> struct derived : base<T> {
          static constexpr bool is_small() { return sizeof(T) < 8; }
          static constexpr bool is_large() { return sizeof(T) > 8; }
          void move() noexcept(is_small());
          void copy() noexcept(is_large());
          int unused();
        };
        int use(derived<int> &d) { d.move(); return 0; }";
    let Some(slice) = slice(text, &["d.move"], false) else {
        return;
    };
    assert!(slice.contains("is_small()"), "{slice}");
    assert!(!slice.contains("unused"), "{slice}");
}

#[test]
fn a_member_template_of_a_local_type_keeps_its_body() {
    let text = "
        template<template<class> class H> struct forwarder {
          template<class T> H<T> operator()(T t) const { return H<T>{t}; }
          template<class T> H<T> other(T t) const { return H<T>{t}; }
        };
        template<class T> struct holder { T value; };
        int use() {
          auto local = [] { return 1; };
          return forwarder<holder>()(local).value();
        }";
    let Some(slice) = slice(text, &["return forwarder"], false) else {
        return;
    };
    // Without it, GCC has an error: no other file can define an instance of a local type.
    assert!(
        slice.contains("operator()(T t) const { return H<T>{t}; }"),
        "{slice}"
    );
}
