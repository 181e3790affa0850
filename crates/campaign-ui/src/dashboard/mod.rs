//! The full-screen view of a campaign that runs, with keys to steer it.
//!
//! A thread reads keys, reads the database by a connection of its own, and draws at most ten times
//! a second. No job waits for the terminal.

mod choices;
mod data;
mod drawer;
mod editor;
mod help;
mod issue_list;
mod issue_page;
mod jobs;
mod keys;
mod messages;
mod pager;
mod screen;
mod session;
mod statistics;
#[cfg(test)]
mod tests;
mod text_rows;

pub(crate) use drawer::Dashboard;
