"""The grammars of the inputs, as in the Fuzzing Book. The first symbol is the start."""

EXPRESSIONS = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list("0123456789"),
}
URLS = {
    "<start>": ["<url>"],
    "<url>": ["<scheme>://<authority><path><query>"],
    "<scheme>": ["http", "https", "ftp", "ftps"],
    "<authority>": ["<host>", "<host>:<port>", "<userinfo>@<host>", "<userinfo>@<host>:<port>"],
    "<host>": ["cispa.saarland", "www.google.com", "fuzzingbook.com"],
    "<port>": ["80", "8080", "<nat>"],
    "<nat>": ["7<digit>"],
    "<digit>": list("0123456789"),
    "<userinfo>": ["user:password"],
    "<path>": ["", "/", "/<id>"],
    "<id>": ["abc", "def", "x<digit><digit>"],
    "<query>": ["", "?<params>"],
    "<params>": ["<param>", "<param>&<params>"],
    "<param>": ["<id>=<id>", "<id>=<digit>"],
}
LISTS = {
    "<start>": ["<list>"],
    "<list>": ["[<items>]", "{<items>}"],
    "<items>": ["<item>,<items>", "<item>"],
    "<item>": ["<list>", "<word>", "!<item>"],
    "<word>": ["a", "b", "c<word>", "d<word>"],
}
# A list that is recursive on the left, and a smallest text that is as long as another one.
LEFT_LISTS = {
    "<start>": ["<l>"],
    "<l>": ["<l>,<i>", "<i>"],
    "<i>": ["a", "bb", "[<l>]", "[]", "<n>"],
    "<n>": ["<n><d>", "<d>"],
    "<d>": ["0", "1", "2"],
}
# Replacements with fewer nodes and more bytes.
PARAMETERS = {
    "<start>": ["<q>"],
    "<q>": ["?<ps>"],
    "<ps>": ["<p>", "<p>&<ps>"],
    "<p>": ["<id>=<id>", "<id>=<n>"],
    "<id>": ["abc", "x"],
    "<n>": ["<d><d>", "<d>"],
    "<d>": ["0", "5"],
}
# Recursion across chains of rules: a call is an expression only by two rules without other parts.
CALLS = {
    "<start>": ["<expr>"],
    "<expr>": ["<call>", "<sym>"],
    "<call>": ["<callee>(<args>)"],
    "<callee>": ["<expr>"],
    "<args>": ["", "<list>"],
    "<list>": ["<expr>", "<expr>,<list>"],
    "<sym>": ["a", "b", "cd"],
}
# Recursion on both sides, statements that may be absent, and a dangling `else`.
STATEMENTS = {
    "<start>": ["<body>"],
    "<body>": ["", "<statement><body>"],
    "<statement>": ["<name>=<sum>;", "{<body>}", "if(<sum>)<statement>",
                    "if(<sum>)<statement>else <statement>"],
    "<sum>": ["<sum>+<product>", "<sum>-<product>", "<product>"],
    "<product>": ["<product>*<atom>", "<atom>"],
    "<atom>": ["<name>", "<number>", "(<sum>)", "-<atom>"],
    "<number>": ["<digit>", "<digit><number>"],
    "<digit>": list("0123"),
    "<name>": ["x", "y", "z1", "long"],
}
# Several derivations of a text: operators without precedence, adjacent parts that may both be
# empty, and two symbols for one text.
AMBIGUOUS = {
    "<start>": ["<e>"],
    "<e>": ["<e>+<e>", "<e>*<e>", "(<e>)", "<tags><v>"],
    "<tags>": ["", "<tag><tags>"],
    "<tag>": ["#<w>", "#<w><opt>", "@"],
    "<opt>": ["", "<w>"],
    "<w>": ["a", "b", "ab"],
    "<v>": ["<w>", "<n>", "<m>"],
    "<n>": ["<n><d>", "<d>"],
    "<m>": ["<d><m>", "<d>"],
    "<d>": ["0", "1"],
}
GRAMMARS = {"expressions": EXPRESSIONS, "urls": URLS, "lists": LISTS, "left-lists": LEFT_LISTS,
            "parameters": PARAMETERS, "calls": CALLS, "statements": STATEMENTS, "ambiguous": AMBIGUOUS}
# Of a text of these, nubbin is asked for the tree.
SEVERAL_TREES = {"statements", "ambiguous"}
