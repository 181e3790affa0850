use super::{WriteError, ebnf, plain};
use crate::grammar::Grammar;
use crate::read::Format;

/// Returns a grammar as text. Reading the text yields a grammar of the same language.
///
/// # Errors
///
/// Returns an error if the notation cannot express a part of the grammar.
pub fn write(grammar: &Grammar, format: Format) -> Result<String, WriteError> {
    if grammar.lexing().is_some() {
        return Err(WriteError::Lexer(format));
    }
    match format {
        Format::Book | Format::Lists | Format::Bnf => plain::write(grammar, format),
        Format::Iso | Format::W3c => ebnf::write(grammar, format),
        Format::Antlr => Err(WriteError::ReadOnly(format)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Parser;
    use crate::read::read;
    use std::sync::Arc;

    #[test]
    fn a_written_grammar_reads_as_the_same_language() {
        let grammars = [
            (
                "<s> ::= <n> ('+' <n>)* ';'? | \"it's\" '\"'\n<n> ::= [0-9]+ [a-f_]",
                vec!["1a;", "12f+3_;", "it's\"", "7a+8b"],
                vec!["", "1", "a", "1a+", "it's"],
            ),
            (
                "<s-t> ::= <a b> | <s-t> '\\n' <a b>\n<a b> ::= '' | 'x' <a b> '<q>'",
                vec!["", "x<q>\nxx<q><q>", "\n\n"],
                vec!["x", "<q>"],
            ),
        ];
        for (text, good, bad) in grammars {
            let original = Arc::new(read(text, None, "test").unwrap());
            for format in Format::WRITTEN {
                let written = write(&original, format).unwrap();
                let again = read(&written, Some(format), "again")
                    .unwrap_or_else(|error| panic!("{format}: {error}\n{written}"));
                assert_eq!(Format::detect(&written), format, "{written}");
                let parser = Parser::new(Arc::new(again)).unwrap();
                for text in &good {
                    let fits = parser.accepts(text.as_bytes()).unwrap();
                    assert!(fits, "{format} {text:?}\n{written}");
                }
                for text in &bad {
                    let fits = parser.accepts(text.as_bytes()).unwrap();
                    assert!(!fits, "{format} {text:?}\n{written}");
                }
            }
        }
    }

    #[test]
    fn counts_separators_and_characters_survive() {
        use crate::grammar::Builder;
        let mut builder = Builder::new("test");
        let s = builder.rule("s");
        let x = builder.pattern("[é-ü]|x").unwrap();
        let comma = builder.literal(b",");
        let body = builder.repeat(x, 2, Some(4), Some(comma));
        builder.define(s, body);
        let original = builder.finish(s).unwrap();
        for format in Format::WRITTEN {
            let Ok(written) = write(&original, format) else {
                // These notations cannot express ranges of characters beyond ASCII.
                assert!(!matches!(format, Format::Iso | Format::W3c), "{format}");
                continue;
            };
            let again = read(&written, Some(format), "again").unwrap();
            let parser = Parser::new(Arc::new(again)).unwrap();
            for n in 0..7 {
                let text = vec!["é"; n].join(",");
                let fits = parser.accepts(text.as_bytes()).unwrap();
                assert_eq!(fits, (2..=4).contains(&n), "{n} {written}");
            }
        }
    }

    #[test]
    fn effects_on_names_survive_in_lists() {
        let text = r#"{"<s>": [[{"symbol": "<v>", "defines": "n"}, "=", {"symbol": "<v>", "uses": "n", "otherwise": "0"}, {"token": ";", "commits": "n"}]], "<v>": [["a"]]}"#;
        let grammar = read(text, None, "test").unwrap();
        let written = write(&grammar, Format::Lists).unwrap();
        let parsed: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(
            parsed,
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
        // In other notations, the `otherwise` text is an alternative.
        let bnf = read(&write(&grammar, Format::Bnf).unwrap(), None, "bnf").unwrap();
        let parser = Parser::new(Arc::new(bnf)).unwrap();
        assert!(parser.accepts(b"a=0;").unwrap() && parser.accepts(b"a=a;").unwrap());
    }
}
