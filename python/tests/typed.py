"""Types that the functions have for their callers. This file is checked by mypy, and not run."""

from typing import List, Tuple

import nubbin

text: str = nubbin.reduce("abc", lambda text: text.startswith("a")).data
data: bytes = nubbin.reduce(b"abc", lambda data: data.startswith(b"a")).data
command: str = nubbin.reduce("abc", ["grep", "-q", "a", "{}"]).data
numbers: List[int] = nubbin.reduce_list([1, 2], lambda kept: sum(kept) > 2).data
pair: Tuple[int, int] = (1, 2)
kept: List[int] = nubbin.ddmin(range(9), lambda kept: 3 in kept)
joined: str = nubbin.reduce_list("abc", lambda text: "b" in text).data


def generate(choices: nubbin.Choices) -> List[int]:
    return choices.list(lambda choices: choices.integer(0, 9))


made: List[int] = nubbin.reduce_choices(generate, lambda made: len(made) > 2).data


@nubbin.minimize(arg="text")
def check(text: str) -> int:
    return len(text)


length: int = check("abc")
