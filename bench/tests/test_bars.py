"""The picture of the README, drawn of its record."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from bench import bars
from bench.record import Record
from bench.tests.test_record import CURVES


def test_a_bar_is_as_long_as_its_share_of_the_other_reducers_tests() -> None:
    drawn = bars.picture(Record({}, CURVES))
    ET.fromstring(drawn)
    widths = re.findall(r'class="nubbin" x="\d+" y="\d+" width="([\d.]+)"', drawn)
    # Both reach 50 %: with 2 tests of 4 in each case. No other reducer reaches the other levels.
    assert widths == ["190.0", "0.0", "0.0"] * 2
    assert drawn.count(">50 %</text>") == 2 * 2 + 1
    assert drawn.count(">–</text>") == 4


def test_the_picture_of_the_readme_is_that_of_its_record() -> None:
    assert bars.PICTURE.read_text(encoding="utf-8") == bars.of_readme(), "run `python3 -m bench readme`"
