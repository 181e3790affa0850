"""Runs Picireny 21.8, the program of the authors of Coarse HDD, HDDr, and hoisting (`pip install
picireny`), on the trees and with the smallest texts of the transcriptions.

Its own list algorithm goes on after a success where it was; the published `ddmin` takes its place.
Picireny 21.8 also hides rules that are as small as they can be (`hide-nodes`). For `hide`, its
function is called for tokens only, as in the thesis and in Picireny 17.10.
"""
from hdd import ddmin, hdd_tree, smallest_texts


def converted(node):
    from picireny.hdd_tree import HDDRule, HDDToken, Position
    begin = Position()
    if node.is_token():
        return HDDToken(node.name, node.text, start=begin, end=begin, replace=node.smallest)
    rule = HDDRule(node.name, start=begin, end=begin, replace=node.smallest)
    rule.add_children(map(converted, node.children))
    return rule


def hide_tokens(node):
    from picireny import transform
    for child in getattr(node, "children", []):
        hide_tokens(child)
    return node if hasattr(node, "children") else transform.skip_unremovable(node, unparse_with_whitespace=False)


def prepared(grammar, tree, steps):
    from picireny import transform
    functions = {"empty": transform.remove_empty_nodes, "flatten": transform.flatten_recursion,
                 "squeeze": transform.squeeze_tree, "hide": hide_tokens,
                 "hide-nodes": lambda root: transform.skip_unremovable(root, unparse_with_whitespace=False)}
    root = converted(hdd_tree(tree, smallest_texts(grammar)))
    for step in steps:
        root = functions[step](root)
    return root


class Tester:
    """A test, as `hddmin` makes one for each list. It counts the configurations as well."""

    def __init__(self, test_builder, fails, counts):
        self.builder, self.fails, self.counts = test_builder, fails, counts

    def __call__(self, config, config_id):
        from picire import Outcome
        self.counts.append(config_id)
        return Outcome.FAIL if self.fails(self.builder(config)) else Outcome.PASS


def list_algorithm(test, *, cache, id_prefix, **_):
    """`ddmin` in the place of picire's class. `hddmin` clears the cache for each list."""
    from picire import Outcome

    def fails(config):
        known = cache.lookup(config)
        if known is None:
            known = test(config, ())
            cache.add(config, known)
        return known is Outcome.FAIL

    return lambda config: ddmin(config, fails)


def common(fails, counts):
    from picire import ConfigCache
    return {"reduce_class": list_algorithm, "reduce_config": {}, "tester_class": Tester,
            "tester_config": {"fails": fails, "counts": counts}, "cache": ConfigCache(),
            "unparse_with_whitespace": False}


def picireny(grammar, tree, fails, prepare=(), coarse=False, recursive=False, star=False, last=False,
             backward=False):
    from picireny import filter as filters, hdd, hddr
    root, counts = prepared(grammar, tree, prepare), []
    options = {**common(fails, counts), "hdd_star": star,
               "config_filter": filters.coarse_filter if coarse else None}
    if not recursive:
        root = hdd.hddmin(root, **options)
    else:
        # nubbin has the root as a list of its own, first.
        root = with_parent(root)
        root = hddr.hddrmin(root, **options, pop_first=not last, append_reversed=backward)
    return root.unparse(with_whitespace=False), len(counts)


def with_parent(root):
    from picireny.hdd_tree import HDDRule
    parent = HDDRule("", start=root.start, end=root.end, replace="")
    parent.add_child(root)
    return parent


def picireny_hoist(grammar, tree, fails):
    from picireny import hdd, hoist
    # The root can be replaced only below a node, as Picireny's trees have one for the file.
    root = with_parent(prepared(grammar, tree, ()))
    root = hdd.hddmin(root, **common(fails, []), transformations=[hoist.hoist], hdd_star=False)
    return root.unparse(with_whitespace=False)
