//! Parts of an input that belong together: pairs, copies, and levels of nesting.

use crate::stage::Stage;

/// Reduces an input and returns the number of tests, without the last one, which is of the result.
fn tests_of(stage: &Stage, args: &[&str], test: &[&str]) -> u64 {
    let first = ["reduce", "-j1", "-q", "--stats", "stats.json"];
    let args = first.iter().chain(args).chain(&["--"]).chain(test);
    stage.run(args).ended(0);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    stats["tests"].as_u64().unwrap() - 1
}

#[test]
fn deep_nesting_takes_the_same_few_tests_for_any_number_of_levels() {
    for levels in [1000, 3000, 50_000] {
        let stage = Stage::new();
        let text = [&"[".repeat(levels), "\"crash\"", &"]".repeat(levels)].concat();
        stage.file("d.json", text);
        let tests = tests_of(&stage, &["d.json"], &["grep", "-q", "\"crash\"", "{}"]);
        assert_eq!(stage.text("d.min.json").trim_end(), "\"crash\"");
        assert!(tests <= 20, "{levels} levels: {tests} tests");
    }
}

/// Returns the lines of a text that has a line for each of `count` numbers.
fn numbered(word: &str, count: u32) -> String {
    (1..=count).map(|nth| format!("{word}{nth}\n")).collect()
}

#[test]
fn handles_that_are_opened_and_closed_are_removed_in_pairs() {
    let test = r#"
        $1 == "open" { if ($2 in o) b = 1; o[$2]; n++ }
        $1 == "close" { if (!($2 in o)) b = 1; delete o[$2]; n-- }
        /crash/ && n > 0 { f = 1 }
        END { exit !(f && !b && n == 0) }"#;
    for count in [6, 20] {
        let stage = Stage::new();
        let text = [
            &numbered("open h", count),
            "crash\n",
            &numbered("close h", count),
        ]
        .concat();
        stage.file("p.txt", text);
        let tests = tests_of(&stage, &["p.txt"], &["awk", test, "{}"]);
        assert_eq!(stage.text("p.min.txt").lines().count(), 3);
        assert!(tests <= 60, "{count} handles: {tests} tests");
    }
}

#[test]
fn words_that_nest_are_brackets() {
    let stage = Stage::new();
    stage.file("s.txt", "push 1\npush 2\npush 3\ncrash\npop\npop\npop\n");
    let test = "/^push/{d++}/^pop/{if(--d<0)b=1}/crash/&&d>0{f=1}END{exit !(f&&!b&&d==0)}";
    let tests = tests_of(&stage, &["s.txt"], &["awk", test, "{}"]);
    assert!(stage.text("s.min.txt").lines().count() <= 3);
    assert!(tests <= 60, "{tests}");

    let text = "def f\n  if x\n    foo\n    while y\n      bar\n    end\n  end\nend\n";
    stage.file("b.rb", text);
    let test = "{for(i=1;i<=NF;i++){if($i~/^(def|if|while)$/)d++;if($i==\"end\"&&--d<0)b=1}}\
                /foo/{f=1}f&&/bar/{g=1}END{exit !(g&&!b&&d==0)}";
    let tests = tests_of(&stage, &["b.rb"], &["awk", test, "{}"]);
    assert_eq!(stage.text("b.min.rb"), "foobar");
    assert!(tests <= 60, "{tests}");
}

/// A log of calls on objects that are created, linked, and destroyed, in an order that a hash
/// draws.
fn log_of_calls() -> String {
    let mut lines = vec![];
    let mut alive: Vec<usize> = vec![];
    let (mut next, mut state) = (0, 7usize);
    for _ in 0..420 {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let drawn = state >> 33;
        let one = alive.get(drawn / 10 % alive.len().max(1)).copied();
        let other = alive.get(drawn / 1000 % alive.len().max(1)).copied();
        match (drawn % 10, one.zip(other)) {
            (0..3, _) | (_, None) => {
                alive.push(next);
                lines.push(format!("create obj{next}"));
                next += 1;
            }
            (3..8, Some((one, _))) => lines.push(format!("use obj{one}")),
            (8, Some((one, other))) => lines.push(format!("link obj{one} obj{other}")),
            (_, Some((one, _))) => {
                alive.retain(|&other| other != one);
                lines.push(format!("destroy obj{one}"));
            }
        }
    }
    lines.extend(alive.iter().map(|one| format!("destroy obj{one}")));
    lines.join("\n") + "\n"
}

#[test]
fn calls_on_an_object_are_removed_with_the_object() {
    let stage = Stage::new();
    stage.file("c.txt", log_of_calls());
    let test = r#"
        $1 == "create" { if ($2 in o) b = 1; o[$2]; n++ }
        $1 == "use" { if (!($2 in o)) b = 1; u[$2] }
        $1 == "link" { if (!($2 in o) || !($3 in o)) b = 1; if ($2 in u && $2 != $3) f = 1 }
        $1 == "destroy" { if (!($2 in o)) b = 1; delete o[$2]; n-- }
        END { exit !(f && !b && n == 0) }"#;
    let args = ["c.txt", "--max-tests", "60"];
    tests_of(&stage, &args, &["awk", test, "{}"]);
    assert_eq!(stage.text("c.min.txt").lines().count(), 6);
}

#[test]
fn directives_around_several_lines_are_removed() {
    let stage = Stage::new();
    let text = "#ifndef a\nint alpha(void);\nint beta(void);\n#endif\n\
                int main(void) { return alpha() + beta(); }\n";
    stage.file("k.c", text);
    // Candidates are valid where a declaration comes before its use.
    let test = "/^ *# *if/{d++}/^ *# *endif/{if(--d<0)b=1}\
                {gsub(/[{]/, \"\\n&\")}/alpha\\(.*alpha\\(/{f=1}{t=t $0}\
                END{exit !(!b&&d==0&&t~/alpha\\(.*beta\\(.*main\\(.*alpha\\(.*beta\\(/)}";
    tests_of(&stage, &["k.c"], &["awk", test, "{}"]);
    assert!(
        !stage.text("k.min.c").contains('#'),
        "{}",
        stage.text("k.min.c")
    );
}

#[test]
fn two_files_that_must_be_equal_stay_equal() {
    let stage = Stage::new();
    let text = "check(alpha, gamma(delta, crash), zeta)\n";
    stage.file("a.txt", text);
    stage.file("bb.txt", text);
    let test = "cmp -s a.txt bb.txt && grep -q '(.*crash.*)' a.txt";
    let tests = tests_of(
        &stage,
        &["a.txt", "bb.txt", "-o", "two"],
        &["sh", "-c", test],
    );
    let left = ["two/a.txt", "two/bb.txt"].map(|name| stage.text(name));
    assert_eq!(left.each_ref().map(|text| text.trim_end()), ["(crash)"; 2]);
    assert!(tests <= 60, "{tests}");
}

#[test]
fn a_condition_that_two_queries_share_stays_the_same_in_both() {
    let stage = Stage::new();
    let text = "SELECT COUNT(*) FROM t WHERE (a IS NULL) OR (b = 1 AND c);\n\
                SELECT SUM((a IS NULL) OR (b = 1 AND c)) FROM t;\n";
    stage.file("q.sql", text);
    let test = r#"
        BEGIN { RS = "\001" }
        {
            where = index($0, "WHERE "); p = substr($0, where + 6)
            p = substr(p, 1, index(p, ";") - 1)
            sum = index($0, "SUM("); r = substr($0, sum + 4)
            r = substr(r, 1, index(r, ") FROM") - 1)
            o = p; n = gsub(/[(]/, "", o); m = gsub(/[)]/, "", o)
            same = /COUNT/ && where && sum && p == r && p ~ /[a-z] IS NULL/ && n == m
        }
        END { exit !same }"#;
    let args = ["q.sql", "--max-tests", "61"];
    tests_of(&stage, &args, &["awk", test, "{}"]);
    let left = stage.text("q.min.sql");
    assert_eq!(left.matches("IS NULL").count(), 2, "{left}");
    assert!(!left.contains("OR") && !left.contains("AND"), "{left}");
}

/// The declaration is in a header, the definition and a call are in two other files.
#[test]
fn a_parameter_goes_in_all_files_at_once() {
    let stage = Stage::new();
    stage.file("t/a.h", "int compute(int a, const char *b, double c);\n");
    let definition = "int compute(int a, const char *b, double c) { return a / 0; }\n";
    stage.file("t/a.c", ["#include \"a.h\"\n", definition].concat());
    let call = "int user(void) { return compute(1, \"x\", 2.0); }\n";
    stage.file("t/b.c", ["#include \"a.h\"\n", call].concat());
    // As many commas in the definition as in the declaration and in the call.
    let test = "n() { tr -cd , <t/$1 | wc -c; }; \
                [ $(n a.h) = $(n a.c) ] && [ $(n a.h) = $(n b.c) ] && \
                grep -q 'compute(int' t/a.h && grep -q 'compute(int' t/a.c && grep -q 'compute(' t/b.c";
    let args = ["t", "-o", "out", "--max-tests", "60"];
    tests_of(&stage, &args, &["sh", "-c", test]);
    for file in ["out/a.h", "out/a.c", "out/b.c"] {
        assert!(!stage.text(file).contains(','), "{}", stage.text(file));
    }
}

/// No other pass removes a function whose declaration, definition, and calls are in three files.
#[test]
fn a_function_is_inlined_over_files() {
    let stage = Stage::new();
    stage.file("t/a.h", "int half(int n);\n");
    stage.file("t/a.c", "int half(int n) { return n / 2; }\n");
    stage.file("t/b.c", "int user(void) { return half(7) + 1; }\n");
    // Every file has the name, or its value is in the place of the call.
    let test = "text=$(cat t/* | tr -d ' \n'); n=$(grep -l half t/* | wc -l); \
                case \"$n$text\" in \
                '3inthalf(intn){returnn/2;}inthalf(intn);intuser(void){returnhalf(7)+1;}') ;; \
                0*7/2*) ;; *) false ;; esac";
    tests_of(&stage, &["t", "-o", "out"], &["sh", "-c", test]);
    // A file without text is removed.
    let left = ["out/a.h", "out/a.c", "out/b.c"]
        .map(|file| std::fs::read_to_string(stage.path(file)).unwrap_or_default());
    assert!(!left.concat().contains("half"), "{left:?}");
}

/// A name of several files is shortened in all of them at once.
#[test]
fn a_name_of_several_files_is_renamed_in_all_of_them() {
    let stage = Stage::new();
    stage.file("t/a.h", "int compute_ratio(int);\n");
    stage.file("t/a.c", "int compute_ratio(int a) { return a / 0; }\n");
    stage.file("t/b.c", "int user(void) { return compute_ratio(1); }\n");
    let test = "n() { grep -o '[a-z_]*(' t/$1 | tail -1; }; \
                [ $(n a.h) ] && [ $(n a.h) = $(n a.c) ] && [ $(n a.h) = $(n b.c) ] && \
                grep -q '/' t/a.c";
    tests_of(&stage, &["t", "-o", "out"], &["sh", "-c", test]);
    for file in ["out/a.h", "out/a.c", "out/b.c"] {
        assert!(
            !stage.text(file).contains("compute"),
            "{}",
            stage.text(file)
        );
    }
}
