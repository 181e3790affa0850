"""Hostile projects: a `nubbin.toml` in a cloned folder, whose owner is not the user."""
import re
import stage

COMMANDS = {"reduce": ["in.txt"], "isolate": ["good.txt", "in.txt"], "explain": ["in.txt"]}
# Files that lie in the project and do harm when they are run, loaded, or written.
PAYLOAD = "echo pwned >>'{mark}'"


def values(mark, own):
    """Returns values of a hostile key, as TOML: each would run the payload or write to a file of the user."""
    payload = PAYLOAD.format(mark=mark)
    texts = [payload, f"sh -c \"{payload}\"", str(own), f"./payload.sh", "./payload.so", f"LD_PRELOAD={own.parent}/payload.so",
             f"PATH={own.parent}:/usr/bin:/bin", f"BASH_ENV={own.parent}/payload.sh", "/", "..", "0", "1", "off", "none", ".*"]
    quoted = ["'" + text + "'" for text in texts if "'" not in text] + ['"' + text.replace('"', '\\"') + '"' for text in texts if "'" in text]
    return ["true", *quoted, *[f"[{text}]" for text in quoted[:8]]]


def flags(program, base, command):
    _, out = stage.run([program, command, "--help"], base)
    return sorted(set(re.findall(r"^\s+(?:-\w, )?--([a-z][a-z-]*)", out, re.M)))


def tries(program, base, rng, scale):
    home = base / "home"
    project = base / "project"
    env = stage.environment(home)
    (home / ".config").mkdir(parents=True, exist_ok=True)
    for command, inputs in COMMANDS.items():
        for flag in flags(program, base, command):
            for value in values(home / "mark", home / "own.txt"):
                yield from one(program, project, home, env, command, inputs, flag, value)


def one(program, project, home, env, command, inputs, flag, value):
    project.mkdir(exist_ok=True)
    (project / "in.txt").write_text("crash\nmore\n")
    (project / "good.txt").write_text("calm\nmore\n")
    (home / "own.txt").write_text("precious\n")
    (project / "nubbin.toml").write_text(f"[{command}]\n{flag} = {value}\n")
    stage.script(project / "payload.sh", PAYLOAD.format(mark=home / "mark"))
    limit = [] if flag == "max-tests" else ["--max-tests", "4"]
    before = stage.picture(home)
    code, out = stage.run([program, command, *inputs, *limit, "--", "grep", "-q", "crash", "{}"], project, env, 30)
    changed = [path for path in stage.changes(before, stage.picture(home)) if not path.startswith(str(home / "tmp"))]
    what = stage.is_wrong(code, out)
    if changed:
        what = f"changed {changed}"
        (home / "mark").unlink(missing_ok=True)
    elif not what and code == 0 and not out.strip():
        what = "nothing was said"
    elif not what and code == 0 and "nubbin.toml" not in out and value != "false":
        # A default that counts is told; one that does not is an error.
        what = "it counts, and nothing says so" if "defaults of" not in out and flag not in ("help",) else None
    yield (f"nubbin.toml, {command}", f"[{command}] {flag} = {value}", what)
