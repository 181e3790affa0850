//! The files of one grammar: imports, and the lexer of a parser.

use super::ast::{File, GrammarKind, Name, Rule};
use super::options::Options;
use super::result::Note;
use super::source;
use crate::read::ReadError;
use nubbin_suggest as suggest;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The rules of all files of one grammar.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) parser: Vec<Ruled>,
    pub(super) lexer: Vec<Ruled>,
    /// The names of the modes of the lexer. Mode 0 is the default one.
    pub(super) modes: Vec<String>,
    /// Tokens that are declared without a rule.
    pub(super) tokens: Vec<String>,
    /// Whether the parser may mention literals that no rule of the lexer defines.
    pub(super) combined: bool,
    /// Whether literals of the parser match in any case.
    pub(super) case_insensitive: bool,
    pub(super) notes: Vec<Note>,
}

/// A rule with the facts that its file declares.
#[derive(Debug)]
pub(super) struct Ruled {
    pub(super) rule: Rule,
    pub(super) case_insensitive: bool,
}

/// The maximum number of files of one grammar.
const MAX_FILES: usize = 100;

pub(super) fn collect(
    text: &str,
    name: &str,
    options: &Options,
    load: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Files, ReadError> {
    let mut collecting = Collecting {
        files: Files {
            modes: vec!["DEFAULT_MODE".into()],
            ..Files::default()
        },
        seen: FxHashSet::default(),
        defined: FxHashSet::default(),
        noted: FxHashSet::default(),
        predicates: BTreeSet::new(),
        options,
        load,
    };
    let (file, notes) = source::file(text, options)?;
    collecting.seen.insert(file.name.clone());
    collecting.seen.insert(name.to_owned());
    collecting.files.combined = file.kind == GrammarKind::Combined;
    collecting.files.case_insensitive = file.case_insensitive;
    let vocab = file.token_vocab.clone();
    collecting.add(text, file, notes)?;
    if let Some(vocab) = vocab {
        let has_lexer = !collecting.files.lexer.is_empty();
        match collecting.load(text, &vocab) {
            Ok(()) => {}
            // The tokens of a combined grammar may come from a file that only assigns their
            // numbers.
            Err(ReadError::Missing { .. }) if has_lexer => {}
            Err(error) => return Err(error),
        }
    }
    collecting.all_predicates_are_there()?;
    Ok(collecting.files)
}

struct Collecting<'l> {
    files: Files,
    /// The names of the files that were read.
    seen: FxHashSet<String>,
    /// The names of the rules.
    defined: FxHashSet<String>,
    noted: FxHashSet<Note>,
    /// The names of the predicates of all files.
    predicates: BTreeSet<String>,
    options: &'l Options,
    load: &'l mut dyn FnMut(&str) -> Option<String>,
}

impl Collecting<'_> {
    /// Reads another file, which `text` mentions.
    fn load(&mut self, text: &str, name: &Name) -> Result<(), ReadError> {
        if !self.seen.insert(name.text.clone()) {
            return Ok(());
        }
        if self.seen.len() > MAX_FILES {
            return Err(ReadError::at(
                text,
                name.at,
                "too many grammars are imported",
            ));
        }
        let Some(loaded) = (self.load)(&name.text) else {
            return Err(ReadError::Missing {
                name: name.text.clone(),
            });
        };
        let inside = |error| ReadError::Inside {
            name: name.text.clone(),
            error: Box::new(error),
        };
        let (file, notes) = source::file(&loaded, self.options).map_err(inside)?;
        self.add(&loaded, file, notes).map_err(inside)
    }

    /// Adds the rules of a file, and then the rules of the files that it imports. A rule that is
    /// already defined is kept.
    fn add(&mut self, text: &str, file: File, notes: Vec<Note>) -> Result<(), ReadError> {
        let modes: Vec<usize> = file.modes.into_iter().map(|mode| self.mode(mode)).collect();
        self.files.tokens.extend(file.tokens);
        self.predicates.extend(file.predicates);
        for note in notes {
            if self.noted.insert(note.clone()) {
                self.files.notes.push(note);
            }
        }
        let mut here: FxHashSet<String> = FxHashSet::default();
        for mut rule in file.rules {
            let name = rule.name.text.clone();
            if !here.insert(name.clone()) {
                let what = format!("the rule `{name}` is defined twice");
                return Err(ReadError::at(text, rule.name.at, what));
            }
            let misplaced = match (file.kind, rule.is_lexer_rule()) {
                (GrammarKind::Lexer, false) => Some("a lexer grammar has no parser rules"),
                (GrammarKind::Parser, true) => Some("a parser grammar has no lexer rules"),
                _ => None,
            };
            if let Some(what) = misplaced {
                return Err(ReadError::at(text, rule.name.at, what));
            }
            if !self.defined.insert(name) {
                continue;
            }
            rule.mode = modes[rule.mode];
            let ruled = Ruled {
                case_insensitive: rule.case_insensitive.unwrap_or(file.case_insensitive),
                rule,
            };
            match ruled.rule.is_lexer_rule() {
                true => self.files.lexer.push(ruled),
                false => self.files.parser.push(ruled),
            }
        }
        for import in &file.imports {
            self.load(text, import)?;
        }
        Ok(())
    }

    /// Returns an error if an option sets a predicate that no file has.
    fn all_predicates_are_there(&self) -> Result<(), ReadError> {
        let mut set = self.options.predicates.keys();
        let Some(name) = set.find(|name| !self.predicates.contains(*name)) else {
            return Ok(());
        };
        let known = self.predicates.iter();
        let like = suggest::nearest(name, known.clone().map(String::as_str));
        Err(ReadError::NoPredicate {
            name: name.clone(),
            like: like.map(String::from),
            known: known.cloned().collect(),
        })
    }

    fn mode(&mut self, name: String) -> usize {
        let modes = &mut self.files.modes;
        match modes.iter().position(|known| *known == name) {
            Some(known) => known,
            None => {
                modes.push(name);
                modes.len() - 1
            }
        }
    }
}
