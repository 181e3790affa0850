"""The outcome of one row: how many inputs, how many tests, and which inputs have a difference."""
import collections

Difference = collections.namedtuple("Difference", "text what theirs own")


class Report:
    def __init__(self):
        self.inputs = self.tests = self.counted = 0
        self.differences, self.counts = [], []

    def add(self, text, what, theirs, own):
        """Compares two runs on a text, and their counts of configurations by themselves."""
        self.inputs += 1
        self.tests += len(theirs.texts)
        if theirs.texts != own.texts or theirs.result != own.result:
            self.differences.append(Difference(text, what, theirs, own))
        elif theirs.configurations is not None:
            self.counted += 1
            if theirs.configurations != own.configurations:
                self.counts.append(Difference(text, what, theirs, own))

    def other_results(self):
        return sum(one.theirs.result != one.own.result for one in self.differences)


def shortest(differences):
    return min(differences, key=lambda one: (len(one.text), len(one.theirs.texts)))


def told(name, one):
    """Describes a difference: the texts around the first one that is different, and the results."""
    theirs, own = one.theirs.texts, one.own.texts
    pairs = zip(theirs, own)
    at = next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(theirs), len(own)))
    show = lambda log: "\n".join(f"    {text!r}" for text in log[max(0, at - 2):at + 4])
    return (f"{name} differs on {one.text!r}, which fails for {one.what}, at test {at + 1} of {len(theirs)} and "
            f"{len(own)}\n  publication:\n{show(theirs)}\n  nubbin:\n{show(own)}\n"
            f"  results: {one.theirs.result!r} {one.own.result!r}")
