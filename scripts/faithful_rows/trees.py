"""Derivation trees: lists of a symbol and the list of its children, as in the Fuzzing Book.

The child of a symbol with an empty text is the terminal `""`, as in the book's
`expansion_to_children`.
"""
import json, re, subprocess

STEP = " › "


def parts(expansion):
    """Splits an expansion into symbols; the empty one is one empty terminal."""
    return [part for part in re.split(r"(<[^<> ]*>)", expansion) if part] or [""]


def is_nonterminal(symbol):
    return symbol.startswith("<") and symbol.endswith(">") and len(symbol) > 1


def grow(grammar, symbol, rng, depth, deepest):
    """Makes a random tree. Below `deepest`, the alternatives that end soonest are taken."""
    if not is_nonterminal(symbol):
        return [symbol, []]
    alternatives = grammar[symbol]
    if depth > deepest:
        cost = {text: height_of(grammar, text) for text in alternatives}
        alternatives = [text for text in alternatives if cost[text] == min(cost.values())]
    chosen = parts(rng.choice(alternatives))
    return [symbol, [grow(grammar, part, rng, depth + 1, deepest) for part in chosen]]


def height_of(grammar, expansion, seen=()):
    heights = [0]
    for part in parts(expansion):
        if is_nonterminal(part):
            if part in seen:
                return float("inf")
            heights.append(1 + min(height_of(grammar, text, (*seen, part)) for text in grammar[part]))
    return max(heights)


def text_of(tree):
    symbol, children = tree
    return "".join(map(text_of, children)) if children or is_nonterminal(symbol) else symbol


def copied(tree):
    return [tree[0], [copied(child) for child in tree[1]]]


def preorder(tree):
    yield tree
    for child in tree[1]:
        yield from preorder(child)


def parsed(program, grammar, text, folder):
    """Returns the tree that nubbin makes of a text, which may have several."""
    (folder / "parsed.json").write_text(json.dumps(grammar))
    (folder / "parsed").write_text(text)
    command = [program, "grammar", "parse", "-g", "parsed.json", "parsed"]
    ran = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    tree = read_tree(ran.stdout)
    if text_of(tree) != text or not derives(grammar, tree):
        raise ValueError(f"no tree of {text!r}: {ran.stdout}")
    return tree


def read_tree(printed):
    """Reads indented lines, each with a chain of nodes: `<expr> › <sym> › "a"`."""
    open_at = [["", []]]
    for line in printed.splitlines():
        depth = (len(line) - len(line.lstrip(" "))) // 2
        del open_at[depth + 1:]
        parent = open_at[depth]
        for name in line.strip().split(STEP):
            node = [name if is_nonterminal(name) else json.loads(name), []]
            parent[1].append(node)
            parent = node
        open_at.append(parent)
    tree = open_at[0][1][0]
    for node in list(preorder(tree)):
        if is_nonterminal(node[0]) and not node[1]:
            node[1].append(["", []])
    return tree


def derives(grammar, tree):
    """Tells whether each node of a tree is an alternative of its symbol."""
    symbol, children = tree
    if not is_nonterminal(symbol):
        return not children
    names = [child[0] for child in children]
    return (names in map(parts, grammar[symbol])) and all(derives(grammar, child) for child in children)
