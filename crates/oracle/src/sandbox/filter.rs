//! A filter of system calls, for ways out of the sandbox that Landlock does not block.
//!
//! Landlock refuses to bind and to connect sockets of TCP. Landlock blocks neither multipath TCP,
//! which programs in Go use by default, nor a connection that begins with its first data (TCP Fast
//! Open), nor `listen` on a port that the system chooses. So without the network, the filter
//! refuses every stream socket of the internet. The filter permits sockets of other families that
//! reach no other machine.
//!
//! Memory, semaphores, message queues, and keyrings outlive their processes. The filter permits the
//! objects of System V if the processes have their own namespace for them.

use libc::{c_long, sock_filter};
use std::io;

/// The instructions of a filter, for any number of threads.
#[derive(Clone, Debug)]
pub(super) struct Filter(Vec<sock_filter>);

/// The objects that outlive their processes and stay permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lasting {
    None,
    /// Memory, semaphores, and message queues of System V.
    SystemV,
    All,
}

/// The fate of system calls in a range of numbers.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// The call fails with this error.
    Refuse(libc::c_int),
    /// The first argument is the family of a socket, the second is its type.
    CheckSocket,
    /// The call fails if its first argument has this value, for an old call that stands for many.
    RefuseFirst(u32),
}

/// The fate of the system calls with some number.
#[derive(Clone, Copy, Debug)]
struct Rule {
    number: u32,
    action: Action,
}

/// The refusal of Landlock, which programs show as "Permission denied".
const DENIED: Action = Action::Refuse(libc::EACCES);
/// The error of `io_uring_setup` where it is turned off.
const TURNED_OFF: Action = Action::Refuse(libc::EPERM);

/// The name of the native system calls, and the mask that removes from their numbers a mark of
/// another interface (x32). `None` if the filter was not written for the machine.
const NATIVE: Option<(u32, u32)> = if cfg!(target_arch = "x86_64") {
    Some((0xc000_003e, 0xbfff_ffff))
} else if cfg!(target_arch = "aarch64") {
    Some((0xc000_00b7, u32::MAX))
} else if cfg!(all(target_arch = "riscv64", target_endian = "little")) {
    Some((0xc000_00f3, u32::MAX))
} else {
    None
};

/// The name of the system calls of i386, which a machine with x86-64 has as well.
const I386: u32 = 0x4000_0003;

impl Filter {
    /// Creates a filter. Returns `None` if there is nothing to refuse, or if the system has no
    /// filters.
    pub(super) fn new(has_network: bool, lasting: Lasting) -> Option<Self> {
        let (native, mask) = NATIVE.filter(|_| is_there())?;
        let rules = native_rules(has_network, lasting);
        if rules.is_empty() {
            return None;
        }
        let mut code = vec![load(ARCHITECTURE)];
        let native_code = search(mask, &rules);
        code.push(jump(libc::BPF_JEQ, native, 0, native_code.len()));
        code.extend(native_code);
        if cfg!(target_arch = "x86_64") {
            let other_code = search(u32::MAX, &i386_rules(has_network, lasting));
            code.push(jump(libc::BPF_JEQ, I386, 0, other_code.len()));
            code.extend(other_code);
        }
        code.push(give(libc::SECCOMP_RET_ALLOW));
        Some(Filter(code))
    }

    /// Filters the system calls of this thread, and of everything that it starts, for good. The
    /// thread must have given up new privileges.
    #[expect(unsafe_code, reason = "the system has no other interface")]
    pub(super) fn apply(&self) -> io::Result<()> {
        let program = libc::sock_fprog {
            len: u16::try_from(self.0.len()).map_err(io::Error::other)?,
            filter: self.0.as_ptr().cast_mut(),
        };
        // SAFETY: the call reads the program and its instructions, which outlive the call.
        let done = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                // The flag keeps the protection against Spectre from slowing down the test.
                libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &raw const program,
            )
        };
        match done {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Returns whether this system and this machine have filters.
#[expect(unsafe_code, reason = "the system has no other interface")]
pub(super) fn is_there() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the call reads one number, which outlives the call.
    let known = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_GET_ACTION_AVAIL,
            0,
            &raw const action,
        )
    };
    NATIVE.is_some() && known == 0
}

/// The rules for system calls with the numbers of this program, sorted.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "riscv64"
))]
fn native_rules(has_network: bool, lasting: Lasting) -> Vec<Rule> {
    let rule = |number: c_long, action| Rule {
        number: u32::try_from(number).unwrap_or(u32::MAX),
        action,
    };
    let mut rules = Vec::new();
    if !has_network {
        rules.push(rule(libc::SYS_socket, Action::CheckSocket));
        // `io_uring` creates sockets that no filter sees.
        rules.push(rule(libc::SYS_io_uring_setup, TURNED_OFF));
    }
    if lasting == Lasting::None {
        let names = [
            libc::SYS_shmget,
            libc::SYS_shmat,
            libc::SYS_shmctl,
            libc::SYS_semget,
            libc::SYS_semop,
            libc::SYS_semtimedop,
            libc::SYS_semctl,
            libc::SYS_msgget,
            libc::SYS_msgsnd,
            libc::SYS_msgrcv,
            libc::SYS_msgctl,
        ];
        rules.extend(names.map(|number| rule(number, DENIED)));
    }
    if lasting != Lasting::All {
        let names = [
            libc::SYS_mq_open,
            libc::SYS_mq_unlink,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_keyctl,
        ];
        rules.extend(names.map(|number| rule(number, DENIED)));
    }
    rules.sort_by_key(|rule| rule.number);
    rules
}

/// There are none for other machines, some of which have no such numbers.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "riscv64"
)))]
fn native_rules(_has_network: bool, _lasting: Lasting) -> Vec<Rule> {
    Vec::new()
}

/// The rules for programs of 32 bits on x86-64, sorted.
fn i386_rules(has_network: bool, lasting: Lasting) -> Vec<Rule> {
    const SOCKETCALL: u32 = 102;
    const SOCKET_OF_SOCKETCALL: u32 = 1;
    const IPC: u32 = 117;
    const MQ: [u32; 2] = [277, 278];
    const KEYS: [u32; 3] = [286, 287, 288];
    const SOCKET: u32 = 359;
    /// All but `shmdt` (398).
    const SYSTEM_V: [u32; 9] = [393, 394, 395, 396, 397, 399, 400, 401, 402];
    const SEMTIMEDOP: u32 = 420;
    const IO_URING_SETUP: u32 = 425;
    let mut rules = Vec::new();
    if !has_network {
        let first = Action::RefuseFirst(SOCKET_OF_SOCKETCALL);
        rules.extend([
            (SOCKETCALL, first),
            (SOCKET, Action::CheckSocket),
            (IO_URING_SETUP, TURNED_OFF),
        ]);
    }
    if lasting == Lasting::None {
        let numbers = [IPC, SEMTIMEDOP].into_iter().chain(SYSTEM_V);
        rules.extend(numbers.map(|number| (number, DENIED)));
    }
    if lasting != Lasting::All {
        let numbers = MQ.into_iter().chain(KEYS);
        rules.extend(numbers.map(|number| (number, DENIED)));
    }
    rules.sort_by_key(|&(number, _)| number);
    let rules = rules.into_iter();
    rules
        .map(|(number, action)| Rule { number, action })
        .collect()
}

/// The positions of the number, the architecture, and the lower halves of the arguments of a system
/// call in the data that a filter gets.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: [u32; 2] = [16, 24];

/// The families of sockets that reach no other machine, and those whose types are checked.
const LOCAL: [libc::c_int; 3] = [libc::AF_UNIX, libc::AF_NETLINK, libc::AF_ALG];
const INTERNET: [libc::c_int; 2] = [libc::AF_INET, libc::AF_INET6];
/// The part of the second argument that is not a flag.
const TYPE: u32 = 0xf;

/// Returns instructions that find the rule of a system call and always end with a decision.
fn search(mask: u32, rules: &[Rule]) -> Vec<sock_filter> {
    let mut code = vec![load(NUMBER)];
    if mask != u32::MAX {
        code.push(statement(libc::BPF_ALU | libc::BPF_AND, mask));
    }
    code.extend(halve(&ranges(rules)));
    code
}

/// A range of numbers with the same rule.
type Range = (u32, u32, Action);

/// Joins rules of successive numbers that refuse in the same way.
fn ranges(rules: &[Rule]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for &Rule { number, action } in rules {
        match (ranges.last_mut(), action) {
            (Some((_, last, Action::Refuse(other))), Action::Refuse(error))
                if *last + 1 == number && *other == error =>
            {
                *last = number;
            }
            _ => ranges.push((number, number, action)),
        }
    }
    ranges
}

/// Halves the ranges. The system tries the filter with every number when it is applied, so that
/// few steps for each are worth it.
fn halve(ranges: &[Range]) -> Vec<sock_filter> {
    let middle = ranges.len() / 2;
    let Some(&(first, last, action)) = ranges.get(middle) else {
        return vec![give(libc::SECCOMP_RET_ALLOW)];
    };
    let (below, above) = (halve(&ranges[..middle]), halve(&ranges[middle + 1..]));
    let answer = answer(action);
    let mut code = vec![
        jump(libc::BPF_JGE, first, 0, 1 + answer.len() + above.len()),
        jump(libc::BPF_JGT, last, answer.len(), 0),
    ];
    code.extend(answer);
    code.extend(above);
    code.extend(below);
    code
}

/// Returns the instructions that decide about a system call with a rule.
fn answer(action: Action) -> Vec<sock_filter> {
    let (allow, deny) = (give(libc::SECCOMP_RET_ALLOW), give(refusal(libc::EACCES)));
    match action {
        Action::Refuse(error) => vec![give(refusal(error))],
        Action::RefuseFirst(value) => vec![
            load(ARGUMENTS[0]),
            jump(libc::BPF_JEQ, value, 0, 1),
            deny,
            allow,
        ],
        Action::CheckSocket => {
            let check = [
                load(ARGUMENTS[1]),
                statement(libc::BPF_ALU | libc::BPF_AND, TYPE),
                jump(libc::BPF_JEQ, libc::SOCK_DGRAM.unsigned_abs(), 1, 0),
                deny,
                allow,
            ];
            let mut code = vec![load(ARGUMENTS[0])];
            // Each jump skips the later jumps. After all of them comes the refusal of other
            // families.
            let families = LOCAL.iter().map(|family| (family, 1 + check.len() - 1));
            let families = families.chain(INTERNET.iter().map(|family| (family, 1)));
            let count = LOCAL.len() + INTERNET.len();
            for (passed, (family, behind)) in (1..).zip(families) {
                let distance = count - passed + behind;
                code.push(jump(libc::BPF_JEQ, family.unsigned_abs(), distance, 0));
            }
            code.push(deny);
            code.extend(check);
            code
        }
    }
}

fn refusal(error: libc::c_int) -> u32 {
    libc::SECCOMP_RET_ERRNO | error.unsigned_abs()
}

/// Loads a word of the data that a filter gets.
fn load(at: u32) -> sock_filter {
    let is_argument = at >= ARGUMENTS[0];
    let upper_half = u32::from(is_argument && cfg!(target_endian = "big")) * 4;
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at + upper_half)
}

fn give(answer: u32) -> sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, answer)
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    }
}

/// Compares with a number, and leaves out as many instructions as are said for both outcomes.
fn jump(how: u32, with: u32, if_so: usize, if_not: usize) -> sock_filter {
    // The filter is far shorter than the largest distance of a jump.
    let distance = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
    sock_filter {
        jt: distance(if_so),
        jf: distance(if_not),
        ..statement(libc::BPF_JMP | how | libc::BPF_K, with)
    }
}
