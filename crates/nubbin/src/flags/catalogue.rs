//! Flags of `nubbin algorithms` and `nubbin passes`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct CatalogueFlags {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
