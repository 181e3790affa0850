use super::error::MinimizerError;
use super::options::{Options, Refused};
use super::{
    Adaptive, Cdd, ChunkHalving, ChunkOptions, Configuration, Ddmin, DdminBook, DdminHalving,
    DdminOptions, DdminStar, Ddrmin, DfsHalving, ListMinimizer, ListShape, PriorOptions, Probdd,
    Sweep, SweepOptions, WeightedDdmin, WeightedProbdd,
};
use std::fmt;
use std::str::FromStr;

/// The entry of an algorithm in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MinimizerInfo {
    /// The name that [`parse`] reads.
    pub id: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The source.
    pub source: &'static str,
    /// Whether no single element of its result can be removed, with default options and unless it
    /// is the only one.
    pub one_minimal: bool,
    /// The options: their syntax and their effect.
    pub options: &'static [(&'static str, &'static str)],
}

const DDMIN: &[(&str, &str)] = &[
    (
        "subsets-first",
        "keep one part first, then leave out one (the default)",
    ),
    (
        "complements-first",
        "leave out one part first, then keep one",
    ),
    ("forward", "parts from the first (the default)"),
    ("backward", "parts from the last"),
    ("random", "parts in an order drawn for each round"),
    (
        "subsets=ORDER",
        "order of the parts kept: forward, backward, random, or skip",
    ),
    (
        "complements=ORDER",
        "order of the parts left out: forward, backward, random, or skip",
    ),
    ("skip-subsets", "never keep one part alone"),
    ("skip-complements", "never leave out one part"),
    (
        "split=N",
        "initial number of parts, and the factor by which it grows (2)",
    ),
    ("zeller", "longer parts last (the default)"),
    ("balanced", "longer parts spread out"),
    (
        "restart",
        "after a success, from the first part (the default)",
    ),
    (
        "continue",
        "after a success, from the part after the removed one",
    ),
];
const PRIOR: &[(&str, &str)] = &[
    (
        "p0=P",
        "initial probability that an element must stay (0.1)",
    ),
    (
        "forward",
        "among equals, the first element first (the default)",
    ),
    ("backward", "among equals, the last element first"),
];
const CHUNKS: &[(&str, &str)] = &[
    (
        "repeat=WHICH",
        "sizes that are repeated while they remove elements: never, last (the default), always",
    ),
    ("forward", "from the front (the default)"),
    ("backward", "from the end"),
];
const SWEEP: &[(&str, &str)] = &[
    (
        "start=N",
        "the first group has one N-th of the list's weight (16)",
    ),
    (
        "prior=P",
        "the first group is that of CDD, with P as the probability that an element must stay",
    ),
    ("backward", "begin at the end (the default)"),
    ("forward", "begin at the front"),
    ("one-way", "never try the other direction"),
];

const fn algorithm(
    id: &'static str,
    one_minimal: bool,
    about: &'static str,
    source: &'static str,
    options: &'static [(&'static str, &'static str)],
) -> MinimizerInfo {
    MinimizerInfo {
        id,
        about,
        source,
        one_minimal,
        options,
    }
}

const CATALOGUE: &[MinimizerInfo] = &[
    algorithm(
        "sweep",
        true,
        "removes groups from the end, of a size that adapts to the outcomes; the default",
        "nubbin, after Hypothesis' adaptive deletion and Hwang's group testing",
        SWEEP,
    ),
    algorithm(
        "adaptive",
        false,
        "grows each run of removable elements from the end, then bisects",
        "MacIver, Donaldson: Test-Case Reduction via Test-Case Generation, ECOOP 2020",
        &[],
    ),
    algorithm(
        "dfs-halving",
        false,
        "leaves out a segment or else its halves, the last half first, each once",
        "Sun, Li, Zhang, Gu, Su: Perses: Syntax-Guided Program Reduction, ICSE 2018",
        &[],
    ),
    algorithm(
        "chunk-halving",
        true,
        "leaves out chunks of half the list, then of a quarter, and so on",
        "Regehr and others: Test-Case Reduction for C Compiler Bugs, PLDI 2012; Lithium",
        CHUNKS,
    ),
    algorithm(
        "ddmin",
        true,
        "the minimizing delta debugging algorithm: parts alone, lists without a part, finer parts",
        "Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 28(2), 2002",
        DDMIN,
    ),
    algorithm(
        "ddmin-star",
        true,
        "repeats ddmin until a whole run changes nothing",
        "Vince: Iterating the Minimizing Delta Debugging Algorithm, A-TEST 2022",
        DDMIN,
    ),
    algorithm(
        "ddmin-book",
        true,
        "ddmin as in the Fuzzing Book: only complements, fractional boundaries",
        "Zeller, Gopinath, Böhme, Fraser, Holler: The Fuzzing Book",
        &[],
    ),
    algorithm(
        "ddmin-halving",
        false,
        "removes every part of one length that can be removed, then halves the length",
        "Gopinath: article on delta debugging after the Fuzzing Book",
        &[],
    ),
    algorithm(
        "ddrmin",
        false,
        "ddmin as a recursion: halves a part down to one element, and keeps the others",
        "Zeller: Yesterday, my program worked. Today, it does not. Why?, ESEC/FSE 1999",
        &[],
    ),
    algorithm(
        "probdd",
        false,
        "delta debugging with a probability for each element",
        "Wang, Shen, Chen, Xiong, Zhang: Probabilistic Delta Debugging, ESEC/FSE 2021",
        PRIOR,
    ),
    algorithm(
        "cdd",
        false,
        "ProbDD without probabilities: a table of group sizes, one for each round",
        "Zhang, Xu, Tian, Cheng, Sun: Toward a Better Understanding of ProbDD, ASE 2024",
        PRIOR,
    ),
    algorithm(
        "weighted-ddmin",
        true,
        "ddmin with parts of equal weight instead of equal length",
        "Zhou, Xu, Zhang, Tian, Sun: WDD: Weighted Delta Debugging, ICSE 2025",
        &[],
    ),
    algorithm(
        "weighted-probdd",
        true,
        "ProbDD with the weights of elements, and a last phase one by one",
        "Zhou, Xu, Zhang, Tian, Sun: WDD: Weighted Delta Debugging, ICSE 2025",
        PRIOR,
    ),
];

/// The algorithms, the default first.
pub fn catalogue() -> &'static [MinimizerInfo] {
    CATALOGUE
}

/// An algorithm and its options, chosen by name.
///
/// It is written as the id of the algorithm and, after a colon, its options with commas between
/// them. Reading the text of `Display` gives the same choice.
///
/// ```
/// use nubbin_minimize::{ListShape};
///
/// let choice = nubbin_minimize::parse("ddmin:split=3,skip-subsets,backward")?;
/// assert_eq!(choice.to_string(), "ddmin:skip-subsets,backward,split=3");
/// assert_eq!(choice.algorithm().id, "ddmin");
/// let mut minimizer = choice.start(&ListShape::uniform(9));
/// assert_eq!(minimizer.next().unwrap().remove.as_slice(), [6..9]);
/// # Ok::<(), nubbin_minimize::MinimizerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MinimizerChoice {
    kind: MinimizerKind,
}

#[derive(Clone, Debug, PartialEq)]
enum MinimizerKind {
    Adaptive,
    Cdd(PriorOptions),
    ChunkHalving(ChunkOptions),
    Ddmin(DdminOptions),
    DdminBook,
    DdminHalving,
    DdminStar(DdminOptions),
    Ddrmin,
    DfsHalving,
    Probdd(PriorOptions),
    Sweep(SweepOptions),
    WeightedDdmin,
    WeightedProbdd(PriorOptions),
}

impl Default for MinimizerChoice {
    /// [`Sweep`] with its defaults.
    fn default() -> Self {
        SweepOptions::default().into()
    }
}

impl MinimizerChoice {
    /// Returns [`Ddmin`] with its defaults, which most tree reducers were published with.
    pub fn ddmin() -> Self {
        MinimizerChoice {
            kind: MinimizerKind::Ddmin(DdminOptions::default()),
        }
    }

    /// Returns [`DfsHalving`], which Perses was published with.
    ///
    /// [`DfsHalving`]: super::DfsHalving
    pub fn dfs_halving() -> Self {
        MinimizerChoice {
            kind: MinimizerKind::DfsHalving,
        }
    }
}

impl From<SweepOptions> for MinimizerChoice {
    fn from(options: SweepOptions) -> Self {
        MinimizerChoice {
            kind: MinimizerKind::Sweep(options),
        }
    }
}

impl TryFrom<DdminOptions> for MinimizerChoice {
    type Error = MinimizerError;

    fn try_from(options: DdminOptions) -> Result<Self, MinimizerError> {
        options.check()?;
        Ok(MinimizerChoice {
            kind: MinimizerKind::Ddmin(options),
        })
    }
}

impl MinimizerChoice {
    /// Returns the entry of the algorithm in the catalogue.
    pub fn algorithm(&self) -> &'static MinimizerInfo {
        let id = self.kind.id();
        // Every kind has an entry, which a test checks.
        CATALOGUE
            .iter()
            .find(|algorithm| algorithm.id == id)
            .unwrap_or(&CATALOGUE[0])
    }

    /// Starts the algorithm on a list of this shape.
    pub fn start(&self, shape: &ListShape) -> Box<dyn ListMinimizer> {
        match &self.kind {
            MinimizerKind::Adaptive => Box::new(Adaptive::new(shape)),
            MinimizerKind::Cdd(options) => Box::new(Cdd::with_options(shape, *options)),
            MinimizerKind::ChunkHalving(options) => {
                Box::new(ChunkHalving::with_options(shape, *options))
            }
            MinimizerKind::Ddmin(options) => Box::new(Ddmin::over(
                Configuration::new(shape.len),
                *options,
                shape.seed,
            )),
            MinimizerKind::DdminBook => Box::new(DdminBook::new(shape)),
            MinimizerKind::DdminHalving => Box::new(DdminHalving::new(shape)),
            MinimizerKind::DdminStar(options) => Box::new(DdminStar::checked(shape, *options)),
            MinimizerKind::Ddrmin => Box::new(Ddrmin::new(shape)),
            MinimizerKind::DfsHalving => Box::new(DfsHalving::new(shape)),
            MinimizerKind::Probdd(options) => Box::new(Probdd::with_options(shape, *options)),
            MinimizerKind::Sweep(options) => Box::new(Sweep::with_options(shape, *options)),
            MinimizerKind::WeightedDdmin => Box::new(WeightedDdmin::new(shape)),
            MinimizerKind::WeightedProbdd(options) => {
                Box::new(WeightedProbdd::with_options(shape, *options))
            }
        }
    }
}

impl MinimizerKind {
    fn id(&self) -> &'static str {
        match self {
            MinimizerKind::Adaptive => "adaptive",
            MinimizerKind::Cdd(_) => "cdd",
            MinimizerKind::ChunkHalving(_) => "chunk-halving",
            MinimizerKind::Ddmin(_) => "ddmin",
            MinimizerKind::DdminBook => "ddmin-book",
            MinimizerKind::DdminHalving => "ddmin-halving",
            MinimizerKind::DdminStar(_) => "ddmin-star",
            MinimizerKind::Ddrmin => "ddrmin",
            MinimizerKind::DfsHalving => "dfs-halving",
            MinimizerKind::Probdd(_) => "probdd",
            MinimizerKind::Sweep(_) => "sweep",
            MinimizerKind::WeightedDdmin => "weighted-ddmin",
            MinimizerKind::WeightedProbdd(_) => "weighted-probdd",
        }
    }

    fn read(id: &str, words: &str) -> Result<Self, MinimizerError> {
        Ok(match id {
            "adaptive" => no_options(id, words, MinimizerKind::Adaptive)?,
            "cdd" => MinimizerKind::Cdd(read(id, words)?),
            "chunk-halving" => MinimizerKind::ChunkHalving(read(id, words)?),
            "ddmin" => MinimizerKind::Ddmin(read(id, words)?),
            "ddmin-book" => no_options(id, words, MinimizerKind::DdminBook)?,
            "ddmin-halving" => no_options(id, words, MinimizerKind::DdminHalving)?,
            "ddmin-star" => MinimizerKind::DdminStar(read(id, words)?),
            "ddrmin" => no_options(id, words, MinimizerKind::Ddrmin)?,
            "dfs-halving" => no_options(id, words, MinimizerKind::DfsHalving)?,
            "probdd" => MinimizerKind::Probdd(read(id, words)?),
            "sweep" => MinimizerKind::Sweep(read(id, words)?),
            "weighted-ddmin" => no_options(id, words, MinimizerKind::WeightedDdmin)?,
            "weighted-probdd" => MinimizerKind::WeightedProbdd(read(id, words)?),
            _ => {
                return Err(MinimizerError::UnknownAlgorithm {
                    name: id.into(),
                    nearest: nearest(id),
                    known: CATALOGUE.iter().map(|algorithm| algorithm.id).collect(),
                });
            }
        })
    }
}

impl fmt::Display for MinimizerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = match &self.kind {
            MinimizerKind::Cdd(options)
            | MinimizerKind::Probdd(options)
            | MinimizerKind::WeightedProbdd(options) => options.to_string(),
            MinimizerKind::ChunkHalving(options) => options.to_string(),
            MinimizerKind::Ddmin(options) | MinimizerKind::DdminStar(options) => {
                options.to_string()
            }
            MinimizerKind::Sweep(options) => options.to_string(),
            MinimizerKind::Adaptive
            | MinimizerKind::DdminBook
            | MinimizerKind::DdminHalving
            | MinimizerKind::Ddrmin
            | MinimizerKind::DfsHalving
            | MinimizerKind::WeightedDdmin => String::new(),
        };
        f.write_str(self.kind.id())?;
        // Each option has a comma before it, and the first comma becomes the colon.
        match options.strip_prefix(',') {
            Some(options) => write!(f, ":{options}"),
            None => Ok(()),
        }
    }
}

impl FromStr for MinimizerChoice {
    type Err = MinimizerError;

    fn from_str(text: &str) -> Result<Self, MinimizerError> {
        let (id, words) = text.split_once(':').unwrap_or((text, ""));
        let kind = MinimizerKind::read(id.trim(), words)?;
        if let MinimizerKind::Ddmin(options) | MinimizerKind::DdminStar(options) = &kind {
            options.check()?;
        }
        Ok(MinimizerChoice { kind })
    }
}

/// Reads an algorithm and its options: `ddmin:skip-subsets,backward,split=3`.
///
/// # Errors
/// [`MinimizerError`] if there is no such algorithm or option, or if options contradict each other.
pub fn parse(text: &str) -> Result<MinimizerChoice, MinimizerError> {
    text.parse()
}

fn words(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.split_once('=')
                .map_or((word, None), |(name, value)| (name, Some(value)))
        })
}

fn read<O: Options>(id: &str, text: &str) -> Result<O, MinimizerError> {
    let mut options = O::default();
    for (name, value) in words(text) {
        options.set(name, value).map_err(|refused| match refused {
            Refused::Unknown => unknown_option(id, name),
            Refused::Value(expected) => MinimizerError::BadValue {
                option: name.into(),
                value: value.unwrap_or_default().into(),
                expected,
            },
        })?;
    }
    Ok(options)
}

fn no_options(id: &str, text: &str, kind: MinimizerKind) -> Result<MinimizerKind, MinimizerError> {
    match words(text).next() {
        Some((name, _)) => Err(unknown_option(id, name)),
        None => Ok(kind),
    }
}

fn unknown_option(id: &str, option: &str) -> MinimizerError {
    let known = CATALOGUE.iter().find(|algorithm| algorithm.id == id);
    MinimizerError::UnknownOption {
        algorithm: id.into(),
        option: option.into(),
        known: known.map_or(&[], |algorithm| algorithm.options),
    }
}

/// Returns the most similar name, if it is a likely misspelling of it.
#[cfg(feature = "suggest")]
fn nearest(name: &str) -> Option<&'static str> {
    nubbin_suggest::nearest(name, CATALOGUE.iter().map(|algorithm| algorithm.id))
}

#[cfg(not(feature = "suggest"))]
fn nearest(_: &str) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_read_as_the_choice_of_its_entry() {
        for algorithm in catalogue() {
            let choice = parse(algorithm.id).unwrap();
            assert_eq!(choice.algorithm(), algorithm);
            assert_eq!(choice.to_string(), algorithm.id);
            assert!(!algorithm.about.ends_with('.'));
        }
        assert_eq!(MinimizerChoice::default(), parse("sweep").unwrap());
        assert_eq!(
            MinimizerChoice::try_from(DdminOptions::default()),
            parse("ddmin")
        );
    }

    #[test]
    fn every_listed_option_is_accepted_by_its_algorithm() {
        for algorithm in catalogue() {
            for (option, _) in algorithm.options {
                let value = match option.split_once('=').map(|(_, kind)| kind) {
                    None => "",
                    Some("ORDER") => "random",
                    Some("WHICH") => "always",
                    Some("N") => "7",
                    Some(_) => "0.5",
                };
                let option = option
                    .split_once('=')
                    .map_or(option.to_string(), |(name, _)| format!("{name}={value}"));
                let choice = parse(&format!("{}:{option}", algorithm.id)).unwrap();
                assert_eq!(parse(&choice.to_string()), Ok(choice));
            }
        }
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
                "ddmin-star:complements-first,split=4,balanced,continue",
                "ddmin-star:complements-first,split=4,balanced,continue",
            ),
            (
                "ddmin:subsets=random,complements=backward",
                "ddmin:subsets=random,complements=backward",
            ),
            ("probdd:p0=0.25,backward", "probdd:p0=0.25,backward"),
            (
                "chunk-halving:backward,repeat=always",
                "chunk-halving:repeat=always,backward",
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
    fn errors_name_the_known_algorithms_and_options() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("probd"),
            "unknown list minimizer `probd`, did you mean `probdd`?"
        );
        assert_eq!(
            message("Sweep_"),
            "unknown list minimizer `Sweep_`, did you mean `sweep`?"
        );
        assert!(message("simulated annealing").contains("; there are sweep, adaptive,"));
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
            message("ddmin:split=1"),
            "`split=1`: `split` is a whole number from 2"
        );
    }
}
