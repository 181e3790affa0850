#!/usr/bin/env python3
"""Module."""
from __future__ import annotations
import os.path as p, sys
from . import (a, b as c,)


@decorator(1)
class Thing(Base, metaclass=Meta):
    x: int = 1

    async def run(self, a, /, b=2, *args, c: str = "x", **kw) -> None:
        global g
        if a: pass
        elif (n := len(args)) > 1:
            raise ValueError(f"bad {n!r:>{10}} {{x}}") from None
        else:
            return [i for i in range(3) if i % 2], {k: v for k, v in kw.items()}, {1, *args}
        # comment
        try:
            with open("f") as f, lock: yield
        except (A, B) as e:
            del self.x[1:2, ::3], e
        finally:
            assert not a, "msg"
        for i, (j, k) in []: continue
        else: break
        while True: await x


match point:
    case {"a": [1, *rest], **more} if rest: print(...)
    case Point(x=0) | None as q: x = lambda y, *z: y @ 2 ** -1
    case _:
        a = b = 1; b += 0x1f if a <= b < c is not d else 1.5j
