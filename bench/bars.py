"""The picture of the README: the tests of nubbin as bars, in percent of those of other reducers."""

from __future__ import annotations

from html import escape

from bench import files, record
from bench.curve import at_level
from bench.record import LABELS, Record
from bench.table import pairs_of

PICTURE = files.ROOT / "docs/src/images/tests.svg"
# Shares of the input, in percent, to which a file is reduced. The table has the others.
LEVELS = (50, 10, 1)

WIDTH, LEFT, RIGHT = 640, 200, 60
BAR, STEP, GAP, TOP = 14, 19, 14, 68
# The picture has a background of its own, since the page around it may not have the colors of the system.
STYLE = """
.page { fill: #ffffff; stroke: #d0d7de }
.title { fill: #1f2328; font-size: 15px; font-weight: 600 }
.name { fill: #1f2328; font-weight: 600 }
.note { fill: #59636e }
.other { fill: #d8dee4 }
.nubbin { fill: #1a7f37 }
.tick { stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117; stroke: #3d444d }
  .title, .name { fill: #f0f6fc }
  .note { fill: #9198a1 }
  .other { fill: #3d444d }
  .nubbin { fill: #3fb950 }
  .tick { stroke: #3d444d }
}
"""


def picture(one: Record) -> str:
    """Returns the bars of a record as SVG. A group has the bars of one reducer, all of which are 100 % long."""
    first, *others = one.tools
    groups = [(LABELS[tool], [tool]) for tool in others] + [("the best of them", others)]
    parts, top = [], TOP
    for label, rivals in groups:
        parts.append(text(LEFT - 66, top + 11, label, "name", "end"))
        pairs = pairs_of(one.curves, first, rivals)
        for level in LEVELS:
            parts += bar(top, level, at_level(level, pairs).mean)
            top += STEP
        top += GAP
    bottom = top - GAP
    parts = [*ticks(bottom), *parts]
    title = "Tests that nubbin needs to shrink a file, in percent of those of"
    height = bottom + 34
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-size="12"',
        '  font-family="-apple-system, \'Segoe UI\', Helvetica, Arial, \'DejaVu Sans\', sans-serif">',
        f"<title>{title} other reducers</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        text(20, 28, f"{title} …", "title"),
        text(LEFT - 10, 54, "down to", "note", "end"),
        *parts,
        "</svg>",
        "",
    ])


def bar(top: int, level: int, share: float) -> list[str]:
    """Returns the bar of one level: the part that nubbin needs, over the whole of the other reducer."""
    whole = WIDTH - LEFT - RIGHT
    # Where no case is reached by both, there is no share.
    part = min(share, 1.0) * whole if share == share else 0.0
    number = f"{share:.0%}".replace("%", " %") if share == share else "–"
    return [
        text(LEFT - 10, top + 11, f"{level} %", "note", "end"),
        f'<rect class="other" x="{LEFT}" y="{top}" width="{whole}" height="{BAR}" rx="2"/>',
        f'<rect class="nubbin" x="{LEFT}" y="{top}" width="{part:.1f}" height="{BAR}" rx="2"/>',
        text(LEFT + whole + 8, top + 11, number, "name"),
    ]


def ticks(bottom: int) -> list[str]:
    parts = []
    for percent in (0, 25, 50, 75, 100):
        x = LEFT + (WIDTH - LEFT - RIGHT) * percent / 100
        parts.append(f'<line class="tick" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom + 4}"/>')
        parts.append(text(x, bottom + 18, f"{percent} %", "note", "middle"))
    return parts


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def of_readme() -> str:
    """Returns the picture of the record that the README names."""
    name, _ = record.in_readme(record.README.read_text(encoding="utf-8"))
    return picture(record.read(record.RECORDS / name))
