use bazel_remote_apis::build::bazel::remote::execution::v2::Digest;
use prost::Message;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Something that is in the storage of a farm under the digest of its content.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    pub(crate) digest: Digest,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Bytes(Vec<u8>),
    /// A file of the user. It may be large, so it is read again for each upload.
    File(PathBuf),
}

impl Blob {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Blob {
            digest: digest(&bytes),
            content: Content::Bytes(bytes),
        }
    }

    pub(crate) fn of_message(message: &impl Message) -> Self {
        Blob::of(message.encode_to_vec())
    }

    /// Creates the blob of a file. The file is read once for its digest.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = fs::File::open(path)?;
        let mut context = ring::digest::Context::new(&ring::digest::SHA256);
        let mut part = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            let read = file.read(&mut part)?;
            if read == 0 {
                break;
            }
            context.update(&part[..read]);
            size += read;
        }
        Ok(Blob {
            digest: of_hash(context.finish().as_ref(), size),
            content: Content::File(path.to_owned()),
        })
    }

    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.digest.size_bytes).unwrap_or(0)
    }

    pub(crate) fn bytes(&self) -> io::Result<Vec<u8>> {
        match &self.content {
            Content::Bytes(bytes) => Ok(bytes.clone()),
            Content::File(path) => fs::read(path),
        }
    }
}

/// Returns the digest of a content. All farms know SHA-256.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    let hash = ring::digest::digest(&ring::digest::SHA256, bytes);
    of_hash(hash.as_ref(), bytes.len())
}

fn of_hash(hash: &[u8], size: usize) -> Digest {
    let mut hex = String::with_capacity(64);
    for byte in hash {
        let _ = write!(hex, "{byte:02x}");
    }
    Digest {
        hash: hex,
        size_bytes: i64::try_from(size).unwrap_or(i64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_nothing_is_that_of_the_standard() {
        let empty = digest(b"");
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!((empty.hash.as_str(), empty.size_bytes), (hash, 0));
    }

    #[test]
    fn a_file_has_the_digest_of_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large");
        let bytes = vec![7; 200_000];
        fs::write(&path, &bytes).unwrap();
        let blob = Blob::of_file(&path).unwrap();
        assert_eq!(blob.digest, digest(&bytes));
        assert_eq!(blob.bytes().unwrap(), bytes);
    }
}
