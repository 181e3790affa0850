"""The rows: an algorithm of nubbin, with its flags, and the transcription of its publication."""
import collections, random, re
import article, authors, fuzzing_book, hdd, hoist, nubbin, zeller_hildebrandt
from grammars import GRAMMARS
from inputs import draw
from nubbin import Run
from report import Report
from trees import copied, text_of

# `judge` is the program of the authors, if there is one: its name, and a function like `run`.
Row = collections.namedtuple("Row", "name source run arguments grammars longest judge", defaults=[None])

ALL = list(GRAMMARS)
SQUEEZED = ("empty", "squeeze", "hide")
PREPARED = ("empty", "flatten", "squeeze", "hide")


def over_list(algorithm, source, run, judge=None):
    return Row(algorithm, source, lambda _, tree, fails: (run(text_of(tree), fails), None),
               ["--algorithm", algorithm, "--atom", "char"], ["expressions", "urls"], 70, judge)


def over_trees(algorithm, source, run, judge=None, longest=150):
    return Row(algorithm, source, run, ["--algorithm", algorithm, "--grammar", "grammar.json"], ALL, longest, judge)


def only_text(run):
    return lambda grammar, tree, fails: (run(grammar, tree, fails), None)


def hdd_row(algorithm, source, **how):
    return over_trees(algorithm, source, lambda *given: hdd.hdd(*given, **how),
                      ("Picireny", lambda *given: authors.picireny(*given, **how)))


def step_row(step, source):
    row = hdd_row("hdd", source, prepare=[step])
    return row._replace(name=f"hdd --prepare {step}", arguments=[*row.arguments, "--prepare", step])


def grabr_row(algorithm, source, **how):
    def run(grammar, tree, fails):
        return fuzzing_book.GrammarReducer(grammar, fails, **how).reduce(tree)

    def judge(grammar, tree, fails):
        return fuzzing_book.book_program(grammar, tree, fails, **how)

    row = over_trees(algorithm, source, only_text(run), ("the Fuzzing Book", only_text(judge)))
    if "try_all_combinations" not in how:
        return row
    # The ways to fill a rule with three symbols are the cube of what is found.
    return row._replace(longest=40)


HDD, COARSE, HDDR = "Misherghi, Su 2006", "Hodován and others 2017", "Kiss and others 2018"
BOOK, ARTICLE = "The Fuzzing Book, ", "Gopinath 2019, "
ROWS = [
    hdd_row("hdd", HDD),
    hdd_row("hdd-star", HDD, star=True),
    step_row("flatten", "Hodován 2019, algorithm 5"),
    step_row("squeeze", "Hodován 2019, algorithm 2"),
    step_row("hide", "Hodován 2019, algorithm 3"),
    step_row("hide-nodes", "Picireny 21.8, `skip_unremovable`"),
    hdd_row("coarse-hdd", COARSE, prepare=PREPARED, coarse=True),
    hdd_row("coarse-hdd-star", COARSE, prepare=PREPARED, coarse=True, star=True),
    hdd_row("hddr", HDDR, prepare=SQUEEZED, recursive=True),
    hdd_row("hddr:star", HDDR, prepare=SQUEEZED, recursive=True, star=True),
    hdd_row("hddr:dfs", HDDR, prepare=SQUEEZED, recursive=True, last=True, backward=True),
    hdd_row("hddr:backward", HDDR, prepare=SQUEEZED, recursive=True, backward=True),
    hdd_row("hddr:dfs,backward", HDDR, prepare=SQUEEZED, recursive=True, last=True),
    over_trees("hoist", "Vince and others 2021", only_text(hoist.hoist),
               ("Picireny", only_text(authors.picireny_hoist))),
    over_list("ddmin", "Zeller, Hildebrandt 2002", zeller_hildebrandt.ddmin),
    over_list("ddmin-book", BOOK + "`DeltaDebuggingReducer`", fuzzing_book.ddmin_book,
              ("the Fuzzing Book", only_text(fuzzing_book.book_program_of_ddmin))),
    over_list("ddmin-halving", ARTICLE + "`ddmin`", article.ddmin_halving),
    over_list("ddrmin", ARTICLE + "`ddrmin`", article.ddrmin),
    over_trees("perses-article", ARTICLE + "`perses_delta_debug`", only_text(article.perses_article)),
    grabr_row("grabr", BOOK + "`GrammarReducer`"),
    grabr_row("grabr-depth", BOOK + "`reduce_tree` by depth", by_depth=True),
    grabr_row("grabr-all", BOOK + "`try_all_combinations`", by_depth=True, try_all_combinations=True),
    grabr_row("grabr:all", BOOK + "`try_all_combinations`", try_all_combinations=True),
]


def reference(run, given):
    """Runs a transcription, or the program of its authors, and notes each text once."""
    log, known = [], {}

    def fails(text):
        if text not in known:
            known[text] = re.search(given.regex, text) is not None
            if text != given.text:
                log.append(text)
        return known[text]

    result, configurations = run(given.grammar, copied(given.tree), fails)
    return Run(log, result, configurations)


def compared(row, other, program, inputs, seed, folder):
    """Compares a row with nubbin (`other` is `None`), or with the program of its authors."""
    rng, report = random.Random(f"{seed} {row.name}"), Report()
    for number in range(inputs):
        given = draw(program, row.grammars, number, rng, folder, row.longest)
        theirs = reference(row.run, given)
        own = reference(other, given) if other else nubbin.reduced(program, row.arguments, given, folder)
        report.add(given.text, f"/{given.regex}/ ({given.grammar_name})", theirs, own)
    return report
