//! The representation of grammars: symbols and expressions in two arenas.

mod builder;
mod class_name;
mod computed;
mod expr;
mod id;
mod lexing;
mod model;
mod pattern;
mod symbol;

pub use builder::{Builder, Unfinished};
pub use expr::{Associativity, Expr, ExprList, Repeat, Scope};
pub use id::{ExprId, NameId, SymbolId};
pub use lexing::{Command, LexerRule, Lexing, Mode};
pub use model::Grammar;
pub(crate) use pattern::MAX_COUNT;
pub use pattern::PatternError;
pub use symbol::{Symbol, SymbolKind, Visibility};
