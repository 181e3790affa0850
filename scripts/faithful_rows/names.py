"""How far each name of `nubbin algorithms` is verified against its publication."""
import json, subprocess

PROGRAM, PRINTED, PAPER, OWN = "authors' program", "printed program", "paper", "no publication"
MEANING = {
    PROGRAM: "The texts are those of a program that its authors publish, and of a transcription.",
    PRINTED: "The texts are those of a transcription of the printed program or pseudocode.",
    PAPER: "Written after the paper or a description. Nothing compares the texts.",
    OWN: "Made for nubbin, or an idea of the source in another form. There is nothing to compare.",
}
STATES = {
    "auto": (OWN, ""),
    "sweep": (OWN, ""),
    "adaptive": (PAPER, "its authors' programs are Hypothesis and Shrink Ray"),
    "dfs-halving": (PAPER, ""),
    "chunk-halving": (PAPER, "its authors' programs are C-Reduce and Lithium"),
    "ddmin": (PRINTED, ""),
    "ddmin-star": (PAPER, "repeats `ddmin`"),
    "ddmin-book": (PROGRAM, "the Fuzzing Book"),
    "ddmin-halving": (PRINTED, ""),
    "ddrmin": (PRINTED, "of Gopinath's article, after Zeller"),
    "probdd": (PAPER, ""),
    "cdd": (PAPER, ""),
    "weighted-ddmin": (PAPER, ""),
    "weighted-probdd": (PAPER, ""),
    "hdd": (PROGRAM, "Picireny 17.10 and 21.8"),
    "hdd-star": (PROGRAM, "Picireny 17.10 and 21.8"),
    "hddr": (PROGRAM, "Picireny 21.8, with the root first"),
    "coarse-hdd": (PROGRAM, "Picireny 17.10 and 21.8"),
    "coarse-hdd-star": (PROGRAM, "Picireny 17.10 and 21.8"),
    "perses": (PAPER, "and a description of its program"),
    "perses-article": (PRINTED, ""),
    "pardis": (PAPER, ""),
    "pardis-hybrid": (PAPER, ""),
    "gtr": (PAPER, "a description, without pseudocode"),
    "gtr-learned": (PAPER, "a description, without pseudocode"),
    "hoist": (PROGRAM, "Picireny 21.8, by itself"),
    "grabr": (PROGRAM, "the Fuzzing Book"),
    "grabr-depth": (PROGRAM, "the Fuzzing Book"),
    "grabr-all": (PROGRAM, "the Fuzzing Book"),
    "grabr-generative": (OWN, "an exercise of the Fuzzing Book"),
    "same-kind": (OWN, ""),
    "identifiers": (OWN, "after Vulcan"),
    "coupled": (OWN, ""),
    "subtrees": (OWN, ""),
    "unreachable": (OWN, ""),
    "slices": (OWN, ""),
    "stubs": (OWN, ""),
    "parameters": (OWN, ""),
    "type-parameters": (OWN, ""),
    "inline": (OWN, ""),
    "scoped-names": (OWN, ""),
    "queries": (OWN, "after SQLreduce"),
    "choices": (OWN, ""),
    "choice-ddmin": (PRINTED, ""),
    "choice-ddmin-nop": (PRINTED, "but for the guard"),
    "choice-ddmin-aligned": (OWN, ""),
}


def unlike(program):
    """Returns what the names of a program and those above have not in common."""
    ran = subprocess.run([program, "algorithms", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return sorted({one["id"] for one in json.loads(ran.stdout)} ^ set(STATES))


def unproven(rows):
    """Returns the names above that claim a comparison which no row makes. Each row is given by its
    algorithm, and by whether the program of the authors can judge it."""
    compared = {name for name, _ in rows}
    judged = {name for name, with_program in rows if with_program}
    return [name for name, (state, _) in STATES.items()
            if state == PROGRAM and name not in judged or state == PRINTED and name not in compared]


def table():
    lines = ["| name | compared with | |", "|---|---|---|"]
    return "\n".join(lines + [f"| `{name}` | {state} | {note} |" for name, (state, note) in STATES.items()])
