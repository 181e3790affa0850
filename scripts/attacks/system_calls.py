"""System calls of a test in the sandbox: each tries to change something outside, which must stay as it is."""
import json, os, pathlib, shutil, socket, subprocess, sys, threading
import stage

# Runs as the test of a reduction. Each operation gets the path of a victim of its own; what it says of itself
# does not count, only what it has changed.
PROBE = r'''
import ctypes, fcntl, json, mmap, os, shutil, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
plan = json.load(open(sys.argv[1]))

def write(path):
    with open(path, "w") as file: file.write("x")
def append(path):
    with open(path, "a") as file: file.write("x")
def read_write(path): os.write(os.open(path, os.O_RDWR), b"x")
def create(path): os.open(path + ".new", os.O_CREAT | os.O_WRONLY)
def exclusive(path): os.open(path + ".new", os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
def truncate(path): os.truncate(path, 0)
def open_truncate(path): os.open(path, os.O_RDONLY | os.O_TRUNC)
def unlink(path): os.unlink(path)
def rename_away(path): os.rename(path, path + ".moved")
def rename_here(path): os.rename(path, "taken")
def rename_over(path):
    with open("own", "w") as file: file.write("x")
    os.rename("own", path)
def exchange(path):
    with open("own", "w") as file: file.write("x")
    if libc.renameat2(-100, b"own", -100, path.encode(), 2): raise OSError(ctypes.get_errno())
def hard_link_there(path):
    with open("own", "w") as file: file.write("x")
    os.link("own", path + ".linked")
def hard_link_here(path):
    os.link(path, "linked")
    write("linked")
def link_there(path): os.symlink("/etc", path + ".link")
def write_through_link(path):
    if os.path.lexists("way"): os.unlink("way")
    os.symlink(path, "way")
    write("way")
def folder_through_link(path):
    if os.path.lexists("door"): os.unlink("door")
    os.symlink(os.path.dirname(path), "door")
    write("door/" + os.path.basename(path))
def folder(path): os.mkdir(path + ".folder")
def remove_folder(path): shutil.rmtree(os.path.dirname(path))
def move_folder(path): os.rename(os.path.dirname(path), os.path.dirname(path) + ".moved")
def pipe(path): os.mkfifo(path + ".pipe")
def device(path): os.mknod(path + ".device", 0o600 | 0o020000, os.makedev(1, 3))
def server(path): socket.socket(socket.AF_UNIX).bind(path + ".s")
def unnamed(path):
    descriptor = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR, 0o600)
    os.link("/proc/self/fd/%d" % descriptor, path + ".unnamed", follow_symlinks=True)
def map_shared(path):
    descriptor = os.open(path, os.O_RDWR)
    mmap.mmap(descriptor, 1)[0:1] = b"x"
def reopen(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.write(os.open("/proc/self/fd/%d" % descriptor, os.O_WRONLY), b"x")
def by_root(path): write("/proc/%d/root%s" % (os.getppid(), path))
def by_folder_of_parent(path): write("/proc/%d/cwd/%s" % (os.getppid(), os.path.relpath(path, os.readlink("/proc/%d/cwd" % os.getppid()))))
def copy(path):
    with open("own", "w") as file: file.write("x")
    os.copy_file_range(os.open("own", os.O_RDONLY), os.open(path, os.O_WRONLY), 1)
def dots(path): write(os.path.relpath(path))
def allocate(path): os.posix_fallocate(os.open(path, os.O_WRONLY), 0, 1 << 16)
def mount(path):
    if libc.mount(b"none", os.path.dirname(path).encode(), b"tmpfs", 0, None): raise OSError(ctypes.get_errno())
    write(path)
def bind(path):
    if libc.mount(os.path.dirname(path).encode(), os.getcwd().encode(), None, 4096, None): raise OSError(ctypes.get_errno())
    write(os.path.basename(path))
def name_space(path):
    if libc.unshare(0x10020000): raise OSError(ctypes.get_errno())
    write(path)

for name, path, way in plan:
    def act():
        try: globals()[name](path)
        except (OSError, ValueError): pass
    if way == "directly":
        act()
        continue
    child = os.fork()
    if child == 0:
        if way == "as a daemon":
            os.setsid()
            if os.fork(): os._exit(0)
        act()
        os._exit(0)
    os.waitpid(child, 0)
'''
WAYS = ["directly", "in a child", "as a daemon"]

# Each line is a try that reaches another process or the network; it prints its name if it succeeds.
REACH = r'''
import ctypes, os, resource, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
log, victim, port, name = sys.argv[1:5]
victim, port = int(victim), int(port)
def tcp(protocol=0, family=socket.AF_INET): return socket.socket(family, socket.SOCK_STREAM, protocol)
def check(value):
    if value: raise OSError(ctypes.get_errno())
def listens(found): found.listen(); raise SystemExit(0 if found.getsockname()[1] else 1)
def connect(): tcp().connect(("127.0.0.1", port))
def connect_v6(): tcp(family=socket.AF_INET6).connect(("::ffff:127.0.0.1", port))
def connect_multipath(): tcp(262).connect(("127.0.0.1", port))
def connect_fast_open(): tcp().sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", port))
def connect_fast_open_message(): tcp().sendmsg([b"x"], [], socket.MSG_FASTOPEN, ("127.0.0.1", port))
def connect_fast_open_later():
    found = tcp(); found.setsockopt(socket.IPPROTO_TCP, 30, 1); found.connect(("127.0.0.1", port)); found.send(b"x")
def connect_multipath_fast_open(): tcp(262).sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", port))
def connect_in_child():
    if os.fork() == 0:
        try: tcp().connect(("127.0.0.1", port))
        except OSError: os._exit(1)
        os._exit(0)
    check(os.wait()[1])
def listen_bound(): found = tcp(); found.bind(("127.0.0.1", 0)); listens(found)
def listen_unbound(): listens(tcp())
def listen_unbound_v6(): listens(tcp(family=socket.AF_INET6))
def listen_multipath(): listens(tcp(262))
def abstract(): s = socket.socket(socket.AF_UNIX); s.connect("\0attack-%d" % port)
def signal_victim(): os.kill(victim, signal.SIGTERM)
def signal_group(): os.killpg(victim, signal.SIGTERM)
def signal_parent(): os.kill(os.getppid(), signal.SIGCONT); found = open("/proc/%d/comm" % os.getppid()).read().strip(); raise SystemExit(0 if found == "nubbin" else 1)
def signal_by_descriptor(): signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGTERM)
def trace(): check(libc.ptrace(16, victim, 0, 0))
def write_memory():
    class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    own = ctypes.create_string_buffer(1); here, there = Vector(ctypes.addressof(own), 1), Vector(4096, 1)
    libc.process_vm_writev(victim, ctypes.byref(here), 1, ctypes.byref(there), 1, 0); check(ctypes.get_errno() == 1)
def memory_file(): os.open("/proc/%d/mem" % victim, os.O_RDWR)
def take_descriptor(): check(libc.syscall(438, os.pidfd_open(victim), 0, 0) < 0)
try:
    globals()[name]()
except (OSError, AttributeError):
    raise SystemExit(1)
'''
REACHES = [line.split("(")[0][4:] for line in REACH.splitlines() if line.startswith("def ")
           and line.split("(")[0][4:] not in ("tcp", "check", "listens")]
# What a killed test leaves in the system.
LEAVES = {
    "memory": "import ctypes, os; l = ctypes.CDLL(None); i = l.shmget({key}, 4096, 0o1600); l.shmat(i, 0, 0)",
    "semaphore": "import ctypes; ctypes.CDLL(None).semget({key}, 1, 0o1600)",
    "queue": "import ctypes; ctypes.CDLL(None).msgget({key}, 0o1600)",
}


def targets(base, home):
    """Returns folders outside of the slot, in each of which victims are made."""
    return {"home": home / "files", "project": base / "project" / "src", "beside the input": base / "here",
            "temporary": home / "tmp" / "others", "memory": pathlib.Path("/dev/shm") / base.name}


def tries(program, base, rng, scale):
    home = base / "home"
    env = stage.environment(home)
    operations = [line.split("(")[0][4:] for line in PROBE.splitlines() if line.startswith("def ")]
    (base / "probe.py").write_text(PROBE)
    for where, folder in targets(base, home).items():
        plan = []
        for operation in operations:
            for way in WAYS:
                own = folder / f"{operation}-{way.replace(' ', '-')}"
                own.mkdir(parents=True)
                (own / "victim").write_text("precious" * 4)
                plan.append((operation, str(own / "victim"), way))
        (base / "plan.json").write_text(json.dumps(plan))
        (base / "in.txt").write_text("crash\nmore\n")
        before = stage.picture(folder)
        code, out = stage.run([program, "reduce", "in.txt", "-o", base / f"out-{where.split()[0]}", "--sandbox", "on",
                               "--no-config", "--max-tests", "1", "--timeout", "60", "--", sys.executable,
                               base / "probe.py", base / "plan.json"], base, env, 120)
        changed = stage.changes(before, stage.picture(folder))
        wrong = stage.is_wrong(code, out) or (None if code in (0, 2, 5) else f"exit {code}: {out[-300:]}")
        for operation, path, way in plan:
            hit = [name for name in changed if name.startswith(os.path.dirname(path))]
            yield (f"files, {where}", f"{operation} {way} in {where}", wrong or (hit and f"changed {hit[0]}"))
        shutil.rmtree(folder)
    yield from has_teeth(program, base, env, operations)
    yield from reaches(program, base, env)
    yield from leaves(program, base, env, rng)


def has_teeth(program, base, env, operations):
    """Without the sandbox the same operations must change files: else the tries above show nothing."""
    folder = base / "control"
    plan = []
    for operation in operations:
        if operation not in ("mount", "bind", "name_space"):
            own = folder / operation
            own.mkdir(parents=True)
            (own / "victim").write_text("precious" * 4)
            plan.append((operation, str(own / "victim"), "directly"))
    (base / "plan.json").write_text(json.dumps(plan))
    before = stage.picture(folder)
    stage.run([program, "reduce", "in.txt", "-o", base / "out-control", "--sandbox", "off", "--no-config",
               "--max-tests", "1", "--", sys.executable, base / "probe.py", base / "plan.json"], base, env)
    changed = stage.changes(before, stage.picture(folder))
    for operation, path, _ in plan:
        hit = any(name.startswith(os.path.dirname(path)) for name in changed)
        # A hard link or a copy to another file system, and a process of root that is not reached, fail anyhow.
        may_fail = operation in ("rename_here", "rename_over", "exchange", "hard_link_there", "hard_link_here",
                                 "unnamed", "by_root", "by_folder_of_parent", "copy")
        yield ("control without a sandbox", operation, None if hit or may_fail else "it changes nothing even outside")


def reaches(program, base, env):
    """Other processes and the network: a try succeeds if the test has the exit code 0."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    quiet = socket.socket(socket.AF_UNIX)
    quiet.bind(f"\0attack-{port}")
    quiet.listen()
    threading.Thread(target=lambda: [listener.accept() for _ in range(1000)], daemon=True).start()
    (base / "reach.py").write_text(REACH)
    (base / "in.txt").write_text("crash\nmore\n")
    for name in REACHES:
        victim = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        try:
            code, out = stage.run([program, "reduce", "in.txt", "-o", base / "reach.out", "--force", "--sandbox", "on",
                                   "--no-config", "--max-tests", "1", "--", sys.executable, base / "reach.py",
                                   "log", str(victim.pid), str(port), name], base, env)
            what = stage.is_wrong(code, out)
            if victim.poll() is not None:
                what = "it ended a process outside"
            yield ("processes and network", name, what or (code != 3 and f"it succeeded (exit {code})"))
        finally:
            victim.kill()
            victim.wait()


def leaves(program, base, env, rng):
    """System V objects of a test that was killed."""
    for name, text in LEAVES.items():
        for ending in ["", "; os.kill(os.getpid(), 9)", "; os.abort()"]:
            key = rng.randrange(1 << 20, 1 << 30)
            path = base / "leave.py"
            path.write_text("import os; " + text.format(key=key) + ending + "\n")
            test = stage.script(base / "leave.sh", f"{sys.executable} {path}; exit 0")
            code, out = stage.run([program, "reduce", "in.txt", "-o", base / "leave.out", "--force", "--no-config",
                                   "--max-tests", "3", "--", test], base, env)
            kind = {"memory": "shm", "semaphore": "sem", "queue": "msg"}[name]
            with open(f"/proc/sysvipc/{kind}") as table:
                rows = [line.split() for line in table][1:]
            stays = [row for row in rows if int(row[0]) & 0xFFFFFFFF == key]
            for row in stays:
                subprocess.run(["ipcrm", {"shm": "-m", "sem": "-s", "msg": "-q"}[kind], row[1]], check=False)
            yield ("System V objects", f"{name}{ending}", stage.is_wrong(code, out) or (stays and "it remains"))
