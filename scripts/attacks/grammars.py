"""Hostile grammars: each is checked and parses ten bytes within 2 GiB and 30 seconds, or is refused in words."""
import json
import stage

MEMORY = 2 << 30
LIMIT = 30


def bnf(rules):
    return "\n".join(f"<{name}> ::= {' | '.join(body)}" for name, body in rules) + "\n"


def hostile():
    """Returns grammars by their names, as text and extension."""
    for size in (10, 60, 200):
        rules = [("start", ["<r0>"])] + [(f"r{n}", [f"<r{(n + 1) % size}> <r{(n + 7) % size}>", f"<r{(n + 3) % size}>", '""', '"a"']) for n in range(size)]
        yield f"ambiguous {size}", bnf(rules), "bnf"
        yield f"all pairs {size}", bnf([("start", ["<e>"]), ("e", ["<e> <e>"] * min(size, 60) + ['"a"', '""'])]), "bnf"
        yield f"unit circle {size}", bnf([("start", ["<u0>"])] + [(f"u{n}", [f"<u{(n + 1) % size}>", '"a"']) for n in range(size)]), "bnf"
        yield f"empty chain {size}", bnf([("start", ["<n0>"])] + [(f"n{n}", [f"<n{min(n + 1, size - 1)}> <n{min(n + 1, size - 1)}>", '""', '"a"']) for n in range(size)]), "bnf"
        yield f"doubling {size}", bnf([("start", ["<d0>"])] + [(f"d{n}", [f"<d{n + 1}> <d{n + 1}>"]) for n in range(size)] + [(f"d{size}", ['"a"', '""'])]), "bnf"
    for size in (1_000, 10_000):
        yield f"rules {size}", bnf([("start", ["<r0>"])] + [(f"r{n}", [f'"{n}" <r{(n + 1) % size}>', '"a"']) for n in range(size)]), "bnf"
        yield f"alternatives {size}", bnf([("start", [f'"w{n}"' for n in range(size)])]), "bnf"
        yield f"sequence {size}", bnf([("start", [" ".join(['"a"'] * size)])]), "bnf"
        yield f"nesting {size}", "start = " + "(" * size + "'a'" + ")" * size + " ;\n", "ebnf"
        yield f"optional nesting {size}", "start = " + "[" * size + "'a'" + "]" * size + " ;\n", "ebnf"
        yield f"repeated nesting {size}", "start = " + "{" * size + "'a'" + "}" * size + " ;\n", "ebnf"
        yield f"undefined {size}", bnf([("start", [f"<x{n}>" for n in range(size)])]), "bnf"
        yield f"unreachable {size}", bnf([("start", ['"a"'])] + [(f"x{n}", [f"<x{n}>"]) for n in range(size)]), "bnf"
        yield f"long name {size}", bnf([("start", [f"<{'n' * size}>"]), ("n" * size, ['"a"'])]), "bnf"
        yield f"ANTLR rules {size}", "grammar G;\n" + "\n".join(f"r{n} : 'k{n}' r{(n + 1) % size} | ;" for n in range(size)), "g4"
        yield f"ANTLR tokens {size}", "grammar G;\nstart : T0 ;\n" + "\n".join(f"T{n} : 'k{n}' [a-z]* ;" for n in range(size)), "g4"
        yield f"ANTLR nesting {size}", "grammar G;\nstart : " + "(" * size + "'a'" + ")?" * size + " ;\n", "g4"
        yield f"ANTLR left {size}", "grammar G;\nstart : e ;\ne : " + " | ".join(f"e '{n}' e" for n in range(size // 10)) + " | 'a' ;\n", "g4"
        yield f"book {size}", json.dumps({"<start>": ["<a0>"], **{f"<a{n}>": [f"<a{(n + 1) % size}>x", "a"] for n in range(size)}}), "json"
        yield f"JSON nesting {size}", "[" * size + "]" * size, "json"
    for size in (100_000, 3_000_000):
        yield f"literal {size}", bnf([("start", ['"' + "a" * size + '"', '"b"'])]), "bnf"
        yield f"class {size}", "grammar G;\nstart : T ;\nT : [" + "".join(chr(0x4E00 + n % 20000) for n in range(size // 100)) + "]+ ;\n", "g4"
    for text in ["\\u{110000}", "\\u{D800}", "\\uFFFF", "\\x", "\\", "\\u{", "[z-a]", "[]", "~[]", "[\\p{Lu}]", "[\\p{No such}]", "'", "''", "\"", "{", "<", "(?i)"]:
        yield f"ANTLR text {text}", f"grammar G;\nstart : T ;\nT : {text} ;\n", "g4"
        yield f"BNF text {text}", f"<start> ::= {text}\n", "bnf"
        yield f"EBNF text {text}", f"start = {text} ;\n", "ebnf"
        yield f"W3C text {text}", f"start ::= #x110000 | {text}\n", "ebnf"
        yield f"book text {text}", json.dumps({"<start>": [text, "<start>" + text]}), "json"
    for name, text in {"no bytes": "", "only a name": "<start>", "bytes": "\0\1\2\xff", "an end": "<start> ::=", "two": "<a> ::= <a>\n<a> ::= <b>\n",
                       "import": "grammar G;\nimport G;\nstart : 'a' ;\n", "mode": "lexer grammar G;\nmode A; mode A; T : 'a' -> pushMode(B), popMode, more, skip, channel(9) ;\n",
                       "star of empty": "grammar G;\nstart : (('a'?)*)* ;\n", "plus of empty": "grammar G;\nT : (''*)+ ;\nstart : T ;\n", "itself": "<start> ::= <start>\n",
                       "only a circle": "<start> ::= <a>\n<a> ::= <start>\n"}.items():
        for extension in ("bnf", "ebnf", "g4", "json"):
            yield f"{name} as {extension}", text, extension


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    (base / "in.txt").write_text("aaaaaaaaaa")
    for number, (name, text, extension) in enumerate(hostile()):
        path = base / f"g{number}.{extension}"
        path.write_text(text, encoding="utf-8")
        for words in (["grammar", "check", path], ["grammar", "parse", "-g", path, "in.txt"], ["generate", "grammar", "-g", path, "-n", "2"],
                      ["reduce", "in.txt", "-f", "--fresh", "--no-config", "-g", path, "--max-tests", "5", "--", "true", "{}"]):
            code, out = stage.run([program, *words], base, env, LIMIT, MEMORY)
            what = stage.is_wrong(code, out)
            if not what and "memory allocation of" in out:
                what = "it runs out of memory"
            yield (f"{words[0]} {words[1] if words[0] != 'reduce' else ''}".strip(), f"{name}: {words[0]}", what)
