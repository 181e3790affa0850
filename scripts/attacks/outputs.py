"""Outputs onto files of the user: none is replaced, removed, or followed through a link, and a new file heeds the umask.

A pipe is left out: it is written, and waits for its reader.
"""
import os, stat
import stage


def commands(program, base):
    """Returns the commands that write a file, with `@` where its path stands."""
    test = ["--", "grep", "-q", "crash", "{}"]
    small = ["shootout", "--algorithms", "ddmin", "--sizes", "20", "--inputs", "1", "--max-tests", "20"]
    return {
        "reduce -o": ["reduce", "in.txt", "-o", "@", *test],
        "reduce --stats": ["reduce", "in.txt", "-o", "free", "--stats", "@", *test],
        "reduce --report": ["reduce", "in.txt", "-o", "free", "--report", "@", *test],
        "reduce --json-events": ["reduce", "in.txt", "-o", "free", "--json-events", "@", *test],
        "isolate --stats": ["isolate", "good.txt", "in.txt", "-o", "both", "--stats", "@", *test],
        "isolate --json-events": ["isolate", "good.txt", "in.txt", "-o", "both", "--json-events", "@", *test],
        "generate grammar --record": ["generate", "grammar", "-g", "g.bnf", "--record", "@"],
        "report -o": ["report", "run.jsonl", "-o", "@"],
        "compare -o": ["compare", "run.jsonl", "run.jsonl", "-o", "@"],
        "shootout --html": [*small, "--html", "@"],
        "shootout --csv": [*small, "--csv", "@"],
        "shootout --json": [*small, "--json", "@"],
        "graph merge -o": ["graph", "merge", "graph.json", "graph.json", "-o", "@"],
        "graph show -o": ["graph", "show", "graph.json", "-o", "@"],
    }


def prepare(place):
    place.mkdir()
    (place / "in.txt").write_text("crash\nmore\n")
    # A result is as private as its input.
    (place / "in.txt").chmod(0o600)
    (place / "good.txt").write_text("calm\nmore\n")
    (place / "g.bnf").write_text("<start> ::= \"a\" | \"b\"\n")


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    first = base / "first"
    prepare(first)
    stage.run([program, "reduce", "in.txt", "--json-events", "run.jsonl", "--", "grep", "-q", "crash", "{}"], first, env)
    graph = stage.ROOT / "crates/graph/tests/figure1.json"
    for number, (name, words) in enumerate(commands(program, base).items()):
        for kind in ("file", "private file", "link", "dangling link", "folder", "input", "fresh"):
            # A result may lie in a folder.
            if (kind, name) == ("folder", "reduce -o"):
                continue
            place = base / f"{number}-{kind.replace(' ', '-')}"
            prepare(place)
            (place / "run.jsonl").write_bytes((first / "run.jsonl").read_bytes())
            if graph.exists():
                (place / "graph.json").write_bytes(graph.read_bytes())
            yield (f"onto a {kind}", f"{name} onto a {kind}", attempt(program, place, env, words, kind))


def attempt(program, place, env, words, kind):
    target = place / ("in.txt" if kind == "input" else "target.svg")
    own = place / "own"
    if kind in ("file", "private file"):
        target.write_text("precious\n")
        if kind == "private file":
            target.chmod(0o600)
    elif kind == "link":
        own.write_text("precious\n")
        target.symlink_to(own)
    elif kind == "dangling link":
        target.symlink_to(own)
    elif kind == "folder":
        target.mkdir()
        (target / "photo").write_text("precious\n")
    before = stage.picture(place)
    old = os.umask(0o077 if kind == "fresh" else 0o022)
    try:
        code, out = stage.run([program, *(str(target) if word == "@" else word for word in words)], place, env, 60)
    finally:
        os.umask(old)
    what = stage.is_wrong(code, out)
    if what:
        return what
    if kind == "fresh":
        if not target.exists():
            return f"nothing was written (exit {code}): {out[-200:]}"
        mode = stat.S_IMODE(target.stat().st_mode)
        return None if mode & 0o077 == 0 else f"mode {mode:o} under umask 077"
    after = stage.picture(place)
    touched = [path for path in stage.changes(before, after) if path in before or path == str(own)]
    if touched:
        return f"changed {[os.path.basename(path) for path in touched]}"
    return None if code else "exit code 0, although it could not write"
