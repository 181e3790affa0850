//! A farm in this process, for faults that a real one does not have on request. It runs actions on
//! this machine, in a folder of their own, without a sandbox.

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::{bytestream, longrunning, protobuf, rpc};
use prost::Message;
use reapi::action_cache_server::{ActionCache, ActionCacheServer};
use reapi::capabilities_server::{Capabilities, CapabilitiesServer};
use reapi::content_addressable_storage_server::{
    ContentAddressableStorage, ContentAddressableStorageServer,
};
use reapi::execution_server::{Execution, ExecutionServer};
use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tonic::codegen::tokio_stream::{Stream, wrappers::ReceiverStream};
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Code, Request, Response, Status, Streaming};

type Answer<T> = Result<Response<T>, Status>;
type Operations = Pin<Box<dyn Stream<Item = Result<longrunning::Operation, Status>> + Send>>;

/// The faults of the farm. Counters say for how many calls.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) cannot_cancel: AtomicBool,
    /// Every operation tells its end twice.
    pub(crate) answers_twice: AtomicBool,
    /// Streams that end before their operation does.
    pub(crate) loses_streams: AtomicI64,
    /// Actions for which a blob is missing that was present before.
    pub(crate) evicts: AtomicI64,
    /// Actions that are refused since the queue is full.
    pub(crate) is_full: AtomicI64,
    /// Calls that fail as if the server were unreachable.
    pub(crate) is_gone: AtomicI64,
    /// Calls that take too long for a server between the client and the farm.
    pub(crate) is_late: AtomicI64,
    /// Ends of tests that come with contents of no digest.
    pub(crate) damages: AtomicI64,
    /// Actions whose script ends with another code than 0.
    pub(crate) breaks_scripts: AtomicI64,
    /// Actions that the farm ends at their limits.
    pub(crate) ends_actions: AtomicI64,
    /// The pause before every end.
    pub(crate) slowness: Mutex<Duration>,
    /// The token that requests must carry.
    pub(crate) token: Mutex<Option<String>>,
    /// The program that the worker lacks, which is removed from the test's script.
    pub(crate) lacks: Mutex<Option<String>>,
    /// Clients may not store results.
    pub(crate) keeps_cache: AtomicBool,
}

fn takes(counter: &AtomicI64) -> bool {
    counter.fetch_sub(1, Ordering::SeqCst) > 0
}

/// The content and the history of the farm.
#[derive(Default)]
pub(crate) struct Inside {
    pub(crate) faults: Faults,
    pub(crate) blobs: Mutex<HashMap<String, Vec<u8>>>,
    pub(crate) results: Mutex<HashMap<String, reapi::ActionResult>>,
    operations: Mutex<HashMap<String, Operation>>,
    pub(crate) executed: AtomicU64,
    pub(crate) uploaded: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) running: AtomicI64,
    pub(crate) most_running: AtomicI64,
    next: AtomicU64,
}

#[derive(Clone)]
struct Operation {
    end: watch::Receiver<Option<longrunning::Operation>>,
    kill: Arc<watch::Sender<bool>>,
}

/// A farm that ends when it is dropped.
pub(crate) struct Fake {
    pub(crate) address: String,
    pub(crate) inside: Arc<Inside>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Fake {
    pub(crate) fn start(slots: usize) -> Self {
        Fake::serve(slots, None, 0, Arc::default())
    }

    pub(crate) fn with_tls(slots: usize, tls: ServerTlsConfig) -> Self {
        Fake::serve(slots, Some(tls), 0, Arc::default())
    }

    /// Starts it again at the same place, without what it had.
    pub(crate) fn again(&mut self, slots: usize) {
        let port = self.address.rsplit(':').next().unwrap().parse().unwrap();
        self.end();
        *self = Fake::serve(slots, None, port, Arc::default());
    }

    pub(crate) fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    fn serve(slots: usize, tls: Option<ServerTlsConfig>, port: u16, inside: Arc<Inside>) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (told, tell) = std::sync::mpsc::channel();
        let farm = Farm {
            inside: Arc::clone(&inside),
            slots: Arc::new(Semaphore::new(slots)),
        };
        let scheme = if tls.is_some() { "grpcs" } else { "grpc" };
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let incoming = TcpIncoming::bind(([127, 0, 0, 1], port).into()).unwrap();
                told.send(incoming.local_addr().unwrap().port()).unwrap();
                let mut server = Server::builder();
                if let Some(tls) = tls {
                    server = server.tls_config(tls).unwrap();
                }
                let served = server
                    .add_service(CapabilitiesServer::new(farm.clone()))
                    .add_service(ContentAddressableStorageServer::new(farm.clone()))
                    .add_service(bytestream::byte_stream_server::ByteStreamServer::new(
                        farm.clone(),
                    ))
                    .add_service(ActionCacheServer::new(farm.clone()))
                    .add_service(ExecutionServer::new(farm.clone()))
                    .add_service(longrunning::operations_server::OperationsServer::new(farm))
                    .serve_with_incoming(incoming);
                tokio::select! {
                    served = served => served.unwrap(),
                    _ = stopped => {}
                }
            });
            // Connections break, as those of a process that is killed.
            runtime.shutdown_timeout(Duration::from_secs(5));
        });
        Fake {
            address: format!("{scheme}://127.0.0.1:{}", tell.recv().unwrap()),
            inside,
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.end();
    }
}

#[derive(Clone)]
struct Farm {
    inside: Arc<Inside>,
    slots: Arc<Semaphore>,
}

impl Farm {
    fn admit<T>(&self, request: &Request<T>) -> Result<(), Status> {
        let faults = &self.inside.faults;
        if takes(&faults.is_gone) {
            return Err(Status::unavailable("unreachable"));
        }
        if takes(&faults.is_late) {
            return Err(Status::deadline_exceeded("a server has not answered"));
        }
        let token = faults.token.lock().unwrap().clone();
        let given = request.metadata().get("authorization");
        let given = given.and_then(|value| value.to_str().ok());
        match token {
            Some(token) if given != Some(&format!("Bearer {token}")) => {
                Err(Status::unauthenticated("the token is not known"))
            }
            _ => Ok(()),
        }
    }

    fn blob(&self, digest: &reapi::Digest) -> Result<Vec<u8>, Status> {
        if digest.size_bytes == 0 {
            return Ok(vec![]);
        }
        let blobs = self.inside.blobs.lock().unwrap();
        let found = blobs.get(&digest.hash).cloned();
        found.ok_or_else(|| Status::failed_precondition(format!("no blob {}", digest.hash)))
    }

    fn message<M: Message + Default>(&self, digest: &Option<reapi::Digest>) -> Result<M, Status> {
        let bytes = self.blob(&digest.clone().unwrap_or_default())?;
        M::decode(&bytes[..]).map_err(|error| Status::invalid_argument(error.to_string()))
    }

    fn make(&self, digest: &Option<reapi::Digest>, at: &Path) -> Result<(), Status> {
        std::fs::create_dir_all(at).unwrap();
        let folder: reapi::Directory = self.message(digest)?;
        let mut names: Vec<&str> = folder.files.iter().map(|file| &*file.name).collect();
        let sorted = names.is_sorted();
        names.dedup();
        if !sorted || names.len() != folder.files.len() {
            return Err(Status::invalid_argument("a folder is not sorted"));
        }
        for file in folder.files {
            let path = at.join(&file.name);
            std::fs::write(&path, self.blob(&file.digest.unwrap_or_default())?).unwrap();
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        }
        for link in folder.symlinks {
            std::os::unix::fs::symlink(link.target, at.join(link.name)).unwrap();
        }
        for inner in folder.directories {
            self.make(&inner.digest, &at.join(&inner.name))?;
        }
        Ok(())
    }

    fn store(&self, bytes: Vec<u8>) -> reapi::Digest {
        use std::fmt::Write as _;
        let hash = ring::digest::digest(&ring::digest::SHA256, &bytes);
        let mut hex = String::new();
        hash.as_ref()
            .iter()
            .for_each(|byte| write!(hex, "{byte:02x}").unwrap());
        let digest = reapi::Digest {
            hash: hex.clone(),
            size_bytes: bytes.len() as i64,
        };
        self.inside.blobs.lock().unwrap().insert(hex, bytes);
        digest
    }

    /// Runs an action to its end, or until it is killed.
    async fn work(
        &self,
        action: reapi::Action,
        mut killed: watch::Receiver<bool>,
    ) -> Result<reapi::ActionResult, Status> {
        let faults = &self.inside.faults;
        let command: reapi::Command = self.message(&action.command_digest)?;
        let root = tempfile::tempdir().unwrap();
        self.make(&action.input_root_digest, root.path())?;
        let work = root.path().join(&command.working_directory);
        let lacks = faults.lacks.lock().unwrap().clone();
        if let Some(lacks) = lacks {
            let script = work.join("test.sh");
            let text = std::fs::read_to_string(&script).unwrap();
            std::fs::write(script, text.replace(&lacks, "there-is-no-such-program")).unwrap();
        }
        let args = match takes(&faults.breaks_scripts) {
            true => vec!["-c".to_owned(), "echo no disk >&2; exit 9".to_owned()],
            false => command.arguments[1..].to_vec(),
        };
        let mut child = std::process::Command::new(&command.arguments[0]);
        child.args(args).current_dir(&work).env_clear();
        for variable in &command.environment_variables {
            child.env(&variable.name, &variable.value);
        }
        let stderr = tempfile::tempfile().unwrap();
        child
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null());
        child.stderr(stderr.try_clone().unwrap());
        std::os::unix::process::CommandExt::process_group(&mut child, 0);
        let begin = std::time::SystemTime::now();
        let mut child = child.spawn().unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if *killed.borrow_and_update() {
                kill_tree(child.id());
                child.wait().unwrap();
                return Err(Status::cancelled("canceled"));
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        };
        let slowness = *faults.slowness.lock().unwrap();
        tokio::time::sleep(slowness).await;
        let mut outputs = vec![];
        for path in &command.output_paths {
            if takes(&faults.damages) {
                outputs.push(reapi::OutputFile {
                    path: path.clone(),
                    contents: b"nubbin code 1 0\n".to_vec(),
                    ..Default::default()
                });
            } else if let Ok(bytes) = std::fs::read(work.join(path)) {
                outputs.push(reapi::OutputFile {
                    path: path.clone(),
                    digest: Some(self.store(bytes)),
                    ..Default::default()
                });
            }
        }
        use std::io::{Read as _, Seek as _};
        let (mut said, mut stderr) = (vec![], stderr);
        stderr.rewind().unwrap();
        stderr.read_to_end(&mut said).unwrap();
        Ok(reapi::ActionResult {
            output_files: outputs,
            exit_code: status.code().unwrap_or(137),
            stderr_digest: Some(self.store(said)),
            execution_metadata: Some(reapi::ExecutedActionMetadata {
                execution_start_timestamp: timestamp(begin),
                execution_completed_timestamp: timestamp(std::time::SystemTime::now()),
                ..Default::default()
            }),
            ..Default::default()
        })
    }

    /// Begins an operation, and returns its name.
    fn begin(&self, digest: reapi::Digest, skips_cache: bool) -> Result<String, Status> {
        let faults = &self.inside.faults;
        if takes(&faults.is_full) {
            return Err(Status::resource_exhausted("the queue is full"));
        }
        if takes(&faults.evicts) {
            self.inside.blobs.lock().unwrap().clear();
        }
        let action: reapi::Action = self.message(&Some(digest.clone()))?;
        let name = format!(
            "operation/{}",
            self.inside.next.fetch_add(1, Ordering::SeqCst)
        );
        let (end, ended) = watch::channel(None);
        let (kill, killed) = watch::channel(false);
        let operation = Operation {
            end: ended,
            kill: Arc::new(kill),
        };
        self.inside
            .operations
            .lock()
            .unwrap()
            .insert(name.clone(), operation);
        let farm = self.clone();
        let of = name.clone();
        tokio::spawn(async move {
            let known = farm
                .inside
                .results
                .lock()
                .unwrap()
                .get(&digest.hash)
                .cloned();
            let known = known.filter(|_| !skips_cache);
            let was_cached = known.is_some();
            let result = match known {
                Some(known) => Ok(known),
                None => {
                    let inside = &farm.inside;
                    let _slot = farm.slots.acquire().await.unwrap();
                    inside.executed.fetch_add(1, Ordering::SeqCst);
                    let running = inside.running.fetch_add(1, Ordering::SeqCst) + 1;
                    inside.most_running.fetch_max(running, Ordering::SeqCst);
                    let ended = match takes(&inside.faults.ends_actions) {
                        true => Err(Status::deadline_exceeded("out of time")),
                        false => farm.work(action.clone(), killed).await,
                    };
                    inside.running.fetch_sub(1, Ordering::SeqCst);
                    ended
                }
            };
            if let (Ok(result), false) = (&result, action.do_not_cache)
                && result.exit_code == 0
            {
                let mut results = farm.inside.results.lock().unwrap();
                results.insert(digest.hash, result.clone());
            }
            let _ = end.send(Some(ended_operation(of, result, was_cached)));
        });
        Ok(name)
    }

    /// Tells of an operation until its end.
    fn follow(&self, name: &str) -> Result<Response<Operations>, Status> {
        let operation = self.inside.operations.lock().unwrap().get(name).cloned();
        let mut operation = operation.ok_or_else(|| Status::not_found("no such operation"))?;
        let (send, receive) = mpsc::channel(4);
        let faults = &self.inside.faults;
        let is_lost = takes(&faults.loses_streams);
        let twice = faults.answers_twice.load(Ordering::SeqCst);
        let name = name.to_owned();
        tokio::spawn(async move {
            let first = longrunning::Operation {
                name,
                ..Default::default()
            };
            if send.send(Ok(first)).await.is_err() || is_lost {
                return;
            }
            let end = match operation.end.wait_for(Option::is_some).await {
                Ok(end) => end.clone().unwrap(),
                Err(_) => return,
            };
            for _ in 0..=u8::from(twice) {
                let _ = send.send(Ok(end.clone())).await;
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receive))))
    }
}

#[tonic::async_trait]
impl Capabilities for Farm {
    async fn get_capabilities(
        &self,
        request: Request<reapi::GetCapabilitiesRequest>,
    ) -> Answer<reapi::ServerCapabilities> {
        self.admit(&request)?;
        let is_main = request.get_ref().instance_name != "none";
        let keeps = self.inside.faults.keeps_cache.load(Ordering::SeqCst);
        Ok(Response::new(reapi::ServerCapabilities {
            cache_capabilities: Some(reapi::CacheCapabilities {
                digest_functions: vec![1],
                max_batch_total_size_bytes: 100_000,
                action_cache_update_capabilities: Some(reapi::ActionCacheUpdateCapabilities {
                    update_enabled: !keeps,
                }),
                ..Default::default()
            }),
            execution_capabilities: Some(reapi::ExecutionCapabilities {
                exec_enabled: is_main,
                digest_function: 1,
                ..Default::default()
            }),
            ..Default::default()
        }))
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Farm {
    async fn find_missing_blobs(
        &self,
        request: Request<reapi::FindMissingBlobsRequest>,
    ) -> Answer<reapi::FindMissingBlobsResponse> {
        self.admit(&request)?;
        let blobs = self.inside.blobs.lock().unwrap();
        let digests = request.into_inner().blob_digests.into_iter();
        let missing = digests.filter(|digest| !blobs.contains_key(&digest.hash));
        Ok(Response::new(reapi::FindMissingBlobsResponse {
            missing_blob_digests: missing.collect(),
        }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<reapi::BatchUpdateBlobsRequest>,
    ) -> Answer<reapi::BatchUpdateBlobsResponse> {
        self.admit(&request)?;
        let requests = request.into_inner().requests;
        assert!(requests.iter().map(|one| one.data.len()).sum::<usize>() <= 100_000);
        for one in requests {
            self.inside.uploaded.fetch_add(1, Ordering::SeqCst);
            assert_eq!(Some(self.store(one.data)), one.digest);
        }
        Ok(Response::new(reapi::BatchUpdateBlobsResponse::default()))
    }

    async fn batch_read_blobs(
        &self,
        request: Request<reapi::BatchReadBlobsRequest>,
    ) -> Answer<reapi::BatchReadBlobsResponse> {
        self.admit(&request)?;
        let mut responses = vec![];
        for digest in request.into_inner().digests {
            responses.push(reapi::batch_read_blobs_response::Response {
                data: self.blob(&digest)?,
                digest: Some(digest),
                ..Default::default()
            });
        }
        Ok(Response::new(reapi::BatchReadBlobsResponse { responses }))
    }

    type GetTreeStream = ReceiverStream<Result<reapi::GetTreeResponse, Status>>;

    async fn get_tree(&self, _: Request<reapi::GetTreeRequest>) -> Answer<Self::GetTreeStream> {
        Err(Status::unimplemented(""))
    }

    async fn split_blob(
        &self,
        _: Request<reapi::SplitBlobRequest>,
    ) -> Answer<reapi::SplitBlobResponse> {
        Err(Status::unimplemented(""))
    }

    type GetChunkMappingStream = ReceiverStream<Result<reapi::GetChunkMappingResponse, Status>>;

    async fn get_chunk_mapping(
        &self,
        _: Request<reapi::GetChunkMappingRequest>,
    ) -> Answer<Self::GetChunkMappingStream> {
        Err(Status::unimplemented(""))
    }

    async fn splice_blob(
        &self,
        _: Request<reapi::SpliceBlobRequest>,
    ) -> Answer<reapi::SpliceBlobResponse> {
        Err(Status::unimplemented(""))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<reapi::RegisterChunkMappingRequest>>,
    ) -> Answer<reapi::RegisterChunkMappingResponse> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl bytestream::byte_stream_server::ByteStream for Farm {
    type ReadStream = ReceiverStream<Result<bytestream::ReadResponse, Status>>;

    async fn read(&self, request: Request<bytestream::ReadRequest>) -> Answer<Self::ReadStream> {
        self.admit(&request)?;
        let name = request.into_inner().resource_name;
        let mut parts = name.rsplit('/');
        let size = parts.next().unwrap().parse().unwrap();
        let hash = parts.next().unwrap().to_owned();
        let digest = reapi::Digest {
            hash,
            size_bytes: size,
        };
        let bytes = self.blob(&digest)?;
        let (send, receive) = mpsc::channel(4);
        tokio::spawn(async move {
            for part in bytes.chunks(50_000) {
                let data = part.to_vec();
                let _ = send.send(Ok(bytestream::ReadResponse { data })).await;
            }
        });
        Ok(Response::new(ReceiverStream::new(receive)))
    }

    async fn write(
        &self,
        request: Request<Streaming<bytestream::WriteRequest>>,
    ) -> Answer<bytestream::WriteResponse> {
        self.admit(&request)?;
        let mut stream = request.into_inner();
        let (mut bytes, mut name, mut is_over) = (vec![], String::new(), false);
        while let Some(part) = stream.message().await? {
            assert_eq!(part.write_offset, bytes.len() as i64);
            if name.is_empty() {
                name = part.resource_name;
            }
            bytes.extend(part.data);
            is_over |= part.finish_write;
        }
        assert!(is_over && name.contains("uploads/"));
        self.inside.uploaded.fetch_add(1, Ordering::SeqCst);
        let digest = self.store(bytes);
        assert!(name.ends_with(&format!("{}/{}", digest.hash, digest.size_bytes)));
        Ok(Response::new(bytestream::WriteResponse {
            committed_size: digest.size_bytes,
        }))
    }

    async fn query_write_status(
        &self,
        _: Request<bytestream::QueryWriteStatusRequest>,
    ) -> Answer<bytestream::QueryWriteStatusResponse> {
        Err(Status::unimplemented(""))
    }
}

#[tonic::async_trait]
impl ActionCache for Farm {
    async fn get_action_result(
        &self,
        request: Request<reapi::GetActionResultRequest>,
    ) -> Answer<reapi::ActionResult> {
        self.admit(&request)?;
        let digest = request.into_inner().action_digest.unwrap_or_default();
        let found = self
            .inside
            .results
            .lock()
            .unwrap()
            .get(&digest.hash)
            .cloned();
        found
            .map(Response::new)
            .ok_or_else(|| Status::not_found("no result"))
    }

    async fn update_action_result(
        &self,
        request: Request<reapi::UpdateActionResultRequest>,
    ) -> Answer<reapi::ActionResult> {
        self.admit(&request)?;
        if self.inside.faults.keeps_cache.load(Ordering::SeqCst) {
            return Err(Status::permission_denied("results come from workers"));
        }
        let request = request.into_inner();
        let result = request.action_result.unwrap_or_default();
        let digest = request.action_digest.unwrap_or_default();
        self.inside
            .results
            .lock()
            .unwrap()
            .insert(digest.hash, result.clone());
        Ok(Response::new(result))
    }
}

#[tonic::async_trait]
impl Execution for Farm {
    type ExecuteStream = Operations;

    async fn execute(&self, request: Request<reapi::ExecuteRequest>) -> Answer<Operations> {
        self.admit(&request)?;
        let request = request.into_inner();
        let digest = request.action_digest.unwrap_or_default();
        let name = self.begin(digest, request.skip_cache_lookup)?;
        self.follow(&name)
    }

    type WaitExecutionStream = Operations;

    async fn wait_execution(
        &self,
        request: Request<reapi::WaitExecutionRequest>,
    ) -> Answer<Operations> {
        self.admit(&request)?;
        self.follow(&request.into_inner().name)
    }
}

#[tonic::async_trait]
impl longrunning::operations_server::Operations for Farm {
    async fn list_operations(
        &self,
        _: Request<longrunning::ListOperationsRequest>,
    ) -> Answer<longrunning::ListOperationsResponse> {
        Err(Status::unimplemented(""))
    }

    async fn get_operation(
        &self,
        _: Request<longrunning::GetOperationRequest>,
    ) -> Answer<longrunning::Operation> {
        Err(Status::unimplemented(""))
    }

    async fn delete_operation(
        &self,
        _: Request<longrunning::DeleteOperationRequest>,
    ) -> Answer<protobuf::Empty> {
        Err(Status::unimplemented(""))
    }

    async fn cancel_operation(
        &self,
        request: Request<longrunning::CancelOperationRequest>,
    ) -> Answer<protobuf::Empty> {
        self.admit(&request)?;
        if self.inside.faults.cannot_cancel.load(Ordering::SeqCst) {
            return Err(Status::new(Code::Unimplemented, "no cancel on this farm"));
        }
        let name = request.into_inner().name;
        let operations = self.inside.operations.lock().unwrap();
        let operation = operations.get(&name).ok_or_else(|| Status::not_found(""))?;
        self.inside.cancelled.fetch_add(1, Ordering::SeqCst);
        let _ = operation.kill.send(true);
        Ok(Response::new(protobuf::Empty {}))
    }

    async fn wait_operation(
        &self,
        _: Request<longrunning::WaitOperationRequest>,
    ) -> Answer<longrunning::Operation> {
        Err(Status::unimplemented(""))
    }
}

/// Returns the last message about an operation.
fn ended_operation(
    name: String,
    result: Result<reapi::ActionResult, Status>,
    was_cached: bool,
) -> longrunning::Operation {
    let mut response = reapi::ExecuteResponse {
        cached_result: was_cached,
        ..Default::default()
    };
    match result {
        Ok(result) => response.result = Some(result),
        Err(status) => {
            response.status = Some(rpc::Status {
                code: status.code() as i32,
                message: status.message().to_owned(),
                details: vec![],
            });
        }
    }
    longrunning::Operation {
        name,
        metadata: None,
        done: true,
        result: Some(longrunning::operation::Result::Response(protobuf::Any {
            type_url: String::new(),
            value: response.encode_to_vec(),
        })),
    }
}

fn timestamp(time: std::time::SystemTime) -> Option<protobuf::Timestamp> {
    let since = time.duration_since(std::time::UNIX_EPOCH).unwrap();
    Some(protobuf::Timestamp {
        seconds: since.as_secs() as i64,
        nanos: since.subsec_nanos() as i32,
    })
}

/// Kills a process with its descendants: tests have groups of their own.
fn kill_tree(process: u32) {
    let tree = "k() { for c in $(pgrep -P $1); do k $c; done; kill -KILL $1; } 2>/dev/null";
    let line = format!("{tree}; k {process}");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &line]).status().unwrap();
}
