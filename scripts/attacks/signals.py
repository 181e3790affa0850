"""Signals in quick succession: no process and no file remains."""
import os, pathlib, signal, subprocess, sys, time
import stage

# Programs that hide: a cleared environment, a session and a group of their own, a parent that has ended.
HIDE = r'''
import os, sys, time
name = sys.argv[1]
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", [name, "1000"], {})
    os._exit(0)
'''


def processes(name):
    """Returns the processes with this name as their first word."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().split(b"\0")[0] == name.encode():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    (base / "hide.py").write_text(HIDE)
    for role in ("test", "build", "proposer", "generator"):
        for number in range(25 * scale):
            name = f"attack-sleep-{role}-{os.getpid()}-{number}"
            yield (f"two signals, {role}", f"{role} {number}", attempt(program, base / f"{role}{number}", env, rng, role, name, base))


def attempt(program, place, env, rng, role, name, base):
    place.mkdir()
    (place / "in.txt").write_text("".join(f"line {n}\n" for n in range(300)) + "crash\n")
    hide = f"{sys.executable} {base / 'hide.py'} {name}"
    stage.script(place / "test.sh", (hide + "\n" if role == "test" else "") + "sleep 0.02; grep -q crash in.txt")
    words = [program, "reduce", "in.txt", "--no-config", "-j2"]
    if role == "build":
        words += ["--build", hide]
    elif role in ("proposer", "generator"):
        # Neither follows the protocol: each hides a process and then waits.
        stage.script(place / "other.sh", hide + "\nexec sleep 1000")
        words += ["--proposer", place / "other.sh"] if role == "proposer" else ["--generator", place / "other.sh"]
    process = subprocess.Popen([str(word) for word in [*words, "--", place / "test.sh"]], cwd=place, env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    try:
        time.sleep(rng.uniform(0.02, 1.5))
        process.send_signal(rng.choice([signal.SIGINT, signal.SIGTERM]))
        time.sleep(rng.uniform(0, 0.05))
        if process.poll() is None:
            process.send_signal(rng.choice([signal.SIGINT, signal.SIGTERM]))
        try:
            out = process.communicate(timeout=20)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "it does not end"
    finally:
        stays = processes(name)
        if stays:
            time.sleep(0.3)
            stays = processes(name)
        for pid in stays:
            os.kill(pid, signal.SIGKILL)
    left = [name for name in os.listdir(env["TMPDIR"]) if name.startswith(("nubbin-", ".nubbin-new"))]
    if "panicked" in out:
        return "it panicked"
    return f"{len(stays)} processes remain" if stays else (f"left {left}" if left else None)
