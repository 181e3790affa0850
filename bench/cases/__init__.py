"""Sets of cases. A module for each set makes its folders."""

from __future__ import annotations

from types import ModuleType

SETS: dict[str, ModuleType] = {}
