//! Everybody against everybody.

use crate::stage::Stage;

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
    // Hierarchical delta debugging puts phrases of the grammar in the place of what it takes out.
    let hdd = lines.iter().filter(|line| field(line, 5) == "hdd");
    assert!(hdd.clone().count() > 30);
    assert!(
        hdd.clone().all(|line| field(line, 7) == "0"),
        "every candidate is valid"
    );
    let page = stage.text("page.html");
    assert!(page.contains("<h2>Standings</h2>") && page.contains("<svg"));
}

#[test]
fn who_does_not_take_part_is_not_looked_for_in_vain() {
    let stage = Stage::new();
    let ran = stage.run(["shootout", "--algorithms", "ddmax"]).ended(2);
    ran.said(&["nobody called `ddmax` takes part", "ddmin"]);
}
