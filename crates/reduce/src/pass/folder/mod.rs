//! Passes over an input of many files: which files stay, and what they include.

mod empty_files;
mod files;
mod includes;
mod inline_files;

pub use empty_files::EmptyFiles;
pub use files::Files;
pub use includes::Includes;
pub use inline_files::InlineFiles;
