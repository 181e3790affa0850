"""The commands that make cases, reduce them, and print tables."""

from __future__ import annotations

import argparse
import pathlib
import shutil
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from bench import files, record, table, without
from bench.case import Case, find, make_of_result
from bench.cases import SETS, load
from bench.curve import Curve
from bench.peers import PEERS
from bench.run import Limits, Run, Runner, Tool

RUN = """Reduces every case of the folders by every tool, and prints tables.

The first table has bytes left, tests, tests after the last smaller input, and the tests until the size was down to
50, 25, 10, 5, 2, and 1 % of the input. Below it, for the first tool: the geometric mean of its tests to each level
over those of each other tool, and of the best of them, where both reached it; how often only one did; and the same
for the tests to the other tool's final size. Flags behind `--` are for all builds of nubbin.

Verdicts and runs are kept in target/bench.
"""
WITHOUT = """reduce the cases once more without one pass at a time (`all`: each with a success), but only the cases
in which the pass had a success. A ratio is that of the run without the pass to the run with all passes; above 1.000
the pass earns something. `all` has the size over all cases of the kind, `to size` the tests to the larger one of the
two final sizes, `spent` the share of the pass in the tests of the kind. The last columns have cases that change by
more than 3 %%."""


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def make_cases(words: Sequence[str]) -> None:
    if not words:
        for name, about in SETS.items():
            print(f"{name:15} {about}")
        return
    name, *rest = words
    if name not in SETS:
        sys.exit(f"no set `{name}`; the sets are {', '.join(SETS)}")
    load(name).main(rest)


def parser() -> argparse.ArgumentParser:
    flags = argparse.ArgumentParser("python3 -m bench run", description=RUN, formatter_class=argparse.RawTextHelpFormatter)
    flags.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    flags.add_argument("--tool", action="append", default=[], metavar="NAME=PROGRAM[,FLAG...]",
                       help="a build of nubbin (the release build of the working tree, if there is none)")
    flags.add_argument("--peers", default="", metavar="NAME[,NAME...]", help=f"other reducers: {', '.join(PEERS)}")
    flags.add_argument("--only", default="", metavar="REGEX", help="cases whose name, or SET/NAME, matches")
    flags.add_argument("--max-tests", type=int, default=0, metavar="N", help="the end of a run")
    flags.add_argument("--max-time", type=int, default=120, metavar="SECONDS", help="the end of a run (120)")
    flags.add_argument("--jobs", type=int, default=2, help="runs at the same time (2), each with one worker")
    flags.add_argument("--show-output", action="store_true", help="show the tools the output and the text of the test")
    flags.add_argument("--verify", default="", metavar="COMMAND", help="refuses candidates ($0) that are not valid")
    flags.add_argument("--passes", action="store_true", help="print the passes of the first tool")
    flags.add_argument("--without", default="", metavar="PASS[,PASS...]", help=WITHOUT)
    flags.add_argument("--results", type=pathlib.Path, metavar="FOLDER", help="make cases of the first tool's results")
    flags.add_argument("--work", type=pathlib.Path, default=files.WORK, metavar="FOLDER", help="what is kept (target/bench)")
    flags.add_argument("--record", type=pathlib.Path, metavar="FILE", help="write a record of the runs")
    return flags


def tools_of(args: argparse.Namespace) -> list[Tool]:
    """Returns the tools that the flags name, builds of nubbin first."""
    found = []
    for tool in args.tool:
        name, separator, program = tool.partition("=")
        path, *flags = program.split(",")
        if not separator or not pathlib.Path(path).is_file():
            sys.exit(f"--tool {tool}: not NAME=PROGRAM with an existing program")
        found.append(Tool(name, pathlib.Path(path).resolve(), tuple(flags)))
    if not found:
        found.append(Tool("nubbin", files.release_build()))
    for name in filter(None, args.peers.split(",")):
        if name not in PEERS or not shutil.which(PEERS[name].program):
            sys.exit(f"--peers {name}: no peer of this name is known and on PATH")
        found.append(Tool(name, peer=PEERS[name]))
    if len({tool.name for tool in found}) < len(found):
        sys.exit("two tools have the same name")
    return found


class Bench:
    """The runs of all cases and tools."""

    def __init__(self, cases: Sequence[Case], tools: Sequence[Tool], runner: Runner, pool: ThreadPoolExecutor):
        self.tools, self.runner, self.pool = tools, runner, pool
        jobs = {case: {tool.name: pool.submit(runner.run, case, tool) for tool in tools if tool.fits(case)} for case in cases}
        self.cases: dict[str, Case] = {}
        self.runs: dict[str, dict[str, Run]] = {}
        names = [case.name for case in cases]
        for case, of_case in jobs.items():
            runs = {tool: job.result() for tool, job in of_case.items()}
            if not runs[tools[0].name].fails:
                print(f"left out: {case.set}/{case.name}: the test of the original does not fail", file=sys.stderr)
                continue
            # Sets may have cases of one name.
            key = case.name if names.count(case.name) == 1 else f"{case.set}/{case.name}"
            self.cases[key], self.runs[key] = case, runs
        self.curves = {case: {tool: Curve.of(run) for tool, run in runs.items()} for case, runs in self.runs.items()}

    def first(self) -> dict[str, Run]:
        return {case: runs[self.tools[0].name] for case, runs in self.runs.items()}

    def without(self, passes: str) -> Iterable[str]:
        """Yields the table of runs without a pass."""
        first, whole = self.tools[0], self.first()
        adopting = without.with_successes(whole)
        yield from without.head()
        for name in sorted(adopting) if passes == "all" else passes.split(","):
            less = Tool(f"without {name}", first.program, (*first.flags, "--without", name))
            jobs = {}
            for case in adopting.get(name, []):
                # A run that was ended by time is compared after as many tests.
                limit = len(whole[case].tests) if whole[case].ended == "max-time" else self.runner.limits.tests
                jobs[case] = self.pool.submit(self.runner.limited(limit).run, self.cases[case], less)
            yield from without.rows(name, whole, {case: job.result() for case, job in jobs.items()})


def run_cases(words: Sequence[str]) -> None:
    split = words.index("--") if "--" in words else len(words)
    args = parser().parse_args(words[:split])
    tools, cases = tools_of(args), find(args.folders, args.only)
    if not cases:
        sys.exit("no case of these folders matches")
    flags, work = tuple(words[split + 1 :]), args.work.resolve()
    runner = Runner(Limits(args.max_tests, args.max_time), args.show_output, args.verify, flags, work)
    with ThreadPoolExecutor(args.jobs) as pool:
        bench = Bench(cases, tools, runner, pool)
        if not bench.runs:
            sys.exit("no case fails here")
        names = [tool.name for tool in tools]
        print_lines(table.cases(bench.curves))
        print_lines(table.totals(bench.curves, names))
        if len(tools) > 1:
            print()
            print_lines(table.against(bench.curves, names))
        if args.passes or args.without:
            print()
            print_lines(table.passes(bench.first()))
        if args.without:
            print()
            print_lines(bench.without(args.without))
    for case in bench.cases.values() if args.results else ():
        make_of_result(args.results, case, runner.kept(case, tools[0]).with_suffix(".left"))
    if args.record:
        head = {"max_tests": args.max_tests, "max_time": args.max_time, "flags": flags, "shows_output": args.show_output}
        record.write(args.record, head, bench.curves)


def print_record(path: str) -> None:
    one = record.read(pathlib.Path(path))
    print_lines(table.cases(one.curves))
    print_lines(table.totals(one.curves, one.tools))
    if len(one.tools) > 1:
        print()
        print_lines(table.against(one.curves, one.tools, of_record=True))
