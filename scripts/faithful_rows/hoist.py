"""D. Vince, R. Hodován, D. Bársony, Á. Kiss: Extending Hierarchical Delta Debugging with Hoisting,
AST 2021: the search for a mapping, on the nodes of each level. nubbin runs it by itself.

The paper was not at hand; the rules are those of Picireny, the program of its authors.
"""
from hdd import Hdd, hdd_tree, smallest_texts, unparsed


def hoistables(node):
    """Returns the nearest nodes of the same name below a node, one on each path."""
    found = []

    def collect(below):
        if below.name == node.name:
            found.append(below)
        else:
            for child in below.children:
                collect(child)

    for child in node.children:
        collect(child)
    return found


def hoist(grammar, tree, fails):
    root = hdd_tree(tree, smallest_texts(grammar))
    # A node stands where the first of its places is, so that a replaced root is one as well.
    top = type(root)("", None, children=[root])
    level = 0
    while nodes := Hdd(top, fails).tagged(top, level + 1):
        if not hoisted(top, nodes, fails):
            level += 1
    return unparsed(top)


def hoisted(top, nodes, fails):
    """Replaces one node, if any can be replaced: then the level begins again."""
    for node in nodes:
        parent = parent_of(top, node)
        at = parent.children.index(node)
        for below in hoistables(node):
            parent.children[at] = below
            if fails(unparsed(top)):
                return True
            parent.children[at] = node
    return False


def parent_of(tree, node):
    if node in tree.children:
        return tree
    return next(filter(None, (parent_of(child, node) for child in tree.children)), None)
