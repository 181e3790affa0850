//! Tests in a sandbox: what they reach, and what they do not.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test the panic is the report")]
#![allow(clippy::disallowed_methods, reason = "tests make files of any kind")]

mod skip;

use nubbin_oracle::{
    CommandOracle, Dialogue, Exit, Loosening, Options, Predicate, PrivateFolder, Sandbox,
    SandboxSupport, TestCommand, Trial, Wanted,
};
use nubbin_verdict::{Ask, Cancel, Candidate, File, Oracle as _, Verdict};
use skip::skipped;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::Duration;

/// Returns what this kernel restricts. If that is not all, reports that the test is skipped.
fn support() -> Option<SandboxSupport> {
    match SandboxSupport::of_this_system() {
        Ok(support) if support.gaps().is_empty() => Some(support),
        _ => {
            skipped("sandbox");
            None
        }
    }
}

fn oracle_with(line: &str, sandbox: Sandbox) -> CommandOracle {
    oracle_for(line, Predicate::new(), sandbox)
}

fn oracle_for(line: &str, predicate: Predicate, sandbox: Sandbox) -> CommandOracle {
    let command = TestCommand::shell(line).unwrap();
    CommandOracle::new(Options {
        timeout: Some(Duration::from_secs(60)),
        sandbox: Some(sandbox),
        owns_children: true,
        predicate,
        ..Options::new(command, vec![PathBuf::from("input.txt")])
    })
    .unwrap()
}

fn file(bytes: &[u8]) -> [File<'_>; 1] {
    [File {
        name: Path::new("input.txt"),
        bytes,
    }]
}

fn judge(oracle: &CommandOracle) -> Verdict {
    let file = file(b"text");
    oracle.judge(&Candidate::new(&file), &Ask::new(0)).unwrap()
}

/// Whether the script succeeds in the sandbox.
fn works(line: &str, sandbox: Sandbox) -> bool {
    judge(&oracle_with(line, sandbox)).is_fail()
}

/// Whether the script succeeds without a sandbox.
fn works_outside(line: &str) -> bool {
    let oracle = oracle_with(line, Sandbox::new());
    oracle.set_sandbox(None);
    judge(&oracle).is_fail()
}

/// A process that waits to be killed.
struct Victim(Child);

impl Victim {
    fn new() -> Self {
        Victim(Command::new("sleep").arg("1000").spawn().unwrap())
    }

    fn lives(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_test_writes_in_its_own_folders_and_nowhere_else() {
    if support().is_none() {
        return;
    }
    // In the file system of the tests, since a file has no second name in another one.
    let private = PrivateFolder::new(0).unwrap();
    let dir = tempfile::tempdir_in(private.path()).unwrap();
    let there = dir.path().join("there");
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    let here = "echo a > made && mkdir d && mv made d/x && ln d/x y && ln -s y z && rm y \
                && t=$(mktemp) && echo b > \"$t\" && mv \"$t\" back && rm -r d && echo c > {}";
    assert!(works(here, Sandbox::new()));
    let devices =
        "for device in null zero full random urandom; do : > /dev/$device || exit 1; done";
    assert!(works(devices, Sandbox::new()));
    let at = dir.path().display();
    for harm in [
        format!("echo a > {at}/new"),
        format!("echo a > {at}/there"),
        format!("echo a >> {at}/there"),
        format!("truncate -s 0 {at}/there"),
        format!("rm {at}/there"),
        format!("rmdir {at}/folder"),
        format!("mkdir {at}/more"),
        format!("mv {at}/there {at}/elsewhere"),
        format!("mv {at}/there here"),
        format!("ln {at}/there here && echo a > here"),
        format!("ln -s {at}/there link && echo a > link"),
        format!("ln -s x {at}/link"),
        format!("mkfifo {at}/pipe"),
        format!("cp {{}} {at}/copy"),
        "rm ../../owner".to_owned(),
        "mkdir ../../more".to_owned(),
    ] {
        let prepare = || {
            std::fs::write(&there, "precious").unwrap();
            for name in ["new", "elsewhere", "copy", "link", "pipe"] {
                let _ = std::fs::remove_file(dir.path().join(name));
            }
            let _ = std::fs::remove_dir(dir.path().join("more"));
            let _ = std::fs::create_dir(dir.path().join("folder"));
        };
        prepare();
        assert!(!works(&harm, Sandbox::new()), "{harm}");
        assert_eq!(std::fs::read(&there).unwrap(), b"precious", "{harm}");
        let mut names: Vec<_> = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["folder", "there"], "{harm}");
        // Otherwise the script proves nothing.
        assert!(works_outside(&harm), "{harm}");
        prepare();
    }
    // Reading is not restricted.
    let read = format!("test \"$(cat {at}/there)\" = precious && ls {at} >/dev/null");
    assert!(works(&read, Sandbox::new()));
}

#[test]
fn permitted_files_are_writable() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().display();
    std::fs::create_dir(dir.path().join("cache")).unwrap();
    std::fs::write(dir.path().join("log"), "").unwrap();
    let sandbox = Sandbox::new()
        .writable(dir.path().join("cache"))
        .writable(dir.path().join("log"));
    let line = format!("echo a > {at}/cache/new && rm {at}/cache/new && echo b >> {at}/log");
    assert!(works(&line, sandbox.clone()));
    assert!(!works(&format!("rm {at}/log"), sandbox.clone()));
    assert!(!works(&format!("echo a > {at}/other"), sandbox));
}

#[test]
fn a_folder_that_was_removed_and_made_again_is_writable() {
    if support().is_none() {
        return;
    }
    let oracle = oracle_with("echo a > made && rm -rf ../work ../tmp", Sandbox::new());
    assert!(judge(&oracle).is_fail());
    assert!(judge(&oracle).is_fail());
    std::fs::remove_dir_all(oracle.folder().join("0")).unwrap();
    assert!(judge(&oracle).is_fail());
}

#[test]
fn a_test_has_no_tcp_unless_it_is_permitted() {
    if support().is_none() {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!("exec bash -c ': < /dev/tcp/127.0.0.1/{port}'");
    let listen = "exec python3 -c 'import socket; s = socket.socket(); s.bind((\"\", 0))'";
    for line in [connect.as_str(), listen] {
        assert!(!works(line, Sandbox::new()), "{line}");
        assert!(works(line, Sandbox::new().network()), "{line}");
    }
}

/// Returns a shell line that runs a program in Python, without the script that stands for it where
/// several versions are installed, which takes a second.
fn python(program: &str) -> String {
    static PYTHON: OnceLock<String> = OnceLock::new();
    let python = PYTHON.get_or_init(|| {
        let mut asked = Command::new("python3");
        let said = asked.args(["-c", "import sys; print(sys.executable)"]);
        String::from_utf8(said.output().unwrap().stdout).unwrap()
    });
    format!("exec {} -c '{program}'", python.trim())
}

#[test]
fn a_test_reaches_tcp_by_no_other_way() {
    if support().is_none() {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let make = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_STREAM";
    for line in [
        // Multipath TCP, the default of programs in Go.
        format!("{make}, 262); s.connect((\"127.0.0.1\", {port}))"),
        // TCP Fast Open.
        format!("{make}); s.sendto(b\"x\", 0x20000000, (\"127.0.0.1\", {port}))"),
        // The system chooses the port.
        format!("{make}); s.listen()"),
        format!("{make}, 262); s.listen()"),
        "import socket; socket.socket(socket.AF_INET6, socket.SOCK_STREAM).listen()".to_owned(),
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_SEQPACKET, 132)".to_owned(),
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 6)".to_owned(),
        "import socket; socket.socket(40, socket.SOCK_STREAM)".to_owned(),
        // A ring makes sockets that no filter sees.
        "import ctypes; ring = ctypes.CDLL(None).syscall(425, 1, b\"\" * 200 + bytes(200)); \
         raise SystemExit(ring < 0)"
            .to_owned(),
    ] {
        let line = python(&line);
        assert!(!works(&line, Sandbox::new()), "{line}");
        // Otherwise the script proves nothing.
        match works_outside(&line) {
            true => assert!(works(&line, Sandbox::new().network()), "{line}"),
            false => skipped("sockets"),
        }
    }
}

#[test]
fn sockets_that_reach_no_other_machine_stay() {
    if support().is_none() {
        return;
    }
    for line in [
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind((\"127.0.0.1\", 0)); \
         s.sendto(b\"x\", s.getsockname()); s.recv(1)",
        "a, b = socket.socketpair(); a.send(b\"x\"); b.recv(1)",
        "s = socket.socket(socket.AF_UNIX); s.bind(\"own\"); s.listen(); \
         socket.socket(socket.AF_UNIX).connect(\"own\")",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    ] {
        let line = python(&format!("import socket; {line}"));
        assert!(works(&line, Sandbox::new()), "{line}");
    }
}

/// The access rights by which a test finds its own memory among that of other programs.
const RIGHTS: &str = "617";

/// The shared memory, semaphores, and message queues of System V with [`RIGHTS`].
fn memory_of_system_v() -> Vec<String> {
    let lists = ["shm", "sem", "msg"].map(|name| {
        let list = std::fs::read_to_string(format!("/proc/sysvipc/{name}"));
        list.unwrap_or_default()
    });
    let lines = lists.iter().flat_map(|list| list.lines());
    // The first three words are the key, the number, and the access rights.
    let lines = lines.filter(|line| line.split_whitespace().nth(2) == Some(RIGHTS));
    lines.map(str::to_owned).collect()
}

#[test]
fn memory_of_system_v_that_a_test_leaves_does_not_stay() {
    if support().is_none() {
        return;
    }
    if Command::new("ipcmk").arg("--version").output().is_err() {
        skipped("ipcmk");
        return;
    }
    // No test sees anything of an earlier one, and none leaves anything for a later one. A test
    // that may not make any is refused, and says so.
    let line = format!(
        "! grep -q ' {RIGHTS} ' /proc/sysvipc/* || exit 1
        for kind in '-M 4321' '-S 3' -Q; do ipcmk $kind -p 0{RIGHTS} || exit 2; done
        kill -SEGV $$"
    );
    let oracle = oracle_with(&line, Sandbox::new());
    for _ in 0..3 {
        let file = file(b"text");
        let run = oracle.observe(&Candidate::new(&file), 0).unwrap();
        let said = String::from_utf8_lossy(run.stderr());
        let is_refused = run.exit == Exit::Code(2) && said.contains("ermission denied");
        assert!(
            is_refused || run.exit.is_signal(11),
            "{:?} {said}",
            run.exit
        );
        assert!(memory_of_system_v().is_empty());
    }
    // What is there outside is neither used nor removed.
    let mut made = Command::new("ipcmk");
    made.args(["-M", "4321", "-p", &format!("0{RIGHTS}")]);
    let made = String::from_utf8_lossy(&made.output().unwrap().stdout).into_owned();
    let id = made.split_whitespace().last().unwrap();
    assert_eq!(memory_of_system_v().len(), 1);
    let remove = format!("ipcrm -m {id}");
    assert!(!works(&remove, Sandbox::new()));
    assert_eq!(memory_of_system_v().len(), 1);
    // Who may write where memory with a name is, has all of it.
    assert!(works(&remove, Sandbox::new().writable("/dev/shm")));
    assert!(memory_of_system_v().is_empty());
}

#[test]
fn a_test_sends_no_signal_to_a_process_outside() {
    if support().is_none() {
        return;
    }
    let mut victim = Victim::new();
    let line = format!("kill -9 {}", victim.0.id());
    assert!(!works(&line, Sandbox::new()));
    assert!(victim.lives());
    assert!(works_outside(&line));
    assert!(!victim.0.wait().unwrap().success());
    // Processes of the test itself are reached.
    assert!(works("sleep 1000 & kill -9 $!", Sandbox::new()));
}

#[test]
fn no_thread_of_this_program_is_reached_by_a_signal() {
    if support().is_none() {
        return;
    }
    // The parent of the test is this program, and `kill` takes numbers of threads as well. Signal 0
    // only asks whether a signal could be sent. The thread that starts the test ends a moment
    // later.
    let line = "i=0; while [ $i -lt 25 ]; do reached=; for thread in /proc/$PPID/task/*; do \
                kill -0 ${thread##*/} 2>/dev/null && reached=yes; done; \
                [ -z \"$reached\" ] && exit 0; i=$((i + 1)); sleep 0.02; done; exit 1";
    assert!(works(line, Sandbox::new()));
    assert!(!works_outside(line));
}

#[test]
fn processes_in_a_sandbox_are_found_and_ended() {
    if support().is_none() {
        return;
    }
    let oracle = oracle_with(
        "(setsid env -i sleep 1000 >/dev/null 2>&1 &) ; setsid sleep 1000 & sleep 0.05",
        Sandbox::new(),
    );
    for _ in 0..3 {
        assert!(judge(&oracle).is_fail());
    }
    let root = oracle.folder().to_string_lossy().into_owned();
    let until = std::time::Instant::now() + Duration::from_secs(10);
    let lives = || {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        entries
            .filter_map(|entry| std::fs::read_link(entry.path().join("cwd")).ok())
            .any(|cwd| cwd.to_string_lossy().contains(&root))
    };
    while lives() {
        assert!(std::time::Instant::now() < until);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_dialogue_writes_in_its_private_folder_only() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let private = PrivateFolder::new(0).unwrap();
    let command = TestCommand::shell(
        "echo a > \"$TMPDIR/x\" && echo own; echo a > here 2>/dev/null || echo refused",
    )
    .unwrap();
    let sandbox = Sandbox::new();
    let confined = Some((&sandbox, private.path()));
    let mut dialogue = Dialogue::start(&command, dir.path(), 100, confined, true).unwrap();
    for line in ["own", "refused"] {
        let heard = dialogue.hear(Duration::from_secs(20), 100).unwrap();
        assert_eq!(heard, line.as_bytes());
    }
    drop(dialogue);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    assert_eq!(std::fs::read(private.path().join("x")).unwrap(), b"a\n");
}

fn trial(oracle: &CommandOracle, wanted: Wanted, is_demanded: bool) -> Trial {
    let file = file(b"text");
    let loosening = match is_demanded {
        true => Loosening::Never,
        false => Loosening::Told(&[]),
    };
    oracle
        .try_sandbox(&Candidate::new(&file), wanted, loosening, &Cancel::new())
        .unwrap()
}

/// Returns what a trial that ends inside has permitted.
#[track_caller]
fn permitted(trial: &Trial) -> String {
    match trial {
        Trial::Inside { permitted, .. } => permitted.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_place_of_the_tests_is_where_the_original_fails() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let writes = format!("echo a > {}", log.display());
    let oracle = oracle_with("true", Sandbox::new());
    assert!(matches!(
        trial(&oracle, Wanted::Conditions, false),
        Trial::Inside { .. }
    ));
    assert!(oracle.sandbox().is_some());

    // A folder that all programs share is not permitted.
    let shared = "echo a > /dev/shm/$$ && rm /dev/shm/$$";
    let oracle = oracle_with(shared, Sandbox::new());
    let Trial::Outside { refusals, .. } = trial(&oracle, Wanted::Conditions, false) else {
        panic!("it writes outside");
    };
    assert!(refusals[0].line().contains("ermission denied"));
    assert_eq!(refusals[0].place(), Some(Path::new("/dev/shm")));
    assert!(oracle.sandbox().is_none());
    // One that nobody shares is less than everything.
    let moves = format!("{writes} && mv {0} {0}.old && rm {0}.old", log.display());
    let oracle = oracle_with(&moves, Sandbox::new());
    let folder = dir.path().canonicalize().unwrap();
    assert_eq!(
        permitted(&trial(&oracle, Wanted::Conditions, false)),
        format!("writable `{}`", folder.display())
    );

    let oracle = oracle_with(&writes, Sandbox::new());
    let demanded = trial(&oracle, Wanted::Conditions, true);
    assert!(matches!(demanded, Trial::Nowhere { .. }));
    assert!(oracle.sandbox().is_some() && !log.exists());

    let oracle = oracle_with("exit 1", Sandbox::new());
    let trial = trial(&oracle, Wanted::Conditions, false);
    assert!(matches!(trial, Trial::Nowhere { .. }));
    assert!(oracle.sandbox().is_some(), "a flaky test may fail later");
}

#[test]
fn another_failure_in_the_sandbox_is_not_taken_for_the_wanted_one() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join("log");
    let program = format!(
        "exec python3 -c 'open(\"{}\", \"w\"); {{}}[\"port\"]'",
        at.display()
    )
    .replace("{}", "dict()");
    // The exit code is that of an uncaught exception both times.
    let exit = Predicate::new().exit("1").unwrap();
    let oracle = oracle_for(&program, exit, Sandbox::new());
    let file = format!("writable `{}`", at.display());
    let inside = trial(&oracle, Wanted::Conditions, false);
    assert_eq!(permitted(&inside), file);
    let oracle = oracle_with(&program, Sandbox::new());
    let inside = trial(&oracle, Wanted::SameFailure, false);
    assert_eq!(permitted(&inside), file);
    assert!(String::from_utf8_lossy(inside.run().stderr()).contains("KeyError"));
    let permitted = Sandbox::new().writable(dir.path());
    let oracle = oracle_with(&program, permitted);
    let inside = trial(&oracle, Wanted::SameFailure, false);
    assert!(matches!(inside, Trial::Inside { .. }), "{inside:?}");
}

#[test]
fn the_original_is_not_run_again_after_the_trial() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    std::fs::write(&log, "").unwrap();
    let line = format!("echo a >> {}", log.display());
    let oracle = oracle_with(&line, Sandbox::new().writable(&log));
    assert!(matches!(
        trial(&oracle, Wanted::Conditions, false),
        Trial::Inside { .. }
    ));
    assert_eq!(oracle.time_before(), Duration::ZERO);
    assert!(judge(&oracle).is_fail());
    assert!(oracle.time_before() > Duration::ZERO);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "a\n");
    assert!(judge(&oracle).is_fail());
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "a\na\n");
}

#[test]
fn only_the_places_that_were_refused_are_permitted() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().canonicalize().unwrap().join(name);
    std::fs::write(at("first"), "").unwrap();
    std::fs::write(at("second"), "").unwrap();
    let line = format!(
        "echo a > {} && echo b > {} && mkdir -p {2} && echo c > {2}/$$",
        at("first").display(),
        at("second").display(),
        at("made").display(),
    );
    let oracle = oracle_with(&line, Sandbox::new());
    let inside = trial(&oracle, Wanted::Conditions, false);
    let [first, second, made] = ["first", "second", "made"].map(at);
    assert_eq!(
        permitted(&inside),
        format!(
            "writable `{}`, writable `{}`, writable `{}`",
            first.display(),
            second.display(),
            made.display()
        )
    );
    // Neither is anything else in the folder writable, nor can the files be removed.
    let sandbox = oracle.sandbox().unwrap();
    for line in [
        format!("echo x > {}", at("other").display()),
        format!("rm -f {}", first.display()),
        format!("rm -r {}", made.display()),
    ] {
        assert!(!works(&line, (*sandbox).clone()), "{line}");
    }
    assert!(first.exists() && made.exists());
}

#[test]
fn a_port_is_permitted_if_nothing_else_helps() {
    if support().is_none() {
        return;
    }
    for hidden in ["", "2>/dev/null"] {
        let line = format!(
            "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); \
             s.listen()' {hidden}"
        );
        let oracle = oracle_with(&line, Sandbox::new());
        let inside = trial(&oracle, Wanted::Conditions, false);
        assert_eq!(permitted(&inside), "network", "{hidden}");
    }
}

#[test]
fn files_that_the_user_keeps_are_not_permitted() {
    if support().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    std::fs::write(&log, "").unwrap();
    let oracle = oracle_with(&format!("echo a > {}", log.display()), Sandbox::new());
    let file = file(b"text");
    let kept = [log];
    let trial = oracle
        .try_sandbox(
            &Candidate::new(&file),
            Wanted::Conditions,
            Loosening::Told(&kept),
            &Cancel::new(),
        )
        .unwrap();
    assert!(matches!(trial, Trial::Outside { .. }), "{trial:?}");
}

/// Returns the trial of a test that fails in the runs with these places in their order, and passes
/// in others.
fn trial_of_flaky(failing: &[u32]) -> (Trial, usize) {
    let dir = tempfile::tempdir().unwrap();
    let count = dir.path().join("count");
    std::fs::write(&count, "").unwrap();
    let cases = failing.iter().map(|run| format!("{run}) exit 0;; "));
    let line = format!(
        "echo x >> {0}; case $(wc -l < {0}) in {1} *) exit 1;; esac",
        count.display(),
        cases.collect::<String>()
    );
    let oracle = oracle_with(&line, Sandbox::new().writable(&count));
    let trial = trial(&oracle, Wanted::Conditions, false);
    let runs = std::fs::read_to_string(&count).unwrap().lines().count();
    (trial, runs)
}

#[test]
fn a_flaky_test_keeps_its_sandbox() {
    if support().is_none() {
        return;
    }
    // Runs alternate, beginning inside.
    let (inside, runs) = trial_of_flaky(&[2, 7]);
    assert_eq!(
        (permitted(&inside), runs),
        ("no further permissions".to_owned(), 7)
    );
    let (flaky, runs) = trial_of_flaky(&[2, 4]);
    let Trial::Flaky {
        outside, inside, ..
    } = flaky
    else {
        panic!("{flaky:?}");
    };
    assert_eq!((outside, inside, runs), ((2, 4), 8, 12));
}

#[test]
fn a_test_that_fails_outside_only_says_so_in_every_run() {
    if support().is_none() {
        return;
    }
    let (outside, _) = trial_of_flaky(&[2, 4, 6, 8]);
    assert!(matches!(outside, Trial::Outside { .. }), "{outside:?}");
}
