//! Actions: a command, a folder, and limits. A farm identifies an action by its digest.

use crate::blob::Blob;
use crate::error::RemoteError;
use crate::folder::Folder;
use crate::script::{self, FOLDER, HARNESS, RESULT, Settings};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf;
use nubbin_oracle::{CommandOracle, Keep, TestCommand};
use nubbin_verdict::Candidate;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The time that a worker has for an action in addition to its tests.
const BESIDE: Duration = Duration::from_secs(30);

/// The common part of all actions of a run.
#[derive(Debug)]
pub(crate) struct Common {
    /// The root of the input, without the folder of the tests.
    root: Folder,
    /// The blobs of files and folders that are sent.
    blobs: Vec<Blob>,
    /// The folder of a test, without the candidate.
    work: Folder,
    environment: Vec<reapi::command::EnvironmentVariable>,
    platform: Vec<reapi::platform::Property>,
    sent: Vec<PathBuf>,
}

impl Common {
    /// Reads the files that are sent: `inputs`, at their own paths below the root, and the oracle's
    /// files other than the candidate.
    pub(crate) fn new(
        oracle: &CommandOracle,
        inputs: &[PathBuf],
        platform: &[(String, String)],
    ) -> Result<Self, RemoteError> {
        let mut blobs = vec![];
        let mut root = Folder::default();
        for path in inputs {
            // Folders in the protocol may contain links, but a link has no use without its target.
            let real = path
                .canonicalize()
                .map_err(|error| unreadable(path, &error))?;
            root.copy(&real, path, &mut blobs)
                .map_err(|error| unreadable(path, &error))?;
        }
        let mut work = Folder::default();
        for name in oracle.folders() {
            if !work.folder(name) {
                return Err(RemoteError::Name { name: name.clone() });
            }
        }
        for extra in oracle.extras() {
            work.copy(extra.from(), extra.name(), &mut blobs)
                .map_err(|error| unreadable(extra.from(), &error))?;
        }
        work.seal_except(oracle.names().iter().map(PathBuf::as_path), &mut blobs);
        root.seal_except(std::iter::empty(), &mut blobs);
        Ok(Common {
            root,
            blobs,
            work,
            environment: environment(oracle),
            platform: platform_of(platform),
            sent: inputs.to_vec(),
        })
    }

    /// Returns the size in bytes of all sent files except the candidates.
    pub(crate) fn size(&self) -> usize {
        self.blobs.iter().map(Blob::size).sum()
    }

    /// Creates the template of a command's actions.
    pub(crate) fn template(
        self: &Arc<Self>,
        oracle: &CommandOracle,
        command: &TestCommand,
        keep: Keep,
        time_limit: Duration,
    ) -> Template {
        let stdin = oracle.names().first().filter(|_| oracle.has_stdin());
        let script = script::test_script(&Settings {
            command,
            place: oracle.place(),
            stdin: stdin.map(PathBuf::as_path),
            keep,
            output_limit: oracle.output_limit(),
            time_limit,
            sent: &self.sent,
        });
        Template {
            common: Arc::clone(self),
            harness: Blob::of(HARNESS.as_bytes().to_vec()),
            script: Blob::of(script),
            time_limit,
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> RemoteError {
    RemoteError::File {
        path: path.to_owned(),
        why: error.to_string(),
    }
}

/// Returns the environment of tests: little of the user's own, so that a farm gets no secrets, and
/// so that two users have the same actions.
fn environment(oracle: &CommandOracle) -> Vec<reapi::command::EnvironmentVariable> {
    let mut all = BTreeMap::from([
        ("HOME".to_owned(), "/tmp".to_owned()),
        ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ("NUBBIN".to_owned(), "1".to_owned()),
        (
            "PATH".to_owned(),
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned(),
        ),
    ]);
    for (name, value) in oracle.environment().changes() {
        let name = name.to_string_lossy().into_owned();
        match value {
            Some(value) => all.insert(name, value.to_string_lossy().into_owned()),
            None => all.remove(&name),
        };
    }
    let variables = all.into_iter();
    variables
        .map(|(name, value)| reapi::command::EnvironmentVariable { name, value })
        .collect()
}

/// Returns the properties in the order that the protocol demands.
fn platform_of(properties: &[(String, String)]) -> Vec<reapi::platform::Property> {
    let mut properties = properties.to_vec();
    properties.sort();
    let properties = properties.into_iter();
    properties
        .map(|(name, value)| reapi::platform::Property { name, value })
        .collect()
}

/// The common part of the actions of one command.
#[derive(Debug)]
pub(crate) struct Template {
    common: Arc<Common>,
    harness: Blob,
    script: Blob,
    time_limit: Duration,
}

/// A candidate on its way: its folder, and the blobs of that.
#[derive(Debug)]
pub(crate) struct Packed {
    folder: reapi::Digest,
    blobs: Vec<Blob>,
}

/// An action, with the blobs that it needs in addition to the blobs of its candidates.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) digest: reapi::Digest,
    blobs: Vec<Blob>,
    /// The files with the ends of the tests.
    pub(crate) outputs: Vec<String>,
    /// The time after which the farm stops the action.
    pub(crate) limit: Duration,
}

impl Template {
    pub(crate) fn pack(
        &self,
        candidate: &Candidate<'_>,
        oracle: &CommandOracle,
    ) -> Result<Packed, RemoteError> {
        let mut blobs = vec![];
        let mut work = self.common.work.clone();
        for file in candidate.files() {
            let blob = Blob::of(file.bytes.to_vec());
            let is_executable = oracle.is_executable(file.name);
            if !work.file(file.name, blob.digest.clone(), is_executable) {
                return Err(RemoteError::Name {
                    name: file.name.to_owned(),
                });
            }
            blobs.push(blob);
        }
        let mut folder = Folder::default();
        folder.folder(Path::new("tmp"));
        let work = work.seal(&mut blobs);
        folder.sealed("work".to_owned(), work);
        let folder = folder.seal(&mut blobs);
        Ok(Packed { folder, blobs })
    }

    /// Creates the action that tests the given candidates. `salt` tells the repetitions of a test
    /// apart.
    pub(crate) fn action(&self, candidates: &[&Packed], salt: u32, is_cached: bool) -> Action {
        let mut blobs = vec![];
        let mut tests = Folder::default();
        let harness = self.harness.digest.clone();
        tests.file(Path::new("harness.sh"), harness, true);
        tests.file(Path::new("test.sh"), self.script.digest.clone(), false);
        for (nth, packed) in candidates.iter().enumerate() {
            tests.sealed(nth.to_string(), packed.folder.clone());
        }
        let mut root = self.common.root.clone();
        root.sealed(FOLDER.to_owned(), tests.seal(&mut blobs));
        let root = root.seal(&mut blobs);
        let outputs: Vec<String> = (0..candidates.len())
            .map(|nth| format!("{nth}/{RESULT}"))
            .collect();
        let mut sorted = outputs.clone();
        sorted.sort();
        let platform = (!self.common.platform.is_empty()).then(|| reapi::Platform {
            properties: self.common.platform.clone(),
        });
        #[expect(deprecated, reason = "servers of version 2.0 read these fields")]
        let command = Blob::of_message(&reapi::Command {
            arguments: ["/bin/sh", "harness.sh"]
                .map(str::to_owned)
                .into_iter()
                .chain([candidates.len().to_string()])
                .collect(),
            environment_variables: self.common.environment.clone(),
            output_files: sorted.clone(),
            output_paths: sorted,
            platform: platform.clone(),
            working_directory: FOLDER.to_owned(),
            ..Default::default()
        });
        // The harness starts no test after one time limit, and each test ends within a second one.
        let limit = 2 * self.time_limit.max(Duration::from_secs(2)) + BESIDE;
        let action = Blob::of_message(&reapi::Action {
            command_digest: Some(command.digest.clone()),
            input_root_digest: Some(root),
            timeout: Some(protobuf::Duration {
                seconds: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
                nanos: 0,
            }),
            do_not_cache: !is_cached,
            salt: match salt {
                0 => vec![],
                salt => salt.to_be_bytes().to_vec(),
            },
            platform,
        });
        let digest = action.digest.clone();
        blobs.extend([command, action]);
        Action {
            digest,
            blobs,
            outputs,
            limit,
        }
    }

    /// Returns everything that a farm needs to run an action.
    pub(crate) fn all_blobs<'a>(
        &'a self,
        action: &'a Action,
        candidates: &'a [&'a Packed],
    ) -> Vec<&'a Blob> {
        let own = [&self.harness, &self.script];
        let of_candidates = candidates.iter().flat_map(|packed| &packed.blobs);
        (self.common.blobs.iter().chain(own))
            .chain(of_candidates)
            .chain(&action.blobs)
            .collect()
    }
}
