"""Sets of cases. Each is made by a module of its name, with a function `main` for the arguments of its command."""

from __future__ import annotations

import importlib
from types import ModuleType

SETS = {
    "first": "programs and files of 18 languages",
    "second": "other programs and files",
    "third": "other programs and files again",
    "fourth": "languages without a parser, and large programs in C++",
    "binary": "binary formats",
    "leftover": "small texts of which `auto` left more than a person",
    "loud": "copies of other cases, with tests that print messages",
    "js-modules": "modules in JavaScript",
    "merged-c": "programs in C as one file each, not preprocessed",
}


def load(name: str) -> ModuleType:
    """Returns the module of a set."""
    return importlib.import_module(f"bench.cases.{name.replace('-', '_')}")
