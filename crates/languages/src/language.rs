//! A language: a tree-sitter parser with its grammar.

use crate::grammar_json::{self, GrammarJsonError};
use crate::hints::Hints;
use crate::hints::unread::{Unread, without};
use crate::names::Names;
use crate::tree::{Alignment, TreeMaker};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::ParseError;
use nubbin_grammar::syntax::{Replacement, Syntax};
use nubbin_grammar::tree::{Tree, TreeError};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tree_sitter::{InputEdit, Point};

/// The reason why a parser and a grammar cannot be combined to a language.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// The grammar cannot be read.
    #[error(transparent)]
    Grammar(#[from] GrammarJsonError),
    /// The built-in grammar cannot be unpacked.
    #[error("the built-in grammar of `{0}` is damaged")]
    Damaged(&'static str),
    /// The version of the generator that generated the parser is too old or too new.
    #[error("the parser has an unsupported version of the parser interface: {0}")]
    Parser(#[from] tree_sitter::LanguageError),
    /// The parser makes a symbol that the grammar does not have.
    #[error(
        "the parser creates `{0}`, which the grammar does not have: parser and grammar are of \
         different versions"
    )]
    Misfit(String),
    /// A grammar of this crate has no parser.
    #[error(transparent)]
    Own(#[from] nubbin_grammar::parse::ParserError),
    /// A grammar of this crate cannot be read.
    #[error(transparent)]
    OwnGrammar(#[from] nubbin_grammar::read::ReadError),
}

/// A tree-sitter parser with the grammar from which it was generated.
///
/// The trees are the trees of the parser, matched with the grammar: they have quantifier nodes,
/// every child is an instance of a mention in a rule, and text outside of all rules is kept. A part
/// that the parser cannot parse is an [`Error`](nubbin_grammar::tree::NodeKind::Error) node with a
/// plain list of children.
///
/// A language can be used from any number of threads. Each thread that parses at the same time
/// needs its own parser.
pub struct Language {
    name: Box<str>,
    grammar: Arc<Grammar>,
    parser: tree_sitter::Language,
    names: Names,
    unread: Unread,
    idle: Mutex<Vec<Worker>>,
    recent: Mutex<Recent>,
}

/// The parser and the buffers of one thread.
struct Worker {
    parser: tree_sitter::Parser,
    maker: TreeMaker,
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Language")
            .field("name", &self.name)
            .finish()
    }
}

impl Language {
    /// Creates a language from a parser and the `grammar.json` from which it was generated.
    ///
    /// `hints` has facts about the language that its grammar does not state. Reading a large
    /// grammar takes some milliseconds.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar cannot be read, if it does not belong to the parser, or if
    /// this library does not support the version of the parser.
    pub fn new(
        name: &str,
        parser: tree_sitter::Language,
        grammar_json: &[u8],
        hints: &Hints,
    ) -> Result<Self, LanguageError> {
        let grammar = Arc::new(grammar_json::read(grammar_json, hints)?);
        let names = Names::of(&parser, &grammar).ok_or(GrammarJsonError::Empty)?;
        if let Some(kind) = names.unknown(&parser) {
            return Err(LanguageError::Misfit(kind.into()));
        }
        let language = Language {
            name: name.into(),
            grammar,
            parser,
            names,
            unread: hints.unread,
            idle: Mutex::default(),
            recent: Mutex::default(),
        };
        let worker = language.worker()?;
        language.give_back(worker);
        Ok(language)
    }

    /// Returns the tree of a text, and the share of the tree that the grammar explains.
    ///
    /// The time is linear in the text, except for texts with many errors, where the parser searches
    /// for ways to continue. There is no recursion over the nesting of the text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text has 4 GiB or more.
    pub fn parse(&self, text: Arc<[u8]>) -> Result<(Tree, Alignment), ParseError> {
        if u32::try_from(text.len()).is_err() {
            return Err(TreeError::TooLarge.into());
        }
        self.parse_from(text, None)
    }

    fn parse_from(
        &self,
        text: Arc<[u8]>,
        old: Option<&tree_sitter::Tree>,
    ) -> Result<(Tree, Alignment), ParseError> {
        let mut worker = self.take_worker()?;
        let unread = (self.unread)(&text);
        let known = old.is_none().then(|| self.recent().same(&text)).flatten();
        let parsed = match known {
            Some(parsed) => parsed,
            None => worker
                .parser
                .parse(&*without(&text, &unread), old)
                .ok_or(TreeError::NotATree)?,
        };
        let kept = Arc::clone(&text);
        let made = worker
            .maker
            .tree(&parsed, text, &self.grammar, &self.names, &unread);
        self.give_back(worker);
        self.recent().keep(Parsed {
            text: kept,
            tree: parsed,
            is_whole: old.is_none(),
        });
        Ok(made?)
    }

    /// Returns a text as the parser sees it. All positions are the same.
    fn read<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        without(text, &(self.unread)(text))
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tree-sitter parser.
    pub fn parser(&self) -> &tree_sitter::Language {
        &self.parser
    }

    fn worker(&self) -> Result<Worker, tree_sitter::LanguageError> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&self.parser)?;
        let maker = TreeMaker::new(Arc::clone(&self.grammar));
        Ok(Worker { parser, maker })
    }

    /// Takes an idle worker, or creates a new worker.
    fn take_worker(&self) -> Result<Worker, ParseError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        match idle {
            Some(worker) => Ok(worker),
            // The version was checked when the language was created.
            None => Ok(self.worker().map_err(|_| TreeError::NotATree)?),
        }
    }

    fn give_back(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(worker);
    }
}

impl Syntax for Language {
    fn name(&self) -> &str {
        &self.name
    }

    fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
        self.parse(text.into()).map(|(tree, _)| tree)
    }

    /// Parses only the part that the change affects, if the old tree is among the last trees that
    /// were built or looked up. The new tree is still built as a whole.
    fn reparse(&self, old: &Tree, change: &Replacement<'_>) -> Result<Tree, ParseError> {
        let text: Arc<[u8]> = change.apply(old.text()).into();
        if u32::try_from(text.len()).is_err() {
            return Err(TreeError::TooLarge.into());
        }
        let mut parsed = self.recent().find(old.text());
        if let Some(parsed) = &mut parsed {
            let within = change.within(old.text().len());
            let [before, after] = [self.read(old.text()), self.read(&text)];
            // A change may decide whether the parser sees other parts of the text.
            let start = within.start.min(common(before.iter(), after.iter()));
            let most = before.len().min(after.len()) - start;
            let behind = (before.len() - within.end).min(most);
            let behind = behind.min(common(before.iter().rev(), after.iter().rev()));
            let (old_end, new_end) = (before.len() - behind, after.len() - behind);
            parsed.edit(&InputEdit {
                start_byte: start,
                old_end_byte: old_end,
                new_end_byte: new_end,
                start_position: point(&before, start),
                old_end_position: point(&before, old_end),
                new_end_position: point(&after, new_end),
            });
        }
        let (tree, _) = self.parse_from(text, parsed.as_ref())?;
        Ok(tree)
    }

    fn is_tolerant(&self) -> bool {
        true
    }

    /// Counts the errors of the parser's tree, without building a tree of the grammar.
    fn misfits(&self, text: &[u8]) -> usize {
        let known = self.recent().same(text);
        if let Some(known) = known {
            return misfits(&known);
        }
        let Ok(mut worker) = self.take_worker() else {
            return 1;
        };
        let parsed = worker.parser.parse(&*self.read(text), None);
        self.give_back(worker);
        let Some(parsed) = parsed else {
            return 1;
        };
        let count = misfits(&parsed);
        self.recent().counted = (text.len() <= Recent::LARGEST).then(|| Parsed {
            text: text.into(),
            tree: parsed,
            is_whole: true,
        });
        count
    }
}

/// Returns the number of errors and missing tokens. Subtrees without errors are skipped.
fn misfits(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

/// Returns the number of bytes with which two texts begin alike.
fn common<'t>(one: impl Iterator<Item = &'t u8>, other: impl Iterator<Item = &'t u8>) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

/// Returns the line and the column in bytes, both from 0.
fn point(text: &[u8], offset: usize) -> Point {
    let before = &text[..offset];
    let column = before
        .iter()
        .rev()
        .take_while(|byte| **byte != b'\n')
        .count();
    Point {
        row: before.iter().filter(|byte| **byte == b'\n').count(),
        column,
    }
}

/// The parser's trees of the texts that were last parsed or looked up, the latest last.
#[derive(Default)]
struct Recent {
    trees: Vec<Parsed>,
    /// The text whose errors were counted last: a caller that counts them often asks for the tree
    /// next.
    counted: Option<Parsed>,
}

struct Parsed {
    text: Arc<[u8]>,
    tree: tree_sitter::Tree,
    /// Whether the parser has read the whole text, and reused no part of another tree.
    is_whole: bool,
}

impl Recent {
    const MAX_TREES: usize = 8;
    /// The maximum size of all texts in bytes. Trees of more text are not worth their memory.
    const LARGEST: usize = 32 << 20;

    fn find(&mut self, text: &Arc<[u8]>) -> Option<tree_sitter::Tree> {
        let mut trees = self.trees.iter();
        let at = trees.position(|known| Arc::ptr_eq(&known.text, text))?;
        self.trees[at..].rotate_left(1);
        self.trees.last().map(|known| known.tree.clone())
    }

    /// Returns the cached tree of the same text, if it was parsed without an old tree.
    fn same(&self, text: &[u8]) -> Option<tree_sitter::Tree> {
        let mut known = self.trees.iter().chain(&self.counted);
        let known = known.find(|known| known.is_whole && *known.text == *text)?;
        Some(known.tree.clone())
    }

    fn keep(&mut self, parsed: Parsed) {
        self.trees.push(parsed);
        let bytes = |trees: &[Parsed]| trees.iter().map(|known| known.text.len()).sum::<usize>();
        while self.trees.len() > Self::MAX_TREES || bytes(&self.trees) > Self::LARGEST {
            self.trees.remove(0);
        }
    }
}
