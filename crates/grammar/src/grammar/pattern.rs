use super::{Builder, ExprId};
use crate::byte_set::ByteSet;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// The reason why a regular expression cannot be a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The text is not a regular expression.
    #[error("not a regular expression: {0}")]
    Syntax(String),
    /// The expression has an anchor or a word boundary.
    #[error("anchors and word boundaries have no meaning in a grammar")]
    LookAround,
    /// The expression has a count above the maximum.
    #[error("repeats up to {0} times; at most {MAX_COUNT} can be counted")]
    TooMany(u32),
}

/// The maximum count of a repetition. The parser unrolls a bounded repetition, so a maximum keeps
/// its tables small.
pub(crate) const MAX_COUNT: u32 = 1000;

/// The maximum nesting of a regular expression, which bounds the recursion of [`translate`].
const MAX_NESTING: u32 = 100;

impl Builder {
    /// Creates a mention of the token whose texts match a regular expression.
    ///
    /// The syntax is that of the `regex` crate. A class of single bytes becomes [`Self::class`].
    ///
    /// # Errors
    ///
    /// Returns an error if the expression has a syntax error, an anchor, a word boundary, or a
    /// count above the maximum.
    pub fn pattern(&mut self, regex: &str) -> Result<ExprId, PatternError> {
        if let Some(known) = self.known_pattern(regex) {
            return Ok(known);
        }
        let body = expression(self, regex)?;
        Ok(self.add_pattern(regex, body))
    }
}

/// Adds a regular expression as an expression over literals and byte classes.
fn expression(builder: &mut Builder, regex: &str) -> Result<ExprId, PatternError> {
    let hir = ParserBuilder::new()
        .utf8(false)
        .nest_limit(MAX_NESTING)
        .build()
        .parse(regex)
        .map_err(|error| PatternError::Syntax(error.to_string()))?;
    translate(builder, &hir)
}

fn translate(builder: &mut Builder, hir: &Hir) -> Result<ExprId, PatternError> {
    Ok(match hir.kind() {
        HirKind::Empty => builder.empty(),
        HirKind::Literal(literal) => builder.literal(&literal.0),
        HirKind::Class(Class::Bytes(class)) => {
            let set = class
                .iter()
                .flat_map(|range| range.start()..=range.end())
                .collect();
            builder.class(set)
        }
        HirKind::Class(Class::Unicode(class)) => unicode(builder, class),
        HirKind::Look(_) => return Err(PatternError::LookAround),
        HirKind::Capture(capture) => translate(builder, &capture.sub)?,
        HirKind::Concat(parts) => {
            let parts = parts.iter().map(|part| translate(builder, part));
            let parts = parts.collect::<Result<_, _>>()?;
            builder.sequence(parts)
        }
        HirKind::Alternation(parts) => {
            let parts = parts.iter().map(|part| translate(builder, part));
            let parts = parts.collect::<Result<_, _>>()?;
            builder.choice(parts)
        }
        HirKind::Repetition(repetition) => {
            let count = repetition.max.unwrap_or(repetition.min);
            if count > MAX_COUNT {
                return Err(PatternError::TooMany(count));
            }
            let body = translate(builder, &repetition.sub)?;
            match (repetition.min, repetition.max) {
                (0, Some(0)) => builder.empty(),
                (0, Some(1)) => builder.optional(body),
                (min, max) => builder.repeat(body, min, max, None),
            }
        }
    })
}

/// Adds a class of characters as byte sequences of UTF-8.
fn unicode(builder: &mut Builder, class: &ClassUnicode) -> ExprId {
    let mut ascii = ByteSet::EMPTY;
    let mut members = vec![];
    for range in class.iter() {
        for sequence in Utf8Sequences::new(range.start(), range.end()) {
            match sequence.as_slice() {
                [one] => ascii = ascii.union(ByteSet::range(one.start, one.end)),
                several => {
                    let bytes = several
                        .iter()
                        .map(|part| builder.class(ByteSet::range(part.start, part.end)));
                    let bytes = bytes.collect();
                    members.push(builder.sequence(bytes));
                }
            }
        }
    }
    if !ascii.is_empty() {
        members.insert(0, builder.class(ascii));
    }
    builder.choice(members)
}
