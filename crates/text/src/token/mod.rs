//! Passes over tokens: words, numbers, strings, and operators.

mod join_declarations;
mod operators;
mod peephole;
mod quoted_code;
mod strings;
mod token_interiors;
mod tokens;

pub use join_declarations::JoinDeclarations;
pub use operators::Operators;
pub use peephole::Peephole;
pub use quoted_code::QuotedCode;
pub use strings::Strings;
pub use token_interiors::TokenInteriors;
pub use tokens::Tokens;
