"""sqlreduce, for one query in the dialect of PostgreSQL.

By itself it compares errors of a server. Here its function that runs a query runs the test instead, so that its
candidates are counted as those of the others. `python3` must have its package.
"""

from __future__ import annotations

from bench.peers.peer import Peer, Place

DRIVER = """import subprocess
import sys

import sqlreduce

source, result, test = sys.argv[1:]


def run_query(state, query):
    with open(result + ".candidate", "w", encoding="utf-8") as file:
        file.write(query)
    code = subprocess.run([test, result + ".candidate"]).returncode
    if code == 0:
        with open(result, "w", encoding="utf-8") as file:
            file.write(query)
    return str(code)


sqlreduce.run_query = run_query
with open(source, encoding="utf-8") as file:
    sqlreduce.run_reduce(file.read().rstrip(), verbose=False)
"""


def command(place: Place) -> list[str]:
    driver = place.scratch / "driver.py"
    driver.write_text(DRIVER, encoding="utf-8")
    return ["python3", str(driver), place.name, str(PEER.result(place)), str(place.test_of_argument())]


PEER = Peer("sqlreduce", command, ("sql",), "out.sql", executable="python3")
