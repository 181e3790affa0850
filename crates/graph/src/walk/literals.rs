//! The texts of values that need no walk.

use super::rank::Rank;
use crate::language::Language;
use crate::model::{Graph, Kind, Parameter};
use rustc_hash::FxHashMap;

/// The texts of one parameter's arguments that are enough to leave out those of its types.
const MIN_LITERALS: usize = 6;

/// Values at the limits of JavaScript engines, by kind. The graph of another language has such
/// values itself.
const COMMON: [(Kind, &[&str]); 6] = [
    (Kind::Undefined, &["undefined"]),
    (Kind::Null, &["null"]),
    (Kind::Boolean, &["true", "false"]),
    (
        Kind::Number,
        &[
            "0",
            "1",
            "-1",
            "2",
            "10",
            "1.5",
            "-0",
            "NaN",
            "Infinity",
            "-Infinity",
            "255",
            "65536",
            "2147483647",
            "-2147483648",
            "4294967295",
            "1e21",
            "1e-7",
        ],
    ),
    (
        Kind::String,
        &[
            "\"\"",
            "\"a\"",
            "\"abc\"",
            "\"0\"",
            "\"length\"",
            "\"1,2\"",
            "\"[a-c]+\"",
            "\"\\ud83d\\ude00\"",
            "\"(x) => x\"",
            "\"2020-02-30T10:00:00Z\"",
            "\"{\\\"a\\\":[1]}\"",
        ],
    ),
    (Kind::Symbol, &["this.Symbol.iterator", "this.Symbol()"]),
];

/// Values of JavaScript objects, for parameters of which nothing is known.
const OBJECTS: [&str; 10] = [
    "[]",
    "[1, 2, 3]",
    "[, 1.5, \"a\"]",
    "{}",
    "{a: 1, length: 2}",
    "{valueOf: function () { return 1; }}",
    "function (a, b) { return a; }",
    "function () { throw 0; }",
    "/a(b)|[^c]/g",
    "{get a() { return this; }, set a(b) {}}",
];

/// All texts, and which of them fit where. Lists are ascending.
pub(super) struct Literals {
    texts: Vec<Box<str>>,
    /// The text if there is none.
    nothing: &'static str,
    /// The texts of each type's own values, by rank.
    of_type: Vec<Vec<u32>>,
    /// All texts that are not of one parameter.
    shared: Vec<u32>,
}

/// A builder of [`Literals`].
pub(super) struct LiteralTable {
    ids: FxHashMap<Box<str>, u32>,
    literals: Literals,
}

impl LiteralTable {
    pub(super) fn new(graph: &Graph, order: &[Option<usize>]) -> Self {
        let mut table = LiteralTable {
            ids: FxHashMap::default(),
            literals: Literals {
                texts: vec![],
                nothing: graph.language.nothing(),
                of_type: vec![],
                shared: vec![],
            },
        };
        let (common, objects): (&[_], &[&str]) = match graph.language {
            Language::Javascript => (&COMMON, &OBJECTS),
            Language::Python => (&[], &[]),
        };
        for node in order {
            let Some(node) = node.map(|index| &graph.types()[index]) else {
                table.literals.of_type.push(vec![]);
                continue;
            };
            let common = common.iter().filter(|(kind, _)| *kind == node.kind);
            let common = common.flat_map(|(_, texts)| texts.iter().copied());
            let own = node.values.iter().map(String::as_str);
            let mut own: Vec<u32> = common.chain(own).map(|text| table.id(text)).collect();
            own.sort_unstable();
            own.dedup();
            table.literals.of_type.push(own);
        }
        for text in objects {
            table.id(text);
        }
        table.literals.shared = (0..table.literals.texts.len() as u32).collect();
        table
    }

    fn id(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.literals.texts.len() as u32;
        self.ids.insert(text.into(), id);
        self.literals.texts.push(text.into());
        id
    }

    /// Returns the texts for values of the given types.
    pub(super) fn of_types(&self, types: &[u32]) -> Box<[u32]> {
        let texts = types
            .iter()
            .flat_map(|&rank| &self.literals.of_type[rank as usize]);
        sorted(texts.copied().collect())
    }

    /// Returns the texts for a parameter: texts that were seen for it, and, if there are too few,
    /// texts of its types.
    pub(super) fn of_parameter(&mut self, parameter: &Parameter, types: &[Rank]) -> Box<[u32]> {
        let seen = parameter.values.iter().map(|text| self.id(text));
        let mut texts: Vec<u32> = seen.collect();
        if texts.len() < MIN_LITERALS {
            let types = types
                .iter()
                .flat_map(|rank| &self.literals.of_type[rank.0 as usize]);
            texts.extend(types);
        }
        sorted(texts)
    }

    pub(super) fn finish(self) -> Literals {
        self.literals
    }
}

fn sorted(mut texts: Vec<u32>) -> Box<[u32]> {
    texts.sort_unstable();
    texts.dedup();
    texts.into()
}

impl Literals {
    pub(super) fn count(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn text(&self, id: usize) -> &str {
        self.texts.get(id).map_or(self.nothing, |text| text)
    }

    /// Returns the texts for any value.
    pub(super) fn shared(&self) -> &[u32] {
        &self.shared
    }
}
