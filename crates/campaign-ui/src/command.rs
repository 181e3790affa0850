//! Runs each command of `nubbin campaign`.

use super::{act, bisect, check, export, import, issues, merge, new, serve, status};
use crate::exit::Exit;
use crate::flags::CampaignCommand;
use crate::problem::Problem;
use nubbin_campaign::{IssueState, JobKind};

pub fn run(command: CampaignCommand) -> Result<Exit, Problem> {
    match command {
        CampaignCommand::New(flags) => new::run(&flags),
        CampaignCommand::Check(flags) => check::run(&flags),
        CampaignCommand::Run(flags) => super::run::run(&flags),
        CampaignCommand::Status(flags) => status::run(&flags),
        CampaignCommand::Issues(flags) => issues::list(&flags),
        CampaignCommand::Show(flags) => issues::show(&flags),
        CampaignCommand::Validate(flags) => act::jobs(&flags, JobKind::Validate),
        CampaignCommand::Reduce(flags) => act::jobs(&flags, JobKind::Reduce),
        CampaignCommand::Explain(flags) => act::jobs(&flags, JobKind::Explain),
        CampaignCommand::Bisect(flags) => bisect::run(&flags),
        CampaignCommand::Close(flags) => act::set(&flags, IssueState::Closed),
        CampaignCommand::Ignore(flags) => act::set(&flags, IssueState::Ignored),
        CampaignCommand::Open(flags) => act::set(&flags, IssueState::Open),
        CampaignCommand::Join(flags) => act::join(&flags),
        CampaignCommand::Split(flags) => act::split(&flags),
        CampaignCommand::Delete(flags) => act::delete(&flags),
        CampaignCommand::Note(flags) => act::note(&flags),
        CampaignCommand::Report(flags) => export::reports(&flags),
        CampaignCommand::Export(flags) => export::export(&flags),
        CampaignCommand::Import(flags) => import::run(&flags),
        CampaignCommand::Merge(flags) => merge::run(&flags),
        CampaignCommand::Serve(flags) => serve::run(&flags),
    }
}
