"""Runs of the program: the texts that it tests, its result, and its count of configurations."""
import collections, json, shlex, subprocess, sys

Run = collections.namedtuple("Run", "texts result configurations")

# The flags with which nubbin runs one test at a time, and logs every text.
QUIETLY = ["-j", "1", "--fresh", "--force", "--quiet", "--flaky", "off", "--sandbox", "off",
           "--json-events", "log", "--log-texts", "--no-config"]


def reduced(program, arguments, given, folder):
    """Reduces an input, with the arguments that name the algorithm, and its test."""
    (folder / "input").write_text(given.text)
    (folder / "grammar.json").write_text(json.dumps(given.grammar))
    return run([program, "reduce", "input", *arguments, "-o", "out", *QUIETLY, "--", "grep", "-qE",
                given.regex, "{}"], folder)


def run(command, folder):
    """Runs a command line. Each text counts once."""
    ran = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ran.returncode != 0:
        sys.exit(f"`{shlex.join(map(str, command))}` ended with {ran.returncode}:\n{ran.stderr}")
    events = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    tested = [event["text"] for event in events if event["event"] == "tested"]
    counts = [event["statistics"].get("configurations") for event in events if event["event"] == "result"]
    return Run(list(dict.fromkeys(tested)), (folder / "out").read_text(), counts[-1])
