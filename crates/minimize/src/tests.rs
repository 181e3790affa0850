use super::*;

#[test]
fn the_list_minimizers_keep_the_laws() {
    let laws = laws::Laws {
        catalogue: catalogue(),
        choices: &[
            "sweep",
            "sweep:forward",
            "sweep:one-way",
            "sweep:prior=0.4",
            "sweep:start=1",
            "dfs-halving",
            "ddmin",
            "ddmin:backward",
            "ddmin:skip-subsets,continue",
            "ddmin:skip-subsets,continue,backward,split=3",
            "ddmin:complements-first,balanced,split=4",
            "ddmin:complements-first,random",
            "ddmin:random,continue",
            "ddmin:skip-complements",
        ],
        may_empty: &[],
        linear: &["sweep", "dfs-halving"],
    };
    laws.hold();
}

#[test]
fn the_default_is_sweep() {
    assert_eq!(MinimizerChoice::default(), parse("sweep").unwrap());
    assert_eq!(
        MinimizerChoice::of::<Ddmin>(DdminOptions::default()),
        parse("ddmin")
    );
    assert_eq!(MinimizerChoice::ddmin(), parse("ddmin").unwrap());
    assert_eq!(
        MinimizerChoice::dfs_halving(),
        parse("dfs-halving").unwrap()
    );
}

#[test]
fn a_choice_is_written_in_its_canonical_spelling() {
    for (text, canonical) in [
        ("ddmin", "ddmin"),
        ("ddmin:", "ddmin"),
        (
            " ddmin : skip-subsets , backward ",
            "ddmin:skip-subsets,backward",
        ),
        ("ddmin:backward,skip-subsets", "ddmin:skip-subsets,backward"),
        ("ddmin:subsets=backward", "ddmin:subsets=backward"),
        (
            "ddmin:random,complements=skip",
            "ddmin:skip-complements,random",
        ),
        (
            "ddmin:subsets=random,complements=backward",
            "ddmin:subsets=random,complements=backward",
        ),
        (
            "sweep:prior=0.3,start=32,forward,one-way",
            "sweep:start=32,prior=0.3,forward,one-way",
        ),
    ] {
        let choice = parse(text).unwrap();
        assert_eq!(choice.to_string(), canonical);
        assert_eq!(parse(canonical), Ok(choice));
    }
}

#[test]
#[cfg_attr(not(feature = "suggest"), ignore = "needs the feature `suggest`")]
fn errors_name_the_known_list_minimizers_and_options() {
    let message = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        message("Sweep_"),
        "unknown list minimizer `Sweep_`, did you mean `sweep`?"
    );
    assert_eq!(
        message("simulated annealing"),
        "unknown list minimizer `simulated annealing`; there are sweep, dfs-halving, ddmin"
    );
    assert_eq!(
        message("sweep:fast"),
        "`sweep` has no option `fast`; it has start=N, prior=P, backward, forward, one-way"
    );
    assert_eq!(
        message("dfs-halving:fast"),
        "`dfs-halving` has no option `fast`; it has none"
    );
    assert_eq!(
        message("sweep:prior=2"),
        "`prior=2`: `prior` is a number above 0, at most 1"
    );
    assert_eq!(
        message("ddmin:split=1"),
        "`split=1`: `split` is a whole number from 2"
    );
}
