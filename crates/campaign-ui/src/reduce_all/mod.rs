//! `nubbin reduce-all`: each failure of a folder of files, reduced. The command runs a campaign
//! whose tests are the files, and whose messages and results are about files and failures only.

mod ci;
mod continued;
mod data;
mod deadline;
mod each;
mod json_lines;
mod missing;
mod names;
mod outcomes;
mod outputs;
mod page;
mod prepared;
mod progress;
mod record;
mod recorder;
mod results;
mod run;
mod summary;
mod table;

pub use run::run;
