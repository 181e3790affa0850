"""What all groups share: runs of the program, and pictures of folders."""
import hashlib, os, pathlib, signal, subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(args, cwd, env=None, limit=60, memory=None, stdin=b""):
    """Runs a command, and returns its exit code (None if it did not end) and its output."""
    def confine():
        os.setsid()
        if memory:
            import resource
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    process = subprocess.Popen([str(arg) for arg in args], cwd=cwd, env=env, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=confine)
    try:
        out, _ = process.communicate(stdin, timeout=limit)
        return process.returncode, out.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        return None, out.decode(errors="replace")


def is_wrong(code, out):
    """Returns what is wrong with any run: a panic, an unexpected end, or none at all."""
    if code is None:
        return "it does not end"
    if code < 0:
        return f"it ended by signal {-code}"
    if "panicked at" in out or "RUST_BACKTRACE" in out or code == 101:
        return "it panicked"
    return None


def environment(home, **more):
    """Returns an environment with a home folder and a temporary folder of its own."""
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "TMPDIR": str(temporary), **more}


def picture(folder):
    """Returns the names, kinds, and contents of everything in a folder."""
    seen = {}
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            whole = os.path.join(path, name)
            if os.path.islink(whole):
                seen[whole] = "link " + os.readlink(whole)
            elif os.path.isfile(whole):
                with open(whole, "rb") as file:
                    seen[whole] = hashlib.sha256(file.read()).hexdigest()
            else:
                seen[whole] = "folder" if os.path.isdir(whole) else "special"
    return seen


def changes(before, after):
    """Returns the paths that two pictures differ in."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def script(path, text):
    """Writes an executable shell script."""
    path.write_text("#!/bin/sh\n" + text + "\n")
    path.chmod(0o755)
    return path
