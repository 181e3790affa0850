"""A. Zeller, R. Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 28(2), 2002."""


def ddmin(text, fails):
    """Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 2002, section 3:
    subsets, complements, then twice as many parts. Parts as in Zeller's printed program."""
    n = 2
    while len(text) >= 2:
        split, start = [], 0
        for i in range(n):
            end = start + (len(text) - start) // (n - i)
            split.append((start, end))
            start = end
        for start, end in split:
            if fails(text[start:end]):
                text, n = text[start:end], 2
                break
        else:
            for start, end in split:
                if fails(text[:start] + text[end:]):
                    text, n = text[:start] + text[end:], max(n - 1, 2)
                    break
            else:
                if n >= len(text):
                    break
                n = min(len(text), 2 * n)
    return text
