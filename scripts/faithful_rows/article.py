"""R. Gopinath: Delta Debugging (rahul.gopinath.org), 2019, from the printed programs."""
import heapq
from trees import is_nonterminal, preorder, text_of


def ddmin_halving(text, fails):
    """Gopinath: Delta Debugging: fragments of half the length, then of half of that."""
    start, length = 0, len(text) // 2
    while length >= 1:
        start, text = without_a_fragment(text, start, length, fails)
        if start == -1:
            start, length = 0, length // 2
        elif not text:
            return ""
    return text


def without_a_fragment(text, start, length, fails):
    for at in range(start, len(text), length):
        shorter = text[:at] + text[at + length:]
        if fails(shorter):
            return at, shorter
    return -1, text


def ddrmin(text, fails, before="", after=""):
    """Gopinath: Delta Debugging, section Recursive."""
    if len(text) == 1:
        return text
    half = len(text) // 2
    left, right = text[:half], text[half:]
    if fails(before + left + after):
        return ddrmin(left, fails, before, after)
    if fails(before + right + after):
        return ddrmin(right, fails, before, after)
    left = ddrmin(left, fails, before, right + after)
    return left + ddrmin(right, fails, before + left, after)


def perses_article(grammar, tree, fails):
    """Gopinath: Delta Debugging, section Perses. The heap compares a tree as its pair of a leaf
    count and a list, so equal counts are ordered by the lists."""
    leaves = lambda node: sum(map(leaves, node[1])) if node[1] else 1
    queue = []
    push = lambda node: heapq.heappush(queue, (leaves(node), node))
    push(tree)
    while queue:
        _, node = heapq.heappop(queue)
        instances = [inner for inner in preorder(node) if inner[0] == node[0]][1:]
        for instance in instances:
            before = list(node)
            node[:] = instance
            holds = fails(text_of(tree))
            node[:] = before
            if holds:
                node[:] = instance
                push(node)
                break
        else:
            for child in node[1]:
                if is_nonterminal(child[0]):
                    push(child)
    return text_of(tree)
