"""Damaged files: binary inputs, files of nubbin's own beside a result, campaigns, and command lines in odd bytes."""
import shutil, sqlite3
import stage

MEMORY = 4 << 30


def damage(rng, data):
    """Returns the bytes with one kind of damage, and its name."""
    data = bytearray(data)
    kind = rng.choice(["flip", "cut", "extreme", "repeat", "swap", "insert", "zeros", "begin"])
    at = rng.randrange(len(data)) if data else 0
    size = rng.choice([1, 2, 4, 8, 16])
    if kind == "flip" and data:
        for _ in range(rng.choice([1, 2, 8])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[at:]
    elif kind == "begin":
        del data[:at]
    elif kind == "extreme":
        data[at:at + size] = rng.choice([b"\xff", b"\x7f", b"\x80"]) * size
    elif kind == "repeat":
        data[at:at] = data[at:at + 64] * rng.choice([1, 4])
    elif kind == "swap":
        to = rng.randrange(len(data)) if data else 0
        data[at:at + size], data[to:to + size] = data[to:to + size], data[at:at + size]
    elif kind == "insert":
        data[at:at] = rng.randbytes(size)
    else:
        data[at:at + size] = bytes(size)
    return bytes(data), kind


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    samples = sorted(path for path in (stage.ROOT / "crates/binary/tests/samples").glob("*.*"))
    for _ in range(4 * scale):
        for sample in samples:
            bytes_, kind = damage(rng, sample.read_bytes())
            for times in range(rng.randrange(3)):
                bytes_, _ = damage(rng, bytes_)
            name = base / f"in{sample.suffix}"
            name.write_bytes(bytes_ or b"x")
            code, out = stage.run([program, "reduce", name.name, "-f", "--fresh", "--no-config", "--max-tests", "25", "--sandbox", "off",
                                   "--", "true", "{}"], base, env, 60, MEMORY)
            what = stage.is_wrong(code, out)
            if what:
                kept = base.parent / f"attack-fell-{sample.name}-{rng.randrange(10**6)}"
                shutil.copy(name, kept)
                what += f" ({kept})"
            yield ("binary inputs", f"{sample.name} {kind}", what)
    yield from own_files(program, base / "own", env, rng, scale)
    yield from campaigns(program, base / "campaign", env, rng, scale)


def own_files(program, place, env, rng, scale):
    """The journal, its stamp, and the receipt of a run that was stopped: damaged, the result is the same."""
    place.mkdir()
    source = "".join(f"line {n}\n" for n in range(200)) + "crash\n"
    (place / "in.txt").write_text(source)
    words = [program, "reduce", "in.txt", "--no-config", "--", "grep", "-q", "crash", "{}"]
    stage.run([*words[:3], "--max-tests", "20", *words[3:]], place, env)
    kept = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    for number in range(100 * scale):
        own = sorted(path for path in kept if path.name != "in.txt")
        path = rng.choice(own)
        for other, data in kept.items():
            other.write_bytes(data)
        damaged, kind = damage(rng, kept[path])
        path.write_bytes(damaged)
        code, out = stage.run(words, place, env, 60, MEMORY)
        what = stage.is_wrong(code, out)
        result = place / "in.min.txt"
        if path == result:
            # A result that was changed is a file of the user, but for an empty one.
            what = what or (damaged and result.read_bytes() != damaged and code != 6 and damaged != kept[path] and "it was replaced")
        elif not what and code == 6 and path.suffix == ".written":
            # Without its receipt, a result is a file of the user.
            what = None if result.read_bytes() == kept[result] else "it was replaced"
        elif not what and (code != 0 or result.read_text() != "crash"):
            what = f"exit {code}, result {result.read_text()[:40]!r}: {out[-200:]}"
        yield ("files of nubbin's own", f"{path.name} {kind} {number}", what)


def campaigns(program, place, env, rng, scale):
    """The database of a campaign."""
    place.mkdir()
    (place / "crashes").mkdir()
    for number in range(3):
        (place / "crashes" / str(number)).write_text(f"{'x' * number}crash")
    test = stage.script(place / "test.sh", "grep -q crash \"$1\" && { echo boom >&2; kill -SEGV $$; }; exit 0")
    stage.run([program, "reduce-all", "crashes", "-o", "out", "--max-tests", "20", "--", test, "{}"], place, env, 60)
    whole = place / "out/campaign"
    stores = [path for path in whole.rglob("*") if path.is_file()]
    for number in range(40 * scale):
        path = rng.choice(stores)
        copy = place / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(whole, copy)
        target = copy / path.relative_to(whole)
        damaged, kind = damage(rng, target.read_bytes())
        target.write_bytes(damaged)
        command = rng.choice([["status"], ["issues"], ["show", "1"], ["report"], ["check"]])
        code, out = stage.run([program, "campaign", command[0], "copy", *command[1:]], place, env, 60, MEMORY)
        yield ("campaigns", f"{path.name} {kind} {command[0]}", stage.is_wrong(code, out))
