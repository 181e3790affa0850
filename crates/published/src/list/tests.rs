use crate::catalogue;
use nubbin_minimize::laws::Laws;

#[test]
fn the_list_minimizers_keep_the_laws() {
    let laws = Laws {
        catalogue: super::catalogue(),
        choices: &[
            "adaptive",
            "chunk-halving",
            "chunk-halving:backward",
            "chunk-halving:repeat=always",
            "chunk-halving:repeat=never,backward",
            "ddmin-star",
            "ddmin-star:skip-subsets,balanced",
            "ddmin-book",
            "ddmin-halving",
            "ddrmin",
            "probdd",
            "probdd:backward,p0=0.3",
            "cdd",
            "cdd:backward,p0=0.02",
            "weighted-ddmin",
            "weighted-probdd",
            "weighted-probdd:backward,p0=0.3",
        ],
        may_empty: &["ddmin-halving", "probdd", "cdd", "weighted-probdd"],
        linear: &["adaptive", "probdd", "cdd", "weighted-probdd"],
    };
    laws.hold();
}

#[test]
fn a_choice_is_written_in_its_canonical_spelling() {
    for (text, canonical) in [
        (
            "ddmin-star:complements-first,split=4,balanced,continue",
            "ddmin-star:complements-first,split=4,balanced,continue",
        ),
        ("probdd:p0=0.25,backward", "probdd:p0=0.25,backward"),
        (
            "chunk-halving:backward,repeat=always",
            "chunk-halving:repeat=always,backward",
        ),
    ] {
        let choice = catalogue().list_minimizer(text).unwrap();
        assert_eq!(choice.to_string(), canonical);
        assert_eq!(catalogue().list_minimizer(canonical), Ok(choice));
    }
}

#[test]
fn errors_name_the_known_list_minimizers_and_options() {
    let message = |text: &str| catalogue().list_minimizer(text).unwrap_err().to_string();
    assert_eq!(
        message("probd"),
        "unknown list minimizer `probd`, did you mean `probdd`?"
    );
    assert!(message("simulated annealing").contains("; there are sweep, dfs-halving,"));
    assert_eq!(
        message("chunk-halving:fast"),
        "`chunk-halving` has no option `fast`; it has repeat=WHICH, forward, backward"
    );
    assert_eq!(
        message("adaptive:fast"),
        "`adaptive` has no option `fast`; it has none"
    );
    assert_eq!(
        message("cdd:p0=2"),
        "`p0=2`: `p0` is a number between 0 and 0.8"
    );
    assert_eq!(
        message("ddmin-star:skip-subsets,skip-complements"),
        "ddmin without subsets and without complements has nothing to try"
    );
}
