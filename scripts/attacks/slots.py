"""Tests that leave things for the next one: each verdict must be that of a fresh folder."""
import stage

# A test that leaves a mark where the next one may find it, and takes the mark for the failure. If no mark can
# stay, only inputs with both lines fail.
PLACES = [
    "../mark", "../../mark", "../out/mark", "../../out/mark", "$TMPDIR/mark", "$TMPDIR/../mark", "$TMPDIR/../../mark",
    "$PWD/mark", "$PWD/.mark", "$PWD/a/b/mark", "../work.mark", "../tmp/mark", "../../../mark-$name", "../beside/mark", "../../0/mark",
    "../../1/mark", "../../0/work/mark", "../../0/tmp/mark",
]
WAYS = {
    "a file": "mkdir -p \"$(dirname \"{at}\")\" 2>/dev/null; echo x >\"{at}\"",
    "a folder": "mkdir -p \"{at}\"",
    "a link": "mkdir -p \"$(dirname \"{at}\")\" 2>/dev/null; ln -sfn /etc/hostname \"{at}\"",
    "a file without rights": "mkdir -p \"$(dirname \"{at}\")\" 2>/dev/null; echo x >\"{at}\"; chmod 0 \"{at}\"",
    "a folder without rights": "mkdir -p \"{at}\"; chmod 0 \"{at}\"",
}
# Changes of the folders themselves.
FOLDERS = {
    "work replaced by a link": "cd ..; mv work w; ln -s w work",
    "tmp replaced by a link": "cd ..; mv tmp t; ln -s t tmp",
    "work without rights": "chmod 0 .",
    "tmp without rights": "chmod 0 \"$TMPDIR\"",
    "slot without rights": "chmod 0 ..",
    "root without rights": "chmod 0 ../..",
    "owner removed": "rm -f ../../owner",
    "owner replaced": "rm -f ../../owner; ln -s /etc/passwd ../../owner",
    "candidate a folder": "rm -f in.txt; mkdir in.txt",
    "candidate a pipe": "rm -f in.txt; mkfifo in.txt",
    "candidate a link": "rm -f in.txt; ln -s /etc/passwd in.txt",
    "work removed": "rmdir ../work; rm -rf ../work",
    "immutable": "chattr +i in.txt",
    "immutable folder": "mkdir -p d; chattr +i d",
    "append only": "chattr +a .",
    "names in bytes": "touch $(printf 'a\\377b') $(printf 'c\\nd')",
    "deep folders": "i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done",
    "many files": "i=0; while [ $i -lt 300 ]; do : >f$i; i=$((i+1)); done",
    "a process that writes": "(sleep 0.05; echo crash >in.txt; echo crash >../late) & disown 2>/dev/null; :",
    "a daemon that writes": "setsid sh -c 'sleep 0.05; echo crash >in.txt' & :",
}


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    number = 0
    for sandbox in ("auto", "off"):
        for way, text in WAYS.items():
            for place in PLACES:
                number += 1
                at = place.replace("$name", f"{number}-{rng.randrange(1 << 30)}")
                # Outside of the run's own folder there is only the sandbox.
                if at.startswith("../../../") and sandbox == "off":
                    continue
                demanded = "on" if at.startswith("../../../") else sandbox
                # Without a sandbox, tests that run at the same time can reach each other.
                jobs = 1 if sandbox == "off" and at.startswith("../../") else 2
                act = text.format(at=at)
                test = (f"grep -q alpha in.txt && {{ {act}; }} 2>/dev/null\n"
                        f"[ -e \"{at}\" ] || [ -L \"{at}\" ] || exit 1\ngrep -q crash in.txt || ! grep -q alpha in.txt")
                yield (f"marks, sandbox {sandbox}", f"{way} at {place}", mark(program, base / str(number), env, demanded, test, jobs))
        for name, act in FOLDERS.items():
            number += 1
            test = f"grep -q alpha in.txt && grep -q crash in.txt\nv=$?\n({act}) 2>/dev/null\nexit $v"
            what = folders(program, base / str(number), env, sandbox, test)
            yield (f"folders, sandbox {sandbox}", name, what)


def start(program, place, env, sandbox, test, jobs=2):
    place.mkdir()
    (place / "in.txt").write_text("".join(f"line {n}\n" for n in range(4)) + "alpha\ncrash\n")
    stage.script(place / "test.sh", test)
    code, out = stage.run([program, "reduce", "in.txt", "--no-config", f"-j{jobs}", "--sandbox", sandbox, "--max-tests", "150", "--", place / "test.sh"],
                          place, env, 60)
    return code, out, place / "in.min.txt"


def mark(program, place, env, sandbox, test, jobs):
    code, out, result = start(program, place, env, sandbox, test, jobs)
    what = stage.is_wrong(code, out)
    if not what and code == 0 and "alpha" not in result.read_text():
        what = f"a mark of another test counted: {result.read_text()!r}"
    return what or left(env)


def folders(program, place, env, sandbox, test):
    code, out, result = start(program, place, env, sandbox, test)
    what = stage.is_wrong(code, out)
    if not what and code == 0 and not all(word in result.read_text() for word in ("alpha", "crash")):
        what = f"wrong result {result.read_text()!r}"
    if not what and code == 0 and len(result.read_text()) > len("alpha\ncrash\n") and "test limit" not in out:
        what = f"wrong result {result.read_text()!r}"
    return what or left(env)


def left(env):
    """Returns what a run has left in the temporary folder, which is then removed."""
    import os, shutil
    names = [name for name in os.listdir(env["TMPDIR"]) if name.startswith((".nubbin", "nubbin"))]
    for name in names:
        whole = os.path.join(env["TMPDIR"], name)
        os.system(f"chattr -R -ia '{whole}' 2>/dev/null")
        shutil.rmtree(whole, ignore_errors=True)
    return f"left {names}" if names else None
