use super::access::{Access, Session};
use super::connections::Connections;
use super::service::Service;
use super::stores::Stores;
use super::token::Token;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::{Hub, Live};
use nubbin_campaign::Store;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The maximum number of simultaneous connections, including streams.
pub(super) const MOST_CONNECTIONS: usize = 256;
/// The time that the end of the server gives to answers that are being sent.
const END: Duration = Duration::from_millis(400);
/// The time after which a full server looks whether it is to end.
const STEP: Duration = Duration::from_millis(100);

/// The server of the web page of a campaign. It serves until it is dropped.
pub(crate) struct PageServer {
    pub(super) shared: Arc<Service>,
    address: SocketAddr,
    receiver: Option<JoinHandle<()>>,
}

impl PageServer {
    /// Serves the page of the campaign in a folder, for those who have the token.
    pub(crate) fn start(
        folder: &Path,
        hub: Hub,
        live: Live,
        address: SocketAddr,
        token: Token,
    ) -> Result<PageServer, Problem> {
        let problem = |what: String| Problem::new(Exit::Usage, what);
        let stores = Stores::new(folder);
        // A database that cannot be used is told now, and not by each request.
        let _: Store = stores.open().map_err(|error| {
            let what = format!("cannot serve the page of `{}`", folder.display());
            problem(what).because(&error)
        })?;
        let session = Session::random().map_err(|error| {
            problem("cannot make a cookie for the page".to_owned()).because(&error)
        })?;
        let cannot = |error: io::Error| {
            problem(format!("cannot serve the page at `{address}`"))
                .because(&error)
                .hint("give port 0 to use any free port")
        };
        let listener = TcpListener::bind(address).map_err(cannot)?;
        let bound = listener.local_addr().map_err(cannot)?;
        let shared = Arc::new(Service {
            stores,
            hub,
            live,
            access: Access::new(bound, token, session),
            connections: Connections::new(MOST_CONNECTIONS),
            streams: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        });
        let receiver = std::thread::Builder::new().name("page".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || receive(&shared, &listener)
        });
        Ok(PageServer {
            shared,
            address: bound,
            receiver: Some(receiver.map_err(cannot)?),
        })
    }

    /// Returns the address of the page, with the token unless it is in a file of the user.
    pub(crate) fn url(&self) -> String {
        self.shared.access.url()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
        // A connection wakes the thread that waits for one.
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(match own.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1_u16]),
            });
        }
        let is_woken = TcpStream::connect_timeout(&own, END).is_ok();
        if let Some(receiver) = self.receiver.take()
            && is_woken
        {
            let _ = receiver.join();
        }
        self.shared.connections.end(END);
    }
}

/// Gives each connection a thread.
fn receive(shared: &Arc<Service>, listener: &TcpListener) {
    loop {
        let accepted = listener.accept();
        if shared.stopping.load(Ordering::Relaxed) {
            return;
        }
        let Ok((socket, _)) = accepted else {
            // There are too many open files, which passes.
            std::thread::sleep(STEP);
            continue;
        };
        let socket = Arc::new(socket);
        let number = loop {
            if let Some(number) = shared.connections.enter(&socket, STEP) {
                break number;
            }
            if shared.stopping.load(Ordering::Relaxed) {
                return;
            }
        };
        let counted = Counted(Arc::clone(shared), number);
        let thread = std::thread::Builder::new().name("page request".to_owned());
        // Without a thread, the connection is closed.
        let _ = thread.spawn(move || {
            let counted = counted;
            counted.0.serve(counted.1, &socket);
        });
    }
}

/// Counts a connection out when its thread ends in any way.
struct Counted(Arc<Service>, u64);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.leave(self.1);
    }
}
