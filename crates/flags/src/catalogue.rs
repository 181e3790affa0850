//! Flags of `nubbin algorithms` and `nubbin passes`.

use clap::Args;

#[derive(Debug, Args)]
pub struct CatalogueFlags {
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}
