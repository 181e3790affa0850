use super::access::{Access, Session};
use super::connections::Connections;
use super::service::{MOST_STREAMS, Service};
use super::stores::Stores;
use super::token::Token;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::{Hub, Live};
use nubbin_campaign::Store;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// The maximum number of simultaneous connections, including streams.
pub(super) const MOST_CONNECTIONS: usize = 256;
/// The maximum number of requests that read or change the database at the same time.
const MAX_QUERIES: usize = 16;
/// The time that the end of the server gives to answers that are being sent, and then to threads.
const END: Duration = Duration::from_millis(400);
/// The time after which a connection is accepted again when there were too many open files.
const STEP: Duration = Duration::from_millis(100);

/// The server of the web page of a campaign. The server runs until this value is dropped.
pub(crate) struct PageServer {
    pub(super) shared: Arc<Service>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
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
        // An unusable database is reported at the start, and not by each request.
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
        listener.set_nonblocking(true).map_err(cannot)?;
        let (stop, stopping) = watch::channel(false);
        let shared = Arc::new(Service {
            stores,
            hub,
            live,
            access: Access::new(listener.local_addr().map_err(cannot)?, token, session),
            streams: AtomicUsize::new(0),
            stopping: stopping.clone(),
        });
        // All connections share one thread. Database queries block, so each query, and each stream,
        // runs on a thread of a pool.
        let runtime = Builder::new_current_thread()
            .enable_all()
            .thread_name("page request")
            .max_blocking_threads(MOST_STREAMS + MAX_QUERIES)
            .build();
        let runtime = runtime.map_err(cannot)?;
        let thread = std::thread::Builder::new().name("page".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || run(runtime, shared, listener, stopping)
        });
        Ok(PageServer {
            shared,
            stop,
            thread: Some(thread.map_err(cannot)?),
        })
    }

    /// Returns the address of the page, with the token unless it is in a file of the user.
    pub(crate) fn url(&self) -> String {
        self.shared.access.url()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic.
            let _ = thread.join();
        }
    }
}

/// Serves until the end.
fn run(
    runtime: Runtime,
    shared: Arc<Service>,
    listener: TcpListener,
    mut stopping: watch::Receiver<bool>,
) {
    runtime.block_on(async move {
        let connections = Arc::new(Connections::new(MOST_CONNECTIONS, shared));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&connections)));
        // An error means that the server was dropped.
        let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
        accepting.abort();
        connections.end(END).await;
    });
    runtime.shutdown_timeout(END);
}

async fn accept(listener: TcpListener, connections: Arc<Connections>) {
    // The listener of the standard library is already non-blocking, which tokio requires.
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    loop {
        match listener.accept().await {
            Ok((socket, _)) => connections.serve(socket).await,
            // The process has too many open files, which is temporary.
            Err(_) => tokio::time::sleep(STEP).await,
        }
    }
}
