"""Prints the value of sums, products, and quotients, with two bugs."""
import sys


def value(text):
    assert text != "()", "nothing in parentheses"
    if text.startswith("(") and text.endswith(")"):
        return value(text[1:-1])
    for operator in "+*/":
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if char == operator and depth == 0:
                left, right = value(text[:at]), value(text[at + 1 :])
                if operator == "/":
                    return left // right
                return left + right if operator == "+" else left * right
    return int(text) if text.isdigit() else sys.exit("this is no number")


print(value(open(sys.argv[1]).read().strip()))
