//! The benchmark of all algorithms.

use crate::stage::Stage;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_same_seed_gives_the_same_tables_for_any_number_of_threads() {
    let stage = Stage::new();
    let args = "shootout --inputs 1 --sizes 20,40 --algorithms ddmin,cdd,hdd,perses --seed 3 --csv all.csv \
                --html page.html --jobs";
    let one = stage.run(args.split_whitespace().chain(["1"]));
    assert_eq!(one.code, Some(0), "{}", one.stderr);
    let csv = stage.text("all.csv");
    let two = stage.run(args.split_whitespace().chain(["2"]));
    assert_eq!(one.stdout, two.stdout);
    assert_eq!(csv, stage.text("all.csv"));

    let lines: Vec<&str> = csv.lines().skip(1).collect();
    let field = |line: &str, at: usize| line.split(',').nth(at).unwrap().to_owned();
    assert!(lines.len() > 100);
    for line in &lines {
        let (before, after) = (field(line, 8), field(line, 9));
        assert!(
            after.parse::<u64>().unwrap() <= before.parse().unwrap(),
            "{line}"
        );
    }
    // Hierarchical delta debugging replaces each removed subtree by a phrase of the grammar.
    let hdd = lines.iter().filter(|line| field(line, 5) == "hdd");
    assert!(hdd.clone().count() > 30);
    assert!(
        hdd.clone().all(|line| field(line, 7) == "0"),
        "every candidate is valid"
    );
    let page = stage.text("page.html");
    assert!(page.contains("<h2>Ranking</h2>") && page.contains("<svg"));
}

#[test]
fn an_unknown_algorithm_is_an_error() {
    let stage = Stage::new();
    let ran = stage.run(["shootout", "--algorithms", "ddmax"]).ended(2);
    ran.said(&["unknown algorithm `ddmax`", "ddmin"]);
}

/// Makes a folder of cases: one in JSON, one with its own grammar, one in an unknown language, one
/// that does not fail, and a file that is not a case.
fn stage_with_cases() -> Stage {
    let stage = Stage::new();
    let case = |name: &str, input: &str, text: &str, test: &str| {
        stage.file(&format!("cases/{name}/{input}"), text);
        stage.script(&format!("cases/{name}/interesting.sh"), test);
    };
    let json = "[1,\n {\"a\": [2,\n 3], \"b\": 88},\n 4]\n";
    case("json", "input.json", json, "grep -q 88 input.json");
    let sums = "1 + (2 + 3) + (4 + (88 + 5))";
    case("sums", "input.txt", sums, "grep -q 88 input.txt; exit $?");
    let grammar = "<s> ::= <t> (' + ' <t>)*\n<t> ::= [0-9]+ | '(' <s> ')'\n";
    stage.file("cases/sums/grammar.bnf", grammar);
    case(
        "words",
        "input.txt",
        "some\nwords\n88\nmore\n",
        "grep -q 88 input.txt",
    );
    case("sound", "input.txt", "nothing wrong", "exit 1");
    stage.file("cases/README.md", "Not a case.");
    stage.file("cases/sums/README.md", "Not an input.");
    stage
}

#[test]
fn the_page_of_the_guide_has_every_algorithm() {
    let stage = Stage::new();
    stage.file("cases/json/input.json", "[1, 88]");
    stage.script("cases/json/interesting.sh", "grep -q 88 input.json");
    let args = "shootout --cases cases --max-tests 1 --csv all.csv";
    stage.run(args.split(' ')).ended(0);
    let csv = stage.text("all.csv");
    let rows = csv.lines().skip(1);
    let take_part: BTreeSet<&str> = rows.map(|row| row.split(',').nth(2).unwrap()).collect();

    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let page = std::fs::read_to_string(guide.join("shootout.html")).unwrap();
    let (_, ranking) = page.split_once("<h2>Ranking</h2>").unwrap();
    let (ranking, _) = ranking.split_once("</table>").unwrap();
    let rows = ranking.split("<th scope=\"row\"><code>").skip(1);
    let on_page: BTreeSet<&str> = rows.map(|row| row.split('<').next().unwrap()).collect();
    let again = "cargo run --release -p nubbin -- shootout --force --html docs/src/shootout.html";
    assert_eq!(on_page, take_part, "to make the page again: {again}");

    // The chapter that links to the page states the same numbers.
    let chapter = std::fs::read_to_string(guide.join("algorithms.md")).unwrap();
    let chapter = chapter.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, counts) = page.split_once("</h1>").unwrap();
    let (reductions, rest) = counts.split_once(" reductions").unwrap();
    let reductions = reductions.rsplit('>').next().unwrap();
    let inputs = rest.split_once(" inputs").unwrap().0;
    let inputs = inputs.rsplit(' ').next().unwrap();
    for count in [
        format!("{reductions} reductions"),
        format!("{} algorithms on {inputs} inputs", on_page.len()),
    ] {
        assert!(chapter.contains(&count), "{count}");
    }
}

#[test]
fn the_guide_states_the_figures_of_its_page() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let page = std::fs::read_to_string(guide.join("shootout.html")).unwrap();
    let (_, ranking) = page.split_once("<h2>Ranking</h2>").unwrap();
    // The columns are the remaining part, the share of smallest results, the mean and the median
    // number of tests, and the share of invalid candidates.
    let figure = |algorithm: &str, column: usize| -> f64 {
        let start = format!("<th scope=\"row\"><code>{algorithm}</code>");
        let (_, row) = ranking.split_once(&start).unwrap();
        let cell = row.split("<td class=\"number\">").nth(column + 1).unwrap();
        cell.split('<').next().unwrap().parse().unwrap()
    };
    let left = |algorithm: &str| figure(algorithm, 0);
    let tests = |algorithm: &str| format!("{:.0}", figure(algorithm, 2));
    let (grammar, generative) = ("auto with grammar", "grabr-generative");
    let claims = [
        format!("{:.0} of 100 candidates are invalid", figure("ddmin", 4)),
        format!(
            "needs {} tests and leaves {:.0} %",
            tests("ddmin"),
            left("ddmin")
        ),
        format!("`hdd` needs {} tests", tests("hdd")),
        format!("and leaves {:.0} %. - **Tree", left("hdd")),
        format!(
            "`coarse-hdd` and `subtrees` need {} to {} tests and leave {:.0} %",
            tests("coarse-hdd"),
            tests("subtrees"),
            left("subtrees")
        ),
        format!(
            "leaves {} % after {} tests",
            left(generative),
            tests(generative)
        ),
        format!("It leaves {} %", left(grammar)),
        format!("on {} of 100 inputs", figure(grammar, 1)),
        format!("({} and {})", tests(grammar), tests("auto")),
        format!("leaves {:.0} % on characters alone", left("sweep")),
    ];
    let chapter = std::fs::read_to_string(guide.join("algorithms.md")).unwrap();
    let chapter = chapter.split_whitespace().collect::<Vec<_>>().join(" ");
    for claim in claims {
        assert!(chapter.contains(&claim), "{claim}");
    }
}

#[test]
#[cfg_attr(not(feature = "languages"), ignore = "needs a language")]
fn every_algorithm_reduces_real_cases() {
    let stage = stage_with_cases();
    let shootout = |more: &str| {
        let args = "shootout --cases cases --algorithms ddmin,hdd,coarse-hdd,auto";
        stage.run(args.split_whitespace().chain(more.split_whitespace()))
    };
    let one = shootout("--csv all.csv --json all.json --html page.html --jobs 1").ended(0);
    let one = one.said(&[
        "`cases/sound` does not fail on this machine and is left out: the verdict of its test is \
         `pass`",
        "unknown language of the input of `words`",
    ]);
    let csv = stage.text("all.csv");
    let two = shootout("--csv all.csv --jobs 2").ended(0);
    assert_eq!(one.stdout, two.stdout);
    assert_eq!(csv, stage.text("all.csv"));
    assert!(
        one.stdout
            .contains("12 reductions: 4 algorithms on 3 real cases")
    );
    assert!(!one.stdout.contains("workers"), "{}", one.stdout);

    let after = |case: &str, algorithm: &str| {
        let row = csv.lines().find(|row| {
            let fields: Vec<&str> = row.split(',').collect();
            fields[0] == case && fields[2] == algorithm
        });
        let row: Vec<&str> = row.unwrap().split(',').collect();
        row[6].parse::<u64>().unwrap()
    };
    // List minimizers only remove whole lines. Tree reducers also remove parts of a line.
    assert_eq!(after("json", "ddmin"), " 3], \"b\": 88},\n".len() as u64);
    assert_eq!(after("json", "coarse-hdd"), "[{\"b\":88}]".len() as u64);
    assert_eq!(after("sums", "coarse-hdd"), "1 + (4 + (88))".len() as u64);
    assert_eq!(after("sums", "auto"), 2);
    assert_eq!(after("words", "ddmin"), 3);
    assert_eq!(
        after("words", "hdd"),
        "some\nwords\n88\nmore\n".len() as u64
    );

    let json: serde_json::Value = serde_json::from_str(&stage.text("all.json")).unwrap();
    assert_eq!(json["cases"].as_array().unwrap().len(), 3);
    assert_eq!(json["rows"][0]["case"], "json");
    let page = stage.text("page.html");
    assert!(page.contains("<h2>Cases</h2>") && page.contains("<svg"));
    assert!(!page.contains("Tests over size"));
}

#[test]
fn a_reduction_stops_at_the_limit_of_tests() {
    let stage = stage_with_cases();
    let args = "shootout --cases cases --algorithms ddmin --max-tests 2 --csv all.csv";
    stage.run(args.split_whitespace()).ended(0);
    let csv = stage.text("all.csv");
    // One case has a single line, so there is no candidate to test.
    let complete: Vec<&str> = csv.lines().filter(|row| row.ends_with(",true")).collect();
    assert_eq!(complete, ["sums,grammar,ddmin,1,0,28,28,true"], "{csv}");
}

#[test]
fn a_folder_without_cases_is_refused() {
    let stage = Stage::new();
    let shootout = |folder: &str| stage.run(["shootout", "--cases", folder]);
    shootout("nowhere")
        .ended(5)
        .said(&["cannot read `nowhere`"]);
    stage.file("empty/notes.txt", "");
    shootout("empty")
        .ended(5)
        .said(&["there is no case in `empty`", "`input.EXT`"]);
    stage.script("none/one/interesting.sh", "exit 0");
    shootout("none")
        .ended(5)
        .said(&["there is no input in the case `none/one`"]);
    stage.file("none/one/input.c", "");
    stage.file("none/one/input.h", "");
    shootout("none")
        .ended(5)
        .said(&["there are several inputs"]);
    stage.script("sound/one/interesting.sh", "exit 1");
    stage.file("sound/one/input.c", "int x;");
    shootout("sound").ended(3).said(&[
        "no case in `sound` fails on this machine",
        "may not be installed",
    ]);
    stage
        .run(["shootout", "--max-tests", "5"])
        .ended(2)
        .said(&["--cases"]);
}

#[cfg(unix)]
#[test]
fn a_stopped_benchmark_prints_the_complete_cases() {
    let stage = Stage::new();
    stage.file("cases/a/input.txt", "one\n88\n");
    stage.script("cases/a/interesting.sh", "grep -q 88 input.txt");
    stage.file("cases/b/input.txt", "one\n88\n");
    // The test of the original ends at once. All later tests hang.
    let (first, next) = (stage.path("first"), stage.path("next"));
    let (first, next) = (first.display(), next.display());
    let test = format!("[ -e '{first}' ] && : >'{next}' && sleep 600\n: >'{first}'\nexit 0");
    stage.script("cases/b/interesting.sh", &test);
    // The script writes outside, and is to run once on the original.
    let args = "shootout --cases cases --algorithms ddmin --jobs 1 --csv all.csv --sandbox off";
    let mut run = stage.start(args.split_whitespace());
    run.until("the second test of `b` began", || {
        stage.path("next").exists()
    });
    run.signal(rustix::process::Signal::TERM);
    let ran = run
        .wait()
        .ended(130)
        .said(&["before one case was complete, which is left out"]);
    assert!(ran.stdout.contains("on 1 real case,"), "{}", ran.stdout);
    let csv = stage.text("all.csv");
    assert_eq!(
        csv.lines().skip(1).collect::<Vec<_>>(),
        ["a,text,ddmin,3,0,7,3,true"]
    );
    stage.assert_clean();
}

#[test]
fn runs_with_more_workers_are_simulated() {
    let stage = Stage::new();
    stage.file(
        "cases/a/input.txt",
        "one two three 88 four five six\n".repeat(20),
    );
    stage.script("cases/a/interesting.sh", "grep -q 88 input.txt");
    let args = "shootout --cases cases --algorithms auto --workers 1,4 --json all.json";
    let run = stage.run(args.split(' '));
    run.ended(0);
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(stage.path("all.json")).unwrap()).unwrap();
    let times = json["simulated_times"].as_array().unwrap();
    let of = |workers: u64, what: &str| {
        let time = times.iter().find(|time| time["workers"] == workers);
        time.unwrap()[what].as_f64().unwrap()
    };
    assert_eq!(times.len(), 2);
    // More workers give the same tests and the same result in less time.
    for what in ["tests", "bytes_after"] {
        assert_eq!(of(1, what), of(4, what), "{what}");
    }
    assert!(of(4, "seconds") < of(1, "seconds"));
    assert!(json["command"].as_str().unwrap().ends_with("--workers 1,4"));
    stage
        .run(["shootout", "--workers", "2"])
        .ended(2)
        .said(&["--cases"]);
}

#[test]
fn a_simulated_test_can_take_its_measured_time() {
    let stage = Stage::new();
    stage.file("cases/a/input.txt", "one\ntwo\n88\nfour\n");
    // Longer than any simulated test.
    stage.script("cases/a/interesting.sh", "sleep 0.3; grep -q 88 input.txt");
    let seconds = |more: &[&str]| -> f64 {
        let args = "shootout --cases cases --algorithms ddmin --workers 1 --json all.json";
        stage
            .run(args.split(' ').chain(more.iter().copied()))
            .ended(0);
        let json = std::fs::read(stage.path("all.json")).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let time = &json["simulated_times"][0];
        time["seconds"].as_f64().unwrap() / time["tests"].as_f64().unwrap()
    };
    let (even, measured) = (seconds(&[]), seconds(&["--measured"]));
    assert!((0.14..=0.26).contains(&even), "{even}");
    assert!(measured >= 0.3, "{measured}");
    stage
        .run("shootout --cases cases --workers 1 --measured --uneven".split(' '))
        .ended(2)
        .said(&["--uneven"]);
}

#[test]
fn one_failing_file_with_its_test_is_compared() {
    let stage = Stage::new();
    stage.file("in.json", "{\"a\": [1, 88], \"b\": 3}");
    let line = "shootout in.json --algorithms ddmin,hdd,auto --csv all.csv -- grep -q 88 {}";
    let ran = stage.run(line.split(' ')).ended(0);
    assert!(
        ran.stdout.contains("3 algorithms on 1 real case"),
        "{}",
        ran.stdout
    );
    let csv = stage.text("all.csv");
    assert_eq!(
        csv.lines().filter(|line| line.contains("in.json")).count(),
        3,
        "{csv}"
    );
    let line = "shootout in.json --algorithms ddmin -- grep -q 99 {}";
    stage
        .run(line.split(' '))
        .ended(3)
        .said(&["`in.json` does not fail", "exit with 0"]);
    stage.run(["shootout", "in.json"]).ended(2);
}
