//! `nubbin campaign serve`: the page of a campaign, whether or not another process runs it.

use super::act::existing;
use super::page::{PageServer, Token};
use super::{Hub, Live};
use crate::exit::Exit;
use crate::flags::ServeFlags;
use crate::problem::{Problem, say};
use crate::signals;
use nubbin_reduce::engine::Stop;
use std::sync::mpsc::channel;

pub(super) fn run(flags: &ServeFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    // A folder without a campaign is refused before anything is served.
    drop(existing(&flags.folder.folder)?);
    let token = Token::of(flags.token.as_deref(), flags.token_file.as_deref())?;
    let server = PageServer::start(
        &flags.folder.folder,
        Hub::default(),
        Live::default(),
        flags.address,
        token,
    )?;
    say(&format!("the page is at {}", server.url()));
    let (sender, stopped) = channel::<()>();
    let _linked = stop.token().on_cancel(move || drop(sender));
    // The channel closes when the command is stopped.
    let _ = stopped.recv();
    Ok(Exit::Done)
}
