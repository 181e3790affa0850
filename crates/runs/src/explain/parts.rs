//! The parts of a text and their replacements: by a grammar, a language, or tokens.

use crate::exit::Exit;
use crate::grammar::{bytes, complete, languages, named, wrong_grammar};
use crate::problem::{Problem, warn};
use crate::settings::ExplainSettings;
use nubbin_generate::{Choices, Generator, GrammarFuzzer};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::explain::nodes::{self, Corpus};
use nubbin_reduce::explain::{TextSubject, tokens};
use nubbin_reduce::input::Input;
use nubbin_reduce::tree::Outline;
use std::sync::Arc;

/// Random derivations are closed at few open symbols, so that they stay short.
const OPEN: GrammarFuzzer = GrammarFuzzer {
    min_nonterminals: 0,
    max_nonterminals: 5,
};

/// Returns the subject of an explanation: an input and its parts.
pub(super) fn subject(args: &ExplainSettings, input: &Input) -> Result<TextSubject, Problem> {
    let seed = args.search.seed;
    let file = input.present().next();
    let text = file.as_ref().map_or(&b""[..], |file| file.text);
    if !args.search.grammar.is_empty() {
        return by_grammar(args, input, text);
    }
    let by_name = file.as_ref().and_then(|file| file.name.to_str());
    let entry = match args.search.language.as_deref() {
        Some("none") => None,
        Some(name) => Some(languages::named(name)?),
        None => nubbin_languages::detect::detect(by_name, text),
    };
    let Some(entry) = entry else {
        if let Some(path) = args.search.from.first() {
            let what = format!("`--from {}` needs a language", path.display());
            return Err(Problem::new(Exit::Usage, what).hint("name one with `--language LANGUAGE`"));
        }
        return Ok(TextSubject::new(input.clone(), tokens::parts, seed));
    };
    by_language(args, languages::load(entry)?, input, text)
}

fn by_grammar(args: &ExplainSettings, input: &Input, text: &[u8]) -> Result<TextSubject, Problem> {
    let paths = &args.search.grammar;
    let grammar = Arc::new(complete(paths, &args.search.options)?);
    let parser = Parser::new(Arc::clone(&grammar)).map_err(|error| wrong_grammar(paths, &error))?;
    let parser = parser.ended_by(crate::signals::halt());
    let outline = Outline::parse(&parser, text, 0).map_err(|error| {
        let what = format!("the input does not fit the grammar {}", named(paths));
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("name the rule of the whole file with `--start`")
            .hint("use words, numbers, and strings as parts with `--language none`")
    })?;
    let generator =
        Generator::new(grammar, OPEN.into()).map_err(|error| wrong_grammar(paths, &error))?;
    let derive = move |symbol, seed| generator.generate_symbol(symbol, &mut Choices::seeded(seed));
    let seed = args.search.seed;
    Ok(nodes::in_grammar(input.clone(), &outline, derive, seed))
}

fn by_language(
    args: &ExplainSettings,
    syntax: Arc<dyn Syntax>,
    input: &Input,
    text: &[u8],
) -> Result<TextSubject, Problem> {
    let tree = syntax.tree(text).map_err(|error| {
        let what = format!("the input cannot be parsed as {}", syntax.name());
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("use words, numbers, and strings as parts with `--language none`")
    })?;
    let outline = Outline::of_tree(&tree, 0, syntax.spaces_tokens());
    let mut corpus = Corpus::default();
    corpus.add(&outline);
    for path in &args.search.from {
        let other = bytes(path)?;
        match Outline::parse(&*syntax, &other, 0) {
            Ok(outline) => corpus.add(&outline),
            Err(error) => warn(&format!(
                "`{}` cannot be parsed as {}, and is not used: {error}",
                path.display(),
                syntax.name()
            )),
        }
    }
    let seed = args.search.seed;
    let input = input.clone();
    Ok(nodes::in_language(input, &outline, &corpus, syntax, seed))
}
