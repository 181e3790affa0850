use nubbin_campaign::{Campaign, Running};
use std::sync::Weak;
use std::time::Duration;

/// The campaign that this process runs, for interfaces. All else is in the database.
#[derive(Clone, Default)]
pub(crate) struct Live {
    campaign: Weak<Campaign>,
}

impl Live {
    /// Returns an interface to a campaign.
    pub(crate) fn of(campaign: Weak<Campaign>) -> Self {
        Live { campaign }
    }

    /// Returns the running jobs. The list is empty if this process runs no campaign.
    pub(crate) fn running(&self) -> Vec<Running> {
        let campaign = self.campaign.upgrade();
        campaign.map_or_else(Vec::new, |campaign| campaign.running())
    }

    /// Returns the time since the start; `None` if this process runs no campaign.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        let campaign = self.campaign.upgrade();
        campaign.map(|campaign| campaign.elapsed())
    }

    /// Lets the campaign look at the database, which an interface has changed.
    pub(crate) fn wake(&self) {
        if let Some(campaign) = self.campaign.upgrade() {
            campaign.wake();
        }
    }

    /// Tells all interfaces of something that tests need.
    pub(crate) fn announce(&self, text: &str) {
        if let Some(campaign) = self.campaign.upgrade() {
            campaign.announce(text);
        }
    }

    /// Ends the campaign.
    pub(crate) fn stop(&self) {
        if let Some(campaign) = self.campaign.upgrade() {
            campaign.stop();
        }
    }
}
