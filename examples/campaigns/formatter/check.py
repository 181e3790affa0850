#!/usr/bin/env python3
"""Checks that the formatter of Python's own library formats twice the same, and keeps the meaning.

The formatter is `ast.unparse`. A program that Python does not parse is no bug of it.
"""

import ast
import sys
import warnings

warnings.simplefilter("ignore")
try:
    tree = ast.parse(open(sys.argv[1], errors="replace").read())
except (SyntaxError, ValueError, RecursionError, MemoryError):
    sys.exit(0)

once = ast.unparse(tree)
try:
    again = ast.parse(once)
except SyntaxError as error:
    sys.exit(f"BUG: what was formatted does not parse ({error.msg})")
if ast.dump(again) != ast.dump(tree):
    sys.exit("BUG: formatting has changed the meaning")
if ast.unparse(again) != once:
    sys.exit("BUG: formatting twice is not the same")
