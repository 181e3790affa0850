use super::Generator;
use super::token_writer::TokenWriter;
use crate::choices::Choices;
use nubbin_grammar::grammar::SymbolId;

/// Writes a text from tokens of other texts and from new instances of symbols.
///
/// With lexer rules, the lexer divides the text into exactly these tokens. Without, a text is the
/// concatenation of its parts.
#[derive(Debug)]
pub(crate) struct TextWriter<'g> {
    generator: &'g Generator,
    tokens: Option<TokenWriter<'g>>,
    text: Vec<u8>,
}

impl<'g> TextWriter<'g> {
    /// Begins an empty text.
    pub(crate) fn new(generator: &'g Generator) -> Self {
        let tokens = generator.tokens.as_ref().map(|tokens| {
            let mut writer = TokenWriter::new(generator, tokens);
            writer.begin(0);
            writer
        });
        TextWriter {
            generator,
            tokens,
            text: vec![],
        }
    }

    /// Writes a token after the text that stood before it, or after other hidden text if it needs
    /// some. Returns whether it could.
    pub(crate) fn token(&mut self, gap: &[u8], symbol: SymbolId, token: &[u8]) -> bool {
        match &mut self.tokens {
            Some(writer) => writer.copy(gap, symbol, token, &mut self.text),
            None => {
                self.text.extend_from_slice(gap);
                self.text.extend_from_slice(token);
                true
            }
        }
    }

    /// Writes a new instance of a symbol, after hidden text where that is possible. Returns whether
    /// it could.
    pub(crate) fn symbol(&mut self, gap: &[u8], symbol: SymbolId, choices: &mut Choices) -> bool {
        match &mut self.tokens {
            Some(writer) => {
                writer.copy_gap(gap, &mut self.text);
                self.generator
                    .write_tokens(symbol, writer, choices, &mut self.text)
            }
            None => {
                self.text.extend_from_slice(gap);
                let made = self.generator.generate_symbol(symbol, choices);
                made.is_some_and(|made| {
                    self.text.extend_from_slice(&made);
                    true
                })
            }
        }
    }

    /// Completes the text with the end of another text. Returns `None` if it cannot end here.
    pub(crate) fn finish(mut self, gap: &[u8]) -> Option<Vec<u8>> {
        match &mut self.tokens {
            Some(writer) => {
                writer.copy_gap(gap, &mut self.text);
                writer.finish(&mut self.text).then_some(self.text)
            }
            None => {
                self.text.extend_from_slice(gap);
                Some(self.text)
            }
        }
    }
}
