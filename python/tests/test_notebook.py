"""The notebook that walks through reduction. Its cells run here without Jupyter, and check their results
themselves; `scripts/python-notebook` executes it as a notebook, with its plots."""

import contextlib
import io
import json
import sys
import unittest.mock
from pathlib import Path

NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "reducing.ipynb"


def test_the_cells_of_the_notebook_run(monkeypatch):
    # What is plotted is checked by nobody, and the package for it is large.
    pyplot = unittest.mock.MagicMock()
    pyplot.subplots.side_effect = lambda **_: (unittest.mock.MagicMock(), unittest.mock.MagicMock())
    package = unittest.mock.MagicMock(pyplot=pyplot)
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for number, text in enumerate(code):
            exec(compile(text, f"cell {number}", "exec"), names)
    assert len(code) > 8
    assert pyplot.show.call_count == 2
