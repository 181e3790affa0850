//! The web page of a campaign.
//!
//! The page is one HTML file with one script and one style. The script reads the campaign through a
//! JSON interface, and receives changes through a stream of events. The server reads the database
//! of the campaign, so it works in the process that runs the campaign and in any other.

mod access;
mod action;
mod answer;
mod api;
mod asset;
mod connections;
mod request;
mod route;
mod server;
mod service;
mod stores;
mod strangers;
mod stream;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use server::PageServer;
pub(crate) use token::Token;
