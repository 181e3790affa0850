"""Syntax trees."""

from dataclasses import dataclass, field
from typing import Any, Iterator, List, Optional, Tuple, Union

from . import _nubbin
from ._grammar import GrammarLike, as_grammar
from ._settings import encoded


@dataclass(frozen=True)
class Node:
    """A node of a syntax tree."""

    symbol: str
    kind: str
    """`"rule"`, `"token"`, `"optional"`, `"repeat"`, `"iteration"`, `"separator"`, `"gap"`,
    `"error"`, or `"missing"`."""
    start: int
    """The span in the text, in bytes."""
    end: int
    source: bytes = field(repr=False)
    """The whole text."""
    children: List["Node"] = field(repr=False, default_factory=list)

    @property
    def text(self) -> str:
        """The text of the node."""
        return self.source[self.start : self.end].decode("utf-8", "replace")

    def walk(self) -> Iterator["Node"]:
        """Returns the node and all nodes below it, parents before children."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.children))

    def derivation(self) -> Tuple[str, List[Any]]:
        """Returns the tree in the form of the Fuzzing Book: pairs of a symbol and its children.

        >>> import nubbin
        >>> bits = {"<start>": ["<bit>", "<bit><start>"], "<bit>": ["0", "1"]}
        >>> nubbin.parse("1", grammar=bits).derivation()
        ('<start>', [('<bit>', [('1', [])])])
        """
        root: Tuple[str, List[Any]] = (self.symbol, [])
        todo: List[Tuple[Node, List[Any]]] = [(self, root[1])]
        pair: Tuple[str, List[Any]]
        top: Optional[Tuple[str, List[Any]]] = None
        while todo:
            node, siblings = todo.pop()
            if node.kind in ("token", "gap"):
                pair = (node.text, [])
                siblings.append(pair)
                below = siblings
            elif node.kind == "rule" or top is None:
                pair = (f"<{node.symbol}>", [])
                if top is None:
                    top = pair
                else:
                    siblings.append(pair)
                # An empty alternative has an empty text.
                if not node.children:
                    pair[1].append(("", []))
                below = pair[1]
            else:
                # Quantifiers are no symbols of the Fuzzing Book.
                below = siblings
            todo.extend((child, below) for child in reversed(node.children))
        assert top is not None
        return top

    def __str__(self) -> str:
        lines = []
        todo = [(self, 0)]
        while todo:
            node, depth = todo.pop()
            text = repr(node.text) if not node.children else ""
            lines.append(f"{'  ' * depth}{node.symbol} {text}".rstrip())
            todo.extend((child, depth + 1) for child in reversed(node.children))
        return "\n".join(lines)


def parse(
    text: Union[str, bytes],
    *,
    language: Optional[str] = None,
    grammar: Optional[GrammarLike] = None,
    filename: str = "input",
) -> Node:
    """Returns the syntax tree of a text.

    With a `language`, any text has a tree, with nodes of the kind `"error"` for parts that do not
    parse. With a `grammar`, a text that does not fit raises a `GrammarError`.

    >>> import nubbin
    >>> tree = nubbin.parse("x = 1", language="python")
    >>> [node.text for node in tree.walk() if node.kind == "token"]
    ['x', '=', '1']
    """
    data, _ = encoded(text)
    rows = _nubbin.parse(
        data, None if grammar is None else as_grammar(grammar)._grammar, language, filename
    )
    nodes = [Node(symbol, kind, start, end, data) for symbol, kind, start, end, _ in rows]
    for node, (_, _, _, _, parent) in zip(nodes, rows):
        if parent is not None:
            nodes[parent].children.append(node)
    return nodes[0]
