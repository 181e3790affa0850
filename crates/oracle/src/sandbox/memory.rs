use super::filter::Lasting;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The memory, semaphores, and message queues of System V that processes in a sandbox have.
#[derive(Debug)]
pub(super) enum Memory {
    /// The processes have objects of their own, which the system removes with the processes.
    Own(Namespace),
    /// The processes have no objects, since this program may not create a namespace.
    None,
    /// The processes share the objects of this program.
    Shared,
}

/// A namespace for one test after another. A new one per test would cost a hundredth of a
/// short test, so it is used as long as the tests leave nothing in it.
#[derive(Debug)]
pub(super) struct Namespace(Mutex<File>);

impl Memory {
    /// Returns memory that is not shared. `in_thread` runs an action on a thread that ends after
    /// it.
    pub(super) fn separate(
        in_thread: impl Fn(fn() -> io::Result<File>) -> io::Result<File>,
    ) -> Self {
        // The answer is stored, since the system refuses a user without privileges every time.
        static IS_REFUSED: OnceLock<bool> = OnceLock::new();
        if IS_REFUSED.get() == Some(&true) {
            return Memory::None;
        }
        let made = in_thread(unshare);
        IS_REFUSED.get_or_init(|| made.is_err());
        match made {
            Ok(file) => Memory::Own(Namespace(Mutex::new(file))),
            Err(_) => Memory::None,
        }
    }

    pub(super) fn lasting(&self) -> Lasting {
        match self {
            Memory::Own(_) => Lasting::SystemV,
            Memory::None => Lasting::None,
            Memory::Shared => Lasting::All,
        }
    }

    /// Gives the memory to this thread, which ends after it has started a process.
    pub(super) fn enter(&self) -> io::Result<()> {
        match self {
            Memory::Own(namespace) => namespace.enter(),
            Memory::None | Memory::Shared => Ok(()),
        }
    }
}

impl Namespace {
    #[expect(unsafe_code, reason = "the system has no other interface")]
    fn enter(&self) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the call only changes which System V objects this thread can find.
        check(unsafe { libc::setns(file.as_raw_fd(), libc::CLONE_NEWIPC) })?;
        if is_used() {
            // Replacing the last file of the old namespace removes that namespace with everything
            // in it.
            *file = unshare()?;
        }
        Ok(())
    }
}

/// Gives this thread a new namespace, and returns a file that stands for it. Root may do that,
/// unless it is in a container. Another user needs a user namespace, which no thread of several can
/// enter.
#[expect(unsafe_code, reason = "the system has no other interface")]
fn unshare() -> io::Result<File> {
    // SAFETY: as above. Attached memory remains attached.
    check(unsafe { libc::unshare(libc::CLONE_NEWIPC) })?;
    File::open("/proc/thread-self/ns/ipc")
}

/// Returns whether anything is in the namespace of this thread.
#[expect(unsafe_code, reason = "the system has no other interface")]
fn is_used() -> bool {
    const SHM_INFO: libc::c_int = 14;
    const SEM_INFO: libc::c_int = 19;
    const MSG_INFO: libc::c_int = 12;
    // The buffer is larger than each of the three structures. The number of objects is at these
    // positions.
    const SHM_PLACE: usize = 0;
    const SEM_PLACE: usize = 7;
    const MSG_PLACE: usize = 0;
    #[repr(C, align(8))]
    struct Room([libc::c_int; 32]);
    let [mut shm, mut sem, mut msg] = [const { Room([0; 32]) }; 3];
    // SAFETY: each call writes one structure, which fits into its buffer.
    let asked = unsafe {
        [
            libc::shmctl(0, SHM_INFO, shm.0.as_mut_ptr().cast()),
            libc::semctl(0, 0, SEM_INFO, sem.0.as_mut_ptr()),
            libc::msgctl(0, MSG_INFO, msg.0.as_mut_ptr().cast()),
        ]
    };
    let counts = [shm.0[SHM_PLACE], sem.0[SEM_PLACE], msg.0[MSG_PLACE]];
    asked.iter().any(|&result| result < 0) || counts.iter().any(|&count| count != 0)
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
