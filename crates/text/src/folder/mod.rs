//! Passes over the files of an input and the files that they include.

mod empty_files;
mod file_names;
mod file_tree;
mod files;
mod includes;
mod inline_files;
mod module_files;
mod path_words;

pub use empty_files::EmptyFiles;
pub use file_names::FileNames;
pub use files::Files;
pub use includes::Includes;
pub use inline_files::InlineFiles;
