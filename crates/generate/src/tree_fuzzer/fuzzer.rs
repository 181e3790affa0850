use super::creator::Creator;
use super::mutant::{self, Piece};
use super::parent::{Parent, Parents};
use crate::choices::Choices;
use crate::generator::Generator;
use nubbin_choices::Label;
use nubbin_grammar::parse::{ParseError, Parser, ParserError};
use std::sync::Arc;

/// A generator of mutants that fit a grammar, from the syntax trees of other texts.
///
/// Each mutant is made by one of several [`Creator`]s, which delete, copy, move, swap, replace, and
/// regenerate parts of one or two parents. With lexer rules, the lexer divides a mutant
/// into exactly the tokens that were put together. Where two tokens would be read as one, hidden
/// text is put between them.
///
/// Prefer it to [`MutationFuzzer`](crate::MutationFuzzer) if the target has a parser that refuses
/// most texts, and to a [`Generator`] if there are samples: mutants keep what is in them.
///
/// * *Cost:* one parse for each parent. A mutant takes time linear in its parents.
/// * *Source:* R. Hodován, Á. Kiss, T. Gyimóthy, *Grammarinator: A Grammar-Based Open Source
///   Fuzzer*, 2018, and the creators of its version 26.1.
/// * *Changed:* a creator draws from [`Choices`], so that its mutants replay. A mutant with the
///   text of its parent does not count. Depth and number of tokens have no limits. A copy is made
///   once.
///
/// ```
/// use nubbin_generate::{Choices, Creator, Generator, LimitFuzzer, TreeFuzzer};
/// use nubbin_grammar::read::antlr;
/// use std::sync::Arc;
///
/// let grammar = "grammar G; list: '[' (NAME (',' NAME)*)? ']' EOF; NAME: [a-z]+; WS: ' ' -> skip;";
/// let grammar = antlr::read(grammar, "G", &mut |_| None)?.grammar;
/// let generator = Generator::new(Arc::new(grammar), LimitFuzzer { max_depth: 5 }.into())?;
/// let mut fuzzer = TreeFuzzer::new(generator)?.creators(vec![Creator::DeleteQuantified]);
/// fuzzer.add(b"[ one, two ]")?;
/// let mut choices = Choices::seeded(2);
/// let mut mutants: Vec<_> = (0..20).filter_map(|_| fuzzer.mutant(&mut choices)).collect();
/// mutants.sort();
/// mutants.dedup();
/// assert_eq!(mutants, [&b"[ ]"[..], b"[ one ]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TreeFuzzer {
    generator: Generator,
    parser: Arc<Parser>,
    creators: Vec<Creator>,
    parents: Vec<Parent>,
}

/// The number of times that one creator is asked for a mutant before another one is.
const TRIES: u32 = 4;

impl TreeFuzzer {
    /// Creates a fuzzer without parents, with all creators that keep the grammar.
    ///
    /// # Errors
    /// Returns an error if texts cannot be parsed with the grammar of the generator.
    pub fn new(generator: Generator) -> Result<Self, ParserError> {
        Ok(TreeFuzzer {
            parser: Arc::new(Parser::new(Arc::clone(generator.grammar()))?),
            generator,
            creators: Creator::ALL
                .into_iter()
                .filter(|creator| creator.keeps_grammar())
                .collect(),
            parents: vec![],
        })
    }

    /// Sets the creators to choose from. All are equally likely.
    #[must_use]
    pub fn creators(mut self, creators: Vec<Creator>) -> Self {
        self.creators = creators;
        self
    }

    /// Returns the parser of the grammar.
    pub fn parser(&self) -> &Arc<Parser> {
        &self.parser
    }

    /// Returns whether all mutants fit the grammar.
    pub fn keeps_grammar(&self) -> bool {
        self.creators.iter().all(|creator| creator.keeps_grammar())
    }

    /// Adds a parent.
    ///
    /// # Errors
    /// Returns an error, and adds nothing, if the text does not fit the grammar.
    pub fn add(&mut self, text: &[u8]) -> Result<(), ParseError> {
        let tree = self.parser.parse(text)?;
        self.parents.push(Parent::new(tree));
        Ok(())
    }

    /// Returns the number of parents.
    pub fn parents(&self) -> usize {
        self.parents.len()
    }

    /// Makes a mutant of one or two of the parents, which differs from the first one.
    ///
    /// Returns `None` and [rejects](Choices::reject) the choices if no creator can make one.
    /// Without parents there is none, apart from [`Creator::Generate`].
    pub fn mutant(&self, choices: &mut Choices) -> Option<Vec<u8>> {
        let recipient = choices.choose(self.parents.len(), 0);
        self.mutant_of(recipient, choices)
    }

    /// Makes a mutant of the parent with an index, as [`TreeFuzzer::mutant`] does.
    pub fn mutant_of(&self, recipient: usize, choices: &mut Choices) -> Option<Vec<u8>> {
        let mut left = self.creators.clone();
        while !left.is_empty() {
            let creator = left.swap_remove(choices.choose(left.len(), 0));
            for _ in 0..TRIES {
                choices.begin(Label(3 << 32 | creator as u64));
                let made = self.made(creator, recipient, choices);
                if made.is_some() {
                    choices.end();
                    return made;
                }
                choices.discard();
            }
        }
        choices.reject();
        None
    }

    fn made(&self, creator: Creator, recipient: usize, choices: &mut Choices) -> Option<Vec<u8>> {
        let Some(recipient) = self.parents.get(recipient) else {
            let symbol = self.generator.grammar().start();
            let piece = Piece::New { symbol, gap: &[] };
            let is_generate = creator == Creator::Generate;
            return is_generate.then(|| mutant::write(&self.generator, &[piece], &[], choices))?;
        };
        let donor = &self.parents[choices.choose(self.parents.len(), 0)];
        let parents = Parents { recipient, donor };
        let pieces = creator.create(&parents, choices)?;
        let text = mutant::write(&self.generator, &pieces, recipient.tail(), choices)?;
        (text[..] != recipient.tree().text()[..]).then_some(text)
    }
}
