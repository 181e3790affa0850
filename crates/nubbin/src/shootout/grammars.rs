//! The grammars of the generated inputs.

use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use nubbin_languages::hints::CONVENTIONS;
use std::sync::Arc;

/// The names and texts of the grammars.
const ALL: [(&str, &str); 9] = [
    ("arithmetic", include_str!("grammars/arithmetic.ebnf")),
    ("cgi", include_str!("grammars/cgi.ebnf")),
    ("csv", include_str!("grammars/csv.ebnf")),
    ("imperative", include_str!("grammars/imperative.ebnf")),
    ("json", include_str!("grammars/json.ebnf")),
    ("s-expressions", include_str!("grammars/s-expressions.ebnf")),
    ("sql", include_str!("grammars/sql.ebnf")),
    ("url", include_str!("grammars/url.ebnf")),
    ("xml", include_str!("grammars/xml.ebnf")),
];

/// A grammar with its parser.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) grammar: Arc<Grammar>,
    pub(super) parser: Arc<Parser>,
}

/// Returns all grammars with their parsers.
///
/// # Errors
/// Returns an error only if this program was built with a broken grammar.
pub(super) fn all() -> Result<Vec<Subject>, Box<dyn std::error::Error>> {
    ALL.iter()
        .map(|&(name, text)| {
            let grammar = read::read(text, None, name)?;
            let grammar = Arc::new(grammar.with_conventions(&CONVENTIONS));
            let parser = Arc::new(Parser::new(Arc::clone(&grammar))?);
            Ok(Subject {
                name,
                grammar,
                parser,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_grammar_can_be_read() {
        let all = super::all().unwrap();
        assert_eq!(all.len(), 9);
        for subject in all {
            assert!(
                subject.grammar.facts().productive(subject.grammar.start()),
                "{}",
                subject.name
            );
        }
    }
}
