//! The calls of the protocol that nubbin needs.

use crate::address::Access;
use crate::blob::Blob;
use crate::error::{RemoteError, innermost};
use crate::token::Token;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::{bytestream, longrunning, rpc};
use prost::Message;
use reapi::action_cache_client::ActionCacheClient;
use reapi::capabilities_client::CapabilitiesClient;
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use reapi::execution_client::ExecutionClient;
use std::collections::HashSet;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status, Streaming};

/// The time limit of a call that needs no test.
const CALL: Duration = Duration::from_secs(30);
/// The time limit of a call that sends or receives large blobs.
const TRANSFER: Duration = Duration::from_secs(600);
/// The time without a word after which the connection of a running action is made again.
const SILENCE: Duration = Duration::from_secs(60);
/// The number of blobs that the farm is known to have, above which they are forgotten.
const MOST_KNOWN: usize = 1 << 18;
/// The largest message that is sent. Common servers accept 4 MiB; the rest is for the frame.
const MESSAGE: usize = (4 << 20) - (64 << 10);
/// The largest message that is received.
const RECEIVED: usize = 64 << 20;
/// The size of the parts of a large blob.
const PART: usize = 1 << 20;
/// The number that the protocol has for SHA-256.
const SHA256: i32 = reapi::digest_function::Value::Sha256 as i32;

/// A connection to a farm. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    channel: Channel,
    instance: String,
    token: Token,
    /// The largest batch of blobs in bytes.
    batch: usize,
    /// Whether clients may store results.
    stores_results: bool,
    /// The hashes of blobs that the farm has had in this run.
    there: Arc<Mutex<HashSet<String>>>,
}

/// The end of an action.
#[derive(Clone, Debug)]
pub(crate) struct Executed {
    pub(crate) result: reapi::ActionResult,
    pub(crate) was_cached: bool,
    /// The words of the farm, for people.
    pub(crate) message: String,
}

impl Client {
    /// Connects to the farm, and requests its capabilities.
    pub(crate) async fn connect(access: &Access) -> Result<Self, RemoteError> {
        let source = access.token.clone();
        let token = tokio::task::spawn_blocking(move || Token::new(source)).await;
        let mut client = Client {
            channel: access.connect().await?,
            instance: access.instance.clone(),
            token: token.map_err(|_| RemoteError::Stopped)??,
            batch: MESSAGE,
            stores_results: false,
            there: Arc::default(),
        };
        let can = client
            .capabilities()
            .await
            .map_err(|status| match status.code() {
                Code::Unavailable => RemoteError::Unreachable {
                    address: access.address.clone(),
                    why: match innermost(&status) {
                        inner if inner.is_empty() => status.message().to_owned(),
                        inner => inner,
                    },
                },
                _ => RemoteError::of(&status),
            })?;
        let execution = can.execution_capabilities.unwrap_or_default();
        if !execution.exec_enabled {
            return Err(RemoteError::Unable {
                what: "execution is not enabled for this instance",
            });
        }
        let cache = can.cache_capabilities.unwrap_or_default();
        let functions = &cache.digest_functions;
        if !functions.is_empty() && !functions.contains(&SHA256) {
            return Err(RemoteError::Unable {
                what: "the farm does not support SHA-256 digests",
            });
        }
        // 0 means that the server sets no limit, but messages have one.
        if let Ok(most @ 1..) = usize::try_from(cache.max_batch_total_size_bytes) {
            client.batch = most.min(MESSAGE);
        }
        let updates = cache.action_cache_update_capabilities.unwrap_or_default();
        client.stores_results = updates.update_enabled;
        Ok(client)
    }

    pub(crate) fn stores_results(&self) -> bool {
        self.stores_results
    }

    /// Fetches the token again, and returns whether it is another one.
    pub(crate) async fn new_token(&self) -> Result<bool, RemoteError> {
        let token = self.token.clone();
        let refreshed = tokio::task::spawn_blocking(move || token.refresh()).await;
        refreshed.map_err(|_| RemoteError::Stopped)?
    }

    pub(crate) async fn capabilities(&self) -> Result<reapi::ServerCapabilities, Status> {
        let request = reapi::GetCapabilitiesRequest {
            instance_name: self.instance.clone(),
        };
        let mut client = CapabilitiesClient::new(self.channel.clone());
        unary(CALL, client.get_capabilities(self.request(request))).await
    }

    /// Sends the blobs that the farm lacks. The client does not ask again for blobs that the farm
    /// has had, until [`Client::forget`].
    pub(crate) async fn upload(&self, blobs: &[&Blob]) -> Result<(), Status> {
        let mut new: Vec<&Blob> = vec![];
        {
            let there = self.there();
            let mut seen = HashSet::new();
            for blob in blobs {
                let hash = &blob.digest.hash;
                if !there.contains(hash) && seen.insert(hash) {
                    new.push(blob);
                }
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        // A digest takes less than 100 bytes in a message.
        for part in new.chunks(MESSAGE / 100) {
            let missing = self.missing(part).await?;
            let missing = part
                .iter()
                .filter(|blob| missing.contains(&blob.digest.hash));
            self.send(missing.copied()).await?;
        }
        let hashes = new.iter().map(|blob| blob.digest.hash.clone());
        let mut there = self.there();
        // A run may take weeks, so the set of known blobs is cleared. Asking for a blob once more
        // costs little.
        if there.len() > MOST_KNOWN {
            there.clear();
        }
        there.extend(hashes);
        Ok(())
    }

    /// Forgets which blobs the farm has, since it has removed some.
    pub(crate) fn forget(&self) {
        self.there().clear();
    }

    fn there(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn missing(&self, blobs: &[&Blob]) -> Result<HashSet<String>, Status> {
        let request = reapi::FindMissingBlobsRequest {
            instance_name: self.instance.clone(),
            blob_digests: blobs.iter().map(|blob| blob.digest.clone()).collect(),
            digest_function: SHA256,
        };
        let found = unary(CALL, self.cas().find_missing_blobs(self.request(request))).await?;
        let missing = found.missing_blob_digests.into_iter();
        Ok(missing.map(|digest| digest.hash).collect())
    }

    async fn send<'b>(&self, blobs: impl Iterator<Item = &'b Blob>) -> Result<(), Status> {
        let (mut batch, mut size) = (vec![], 0);
        for blob in blobs {
            let bytes = blob.bytes().map_err(|error| {
                Status::invalid_argument(format!("a file cannot be read again: {error}"))
            })?;
            // Each entry has a digest and framing.
            let entry = bytes.len() + 128;
            if entry > self.batch {
                self.write(&blob.digest, &bytes).await?;
                continue;
            }
            if size + entry > self.batch {
                self.send_batch(std::mem::take(&mut batch)).await?;
                size = 0;
            }
            size += entry;
            batch.push(reapi::batch_update_blobs_request::Request {
                digest: Some(blob.digest.clone()),
                data: bytes,
                compressor: 0,
            });
        }
        match batch.is_empty() {
            true => Ok(()),
            false => self.send_batch(batch).await,
        }
    }

    async fn send_batch(
        &self,
        requests: Vec<reapi::batch_update_blobs_request::Request>,
    ) -> Result<(), Status> {
        let request = reapi::BatchUpdateBlobsRequest {
            instance_name: self.instance.clone(),
            requests,
            digest_function: SHA256,
        };
        let sent = unary(
            TRANSFER,
            self.cas().batch_update_blobs(self.request(request)),
        )
        .await?;
        let failed = sent
            .responses
            .into_iter()
            .find_map(|one| failure(one.status));
        failed.map_or(Ok(()), |status| Err(of_call(status)))
    }

    async fn write(&self, digest: &reapi::Digest, bytes: &[u8]) -> Result<(), Status> {
        // The resource name must be unique among all current uploads.
        let resource_name = format!(
            "{}uploads/{}/blobs/{}/{}",
            self.prefix(),
            unique(&digest.hash),
            digest.hash,
            digest.size_bytes
        );
        let count = bytes.chunks(PART).count();
        let parts = bytes.chunks(PART).enumerate();
        let parts: Vec<_> = parts
            .map(|(nth, part)| bytestream::WriteRequest {
                resource_name: if nth == 0 {
                    resource_name.clone()
                } else {
                    String::new()
                },
                write_offset: i64::try_from(nth * PART).unwrap_or(i64::MAX),
                finish_write: nth + 1 == count,
                data: part.to_vec(),
            })
            .collect();
        let mut client =
            bytestream::byte_stream_client::ByteStreamClient::new(self.channel.clone());
        let parts = self.request(tonic::codegen::tokio_stream::iter(parts));
        let written = unary(TRANSFER, client.write(parts)).await?;
        // A server that already has the blob need not read all of it.
        match written.committed_size {
            size if size == digest.size_bytes || size == -1 => Ok(()),
            size => Err(Status::aborted(format!(
                "the farm has stored {size} of {} bytes",
                digest.size_bytes
            ))),
        }
    }

    /// Reads a blob.
    pub(crate) async fn read(&self, digest: &reapi::Digest) -> Result<Vec<u8>, Status> {
        if digest.size_bytes == 0 {
            return Ok(vec![]);
        }
        let size = usize::try_from(digest.size_bytes).unwrap_or(usize::MAX);
        let bytes = match size + 128 > self.batch {
            true => self.read_stream(digest).await?,
            false => self.read_batch(digest).await?,
        };
        match crate::blob::digest(&bytes) == *digest {
            true => Ok(bytes),
            false => Err(Status::data_loss("the farm sent another blob")),
        }
    }

    async fn read_batch(&self, digest: &reapi::Digest) -> Result<Vec<u8>, Status> {
        let request = reapi::BatchReadBlobsRequest {
            instance_name: self.instance.clone(),
            digests: vec![digest.clone()],
            acceptable_compressors: vec![],
            digest_function: SHA256,
        };
        let read = unary(TRANSFER, self.cas().batch_read_blobs(self.request(request))).await?;
        let one = read.responses.into_iter().next();
        let one = one.ok_or_else(|| Status::not_found("the farm sent no blob"))?;
        match failure(one.status) {
            Some(status) => Err(of_call(status)),
            None => Ok(one.data),
        }
    }

    async fn read_stream(&self, digest: &reapi::Digest) -> Result<Vec<u8>, Status> {
        let request = bytestream::ReadRequest {
            resource_name: format!(
                "{}blobs/{}/{}",
                self.prefix(),
                digest.hash,
                digest.size_bytes
            ),
            read_offset: 0,
            read_limit: 0,
        };
        let mut client =
            bytestream::byte_stream_client::ByteStreamClient::new(self.channel.clone())
                .max_decoding_message_size(RECEIVED);
        let mut stream = unary(CALL, client.read(self.request(request))).await?;
        let mut bytes = vec![];
        while let Some(part) = limited(TRANSFER, stream.message()).await? {
            bytes.extend(part.data);
        }
        Ok(bytes)
    }

    /// Returns the known result of an action; `None` if the farm knows no result.
    pub(crate) async fn known(
        &self,
        action: &reapi::Digest,
        output: &str,
    ) -> Result<Option<reapi::ActionResult>, Status> {
        let request = reapi::GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.clone()),
            inline_output_files: vec![output.to_owned()],
            digest_function: SHA256,
            ..Default::default()
        };
        let mut client = ActionCacheClient::new(self.channel.clone());
        match unary(CALL, client.get_action_result(self.request(request))).await {
            Ok(result) => Ok(Some(result)),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(status),
        }
    }

    /// Stores the result of an action for others.
    pub(crate) async fn store(
        &self,
        action: reapi::Digest,
        result: reapi::ActionResult,
    ) -> Result<(), Status> {
        let request = reapi::UpdateActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action),
            action_result: Some(result),
            digest_function: SHA256,
            ..Default::default()
        };
        let mut client = ActionCacheClient::new(self.channel.clone());
        unary(CALL, client.update_action_result(self.request(request)))
            .await
            .map(drop)
    }

    /// Runs an action until its end. `begun` receives the name of its operation as soon as there is
    /// one. If the connection breaks, the same operation is waited for.
    pub(crate) async fn execute(
        &self,
        action: &reapi::Digest,
        outputs: Vec<String>,
        skip_cache: bool,
        begun: impl Fn(&str),
    ) -> Result<Executed, Status> {
        let mut name = String::new();
        let (mut lost, mut begun_again) = (0, 0);
        loop {
            let mut has_news = false;
            let mut told = |name: Option<&str>| {
                has_news = true;
                if let Some(name) = name {
                    begun(name);
                }
            };
            let ended = self.follow(action, &outputs, skip_cache, &mut name, &mut told);
            let status = match ended.await {
                Ok(Some(operation)) => return outcome(operation),
                // The stream was silent, or ended before the action.
                Ok(None) => Status::unavailable("the farm stopped reporting on an action"),
                Err(status) => status,
            };
            let is_waiting = !name.is_empty();
            if has_news {
                lost = 0;
            }
            match status.code() {
                // The farm was restarted, or does not remember operations.
                Code::NotFound | Code::Unimplemented if is_waiting => {
                    name.clear();
                    begun_again += 1;
                }
                Code::Unavailable | Code::Unknown | Code::Internal if is_waiting => {}
                _ => return Err(status),
            }
            lost += 1;
            if lost > 5 || begun_again > 5 {
                return Err(status);
            }
            tokio::time::sleep(Duration::from_millis(100 << lost)).await;
        }
    }

    /// Follows an operation to its end. Returns `None` if the farm fell silent. `told` is called
    /// for every message, with the name of the operation in the first one.
    async fn follow(
        &self,
        action: &reapi::Digest,
        outputs: &[String],
        skip_cache_lookup: bool,
        name: &mut String,
        told: &mut impl FnMut(Option<&str>),
    ) -> Result<Option<longrunning::Operation>, Status> {
        let mut client =
            ExecutionClient::new(self.channel.clone()).max_decoding_message_size(RECEIVED);
        let mut stream: Streaming<longrunning::Operation> = if name.is_empty() {
            let request = reapi::ExecuteRequest {
                instance_name: self.instance.clone(),
                skip_cache_lookup,
                action_digest: Some(action.clone()),
                digest_function: SHA256,
                inline_stderr: true,
                inline_output_files: outputs.to_vec(),
                ..Default::default()
            };
            unary(SILENCE, client.execute(self.request(request))).await?
        } else {
            let request = reapi::WaitExecutionRequest { name: name.clone() };
            unary(CALL, client.wait_execution(self.request(request))).await?
        };
        loop {
            let Ok(message) = tokio::time::timeout(SILENCE, stream.message()).await else {
                return Ok(None);
            };
            let Some(operation) = message.map_err(of_call)? else {
                return Ok(None);
            };
            let is_new = name.is_empty() && !operation.name.is_empty();
            if is_new {
                name.clone_from(&operation.name);
            }
            told(is_new.then_some(&**name));
            if operation.done {
                return Ok(Some(operation));
            }
        }
    }

    /// Cancels an operation.
    pub(crate) async fn cancel(&self, name: &str) -> Result<(), Status> {
        let mut client =
            longrunning::operations_client::OperationsClient::new(self.channel.clone());
        let request = longrunning::CancelOperationRequest {
            name: name.to_owned(),
        };
        unary(CALL, client.cancel_operation(self.request(request)))
            .await
            .map(drop)
    }

    fn cas(&self) -> ContentAddressableStorageClient<Channel> {
        ContentAddressableStorageClient::new(self.channel.clone())
            .max_decoding_message_size(RECEIVED)
    }

    /// Returns the prefix of the names of resources.
    fn prefix(&self) -> String {
        match self.instance.as_str() {
            "" => String::new(),
            instance => format!("{instance}/"),
        }
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(header) = self.token.header() {
            request.metadata_mut().insert("authorization", header);
        }
        request
    }
}

/// Returns the response of a call, or a status if it takes too long.
async fn unary<T>(
    limit: Duration,
    call: impl Future<Output = Result<Response<T>, Status>>,
) -> Result<T, Status> {
    limited(limit, call).await.map(Response::into_inner)
}

async fn limited<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    match tokio::time::timeout(limit, call).await {
        Ok(result) => result.map_err(of_call),
        Err(_) => Err(Status::unavailable(format!("no answer within {limit:?}"))),
    }
}

/// Returns the status of a call. Only the end of an action may say that its time is over; a call
/// that took too long may be repeated.
fn of_call(status: Status) -> Status {
    match status.code() {
        Code::DeadlineExceeded => Status::unavailable(status.message()),
        _ => status,
    }
}

/// Returns the outcome of an operation that is done.
fn outcome(operation: longrunning::Operation) -> Result<Executed, Status> {
    use longrunning::operation::Result as End;
    match operation.result {
        Some(End::Error(status)) => {
            Err(failure(Some(status))
                .unwrap_or_else(|| Status::internal("an error without a code")))
        }
        Some(End::Response(any)) => {
            let response = reapi::ExecuteResponse::decode(&any.value[..])
                .map_err(|error| Status::internal(format!("the answer is damaged: {error}")))?;
            if let Some(status) = failure(response.status) {
                return Err(status);
            }
            Ok(Executed {
                result: response
                    .result
                    .ok_or_else(|| Status::internal("an action without a result"))?,
                was_cached: response.cached_result,
                message: response.message,
            })
        }
        None => Err(Status::internal("an action without an end")),
    }
}

/// Returns the status of a part of a response, if it is a failure.
fn failure(status: Option<rpc::Status>) -> Option<Status> {
    let status = status.filter(|status| status.code != 0)?;
    Some(Status::new(Code::from(status.code), status.message))
}

/// Returns a name in the form of a UUID, which no other upload has.
fn unique(hash: &str) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nth = NEXT.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    let hash = hash.get(..12).unwrap_or("000000000000");
    format!(
        "{process:08x}-{:04x}-4{:03x}-8000-{hash}",
        nth >> 12 & 0xffff,
        nth & 0xfff
    )
}
