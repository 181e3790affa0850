"""Hierarchical delta debugging and its variants.

- R. Hodován: Fuzz Testing and Test Case Reduction, booklet of the thesis (Szeged 2019), definition 1
  (ddmin) and algorithms 2 (squeezeTree), 3 (hideUnremovableTokens), 4 (coarseHDD), and 5
  (flattenTreeRecursion), from the printed pseudocode.
- G. Misherghi, Z. Su: HDD: Hierarchical Delta Debugging, ICSE 2006: algorithm 4 without its filter.
- Á. Kiss, R. Hodován, T. Gyimóthy: HDDr, A-TEST 2018. The paper was not at hand; the traversals are
  those that the documentation of Picireny, the program of its authors, describes.

Three things are not printed there. The last node of a list, which `ddmin` never leaves out, is left
out at the end, as in Picireny. Of several smallest texts of a symbol, the first alternative counts.
HDDr begins with the root as a list of its own, as nubbin does.
"""
from trees import is_nonterminal, parts


class Node:
    """A node with its smallest text Φ. A token has a text, and a rule has children."""

    def __init__(self, name, smallest, text=None, children=()):
        self.name, self.smallest, self.text = name, smallest, text
        self.children, self.removed = list(children), False

    def is_token(self):
        return self.text is not None


def smallest_texts(grammar):
    """Returns Φ of each symbol: the text of the alternative with the shortest text."""
    least = {}

    def text(alternative):
        symbols = parts(alternative)
        if any(is_nonterminal(symbol) and symbol not in least for symbol in symbols):
            return None
        return "".join(least.get(symbol, symbol) for symbol in symbols)

    changed = True
    while changed:
        changed = False
        for symbol, alternatives in grammar.items():
            known = [made for made in map(text, alternatives) if made is not None]
            best = min(known, key=len, default=None)
            if best is not None and (symbol not in least or len(best) < len(least[symbol])):
                least[symbol], changed = best, True
    firsts = {}

    def first(symbol):
        if symbol not in firsts:
            made = [alternative for alternative in grammar[symbol]
                    if len(text(alternative)) == len(least[symbol])][0]
            firsts[symbol] = "".join(first(part) if is_nonterminal(part) else part for part in parts(made))
        return firsts[symbol]

    return {symbol: first(symbol) for symbol in grammar}


def hdd_tree(tree, least):
    """Makes the nodes of a derivation tree. A symbol with an empty text has no children."""
    symbol, children = tree
    if not is_nonterminal(symbol):
        return Node(symbol, symbol, text=symbol)
    return Node(symbol, least[symbol], children=[hdd_tree(child, least) for child in children if child[0]])


# ------------------------------------------------------------------------------------ preparation


def without_empty(node):
    """Drops tokens without a text and rules without children (Picireny, `remove_empty_nodes`)."""
    for child in node.children:
        without_empty(child)
    node.children = [child for child in node.children if child.text or child.children]
    return node


def flattened(node):
    """Algorithm 5."""
    for child in node.children:
        flattened(child)
    if len(node.children) > 1:
        first, *_, last = node.children
        if first.name == node.name:
            right = Node("", "", children=node.children[1:])
            node.children = [*first.children, right]
        elif last.name == node.name:
            left = Node("", "", children=node.children[:-1])
            node.children = [left, *last.children]
    return node


def squeezed(node):
    """Algorithm 2."""
    if not node.is_token():
        for i, child in enumerate(node.children):
            node.children[i] = squeezed(child)
        if len(node.children) == 1 and node.smallest == node.children[0].smallest:
            return node.children[0]
    return node


def without_unremovable(node):
    """Algorithm 3: hides tokens only."""
    if node.is_token():
        if node.text == node.smallest:
            node.removed = True
    else:
        for child in node.children:
            without_unremovable(child)
    return node


def without_unremovable_nodes(node):
    """Hides rules as well, and those above them that are then as small (Picireny since 18.10)."""
    for child in node.children:
        without_unremovable_nodes(child)
    if unparsed(node) == node.smallest:
        node.removed = True
    return node


STEPS = {"empty": without_empty, "flatten": flattened, "squeeze": squeezed, "hide": without_unremovable,
         "hide-nodes": without_unremovable_nodes}


# -------------------------------------------------------------------------------------- reduction


def unparsed(node):
    if node.removed:
        return node.smallest
    return node.text if node.is_token() else "".join(map(unparsed, node.children))


def ddmin(units, fails):
    """Definition 1, with the parts of Zeller's program: the longer ones last."""
    n = 2
    while len(units) >= 2:
        cuts = [0]
        for i in range(n):
            cuts.append(cuts[-1] + (len(units) - cuts[-1]) // (n - i))
        subsets = [units[begin:end] for begin, end in zip(cuts, cuts[1:])]
        complements = [units[:begin] + units[end:] for begin, end in zip(cuts, cuts[1:])]
        if (smaller := next(filter(fails, subsets), None)) is not None:
            units, n = smaller, 2
        elif (smaller := next(filter(fails, complements), None)) is not None:
            units, n = smaller, max(n - 1, 2)
        elif n < len(units):
            n = min(len(units), 2 * n)
        else:
            break
    return units


class Hdd:
    """One run. `configurations` counts the tests if each list remembers the verdicts of its
    configurations, as the counts of the publications do."""

    def __init__(self, root, fails, coarse=False, recursive=False, star=False, last=False, backward=False):
        self.root, self.fails, self.coarse, self.recursive = root, fails, coarse, recursive
        self.star, self.last, self.backward = star, last, backward
        self.configurations = 0

    def run(self):
        one_pass = self.nodes if self.recursive else self.levels
        while one_pass() and self.star:
            pass
        return unparsed(self.root)

    def minimized(self, nodes):
        """Removes as many of the nodes as `ddmin` can, and tells whether it removed any."""
        if self.coarse:
            nodes = [node for node in nodes if node.smallest == ""]
        if not nodes:
            return False
        known = {}

        def config_fails(config):
            if tuple(config) not in known:
                self.configurations += 1
                for node in nodes:
                    node.removed = node not in config
                known[tuple(config)] = self.fails(unparsed(self.root))
            return known[tuple(config)]

        kept = ddmin(nodes, config_fails)
        if len(kept) == 1 and config_fails([]):
            kept = []
        for node in nodes:
            node.removed = node not in kept
        return len(kept) < len(nodes)

    def levels(self):
        """Misherghi and Su, and algorithm 4 if `coarse`."""
        changed, level = False, 0
        while nodes := self.tagged(self.root, level):
            changed |= self.minimized(nodes)
            level += 1
        return changed

    def tagged(self, node, level):
        """Returns the nodes of a level that are not removed, nor below a removed one."""
        if node.removed:
            return []
        if level == 0:
            return [node]
        return [below for child in node.children for below in self.tagged(child, level - 1)]

    def nodes(self):
        """HDDr: the children of one node are a list. The next node is the first or last one of the
        queue, and the children of a node are appended forward or backward."""
        changed = self.minimized([] if self.root.removed else [self.root])
        queue = [self.root]
        while queue:
            node = queue.pop(-1 if self.last else 0)
            if node.removed:
                continue
            changed |= self.minimized([child for child in node.children if not child.removed])
            queue += reversed(node.children) if self.backward else node.children
        return changed


def hdd(grammar, tree, fails, prepare=(), **how):
    """Returns the result and the count of configurations."""
    root = hdd_tree(tree, smallest_texts(grammar))
    for step in prepare:
        root = STEPS[step](root)
    run = Hdd(root, fails, **how)
    return run.run(), run.configurations
