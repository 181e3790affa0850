"""Measures reducers.

python3 -m bench cases                        lists the sets of cases
python3 -m bench cases SET FOLDER [FLAG...]   makes the cases of a set
python3 -m bench run FOLDER... [FLAG...] [-- FLAGS OF NUBBIN]
                                              reduces the cases of folders and prints tables
python3 -m bench table RECORD                 prints the tables of a record
python3 -m bench readme                       writes the table and the bars of the README from its record
python3 -m bench instructions FILE...         counts the instructions of modules

A case is a folder with `input.EXT` and `interesting.sh`. With `-h`, each command lists its flags.
"""

from __future__ import annotations

import sys

from bench import bars, command, instructions, record


def readme() -> None:
    text = record.README.read_text(encoding="utf-8")
    record.README.write_text(record.written_readme(text), encoding="utf-8")
    bars.PICTURE.write_text(bars.of_readme(), encoding="utf-8")


def main(words: list[str]) -> None:
    match words:
        case ["cases", *rest]:
            command.make_cases(rest)
        case ["run", *rest]:
            command.run_cases(rest)
        case ["table", path]:
            command.print_record(path)
        case ["readme"]:
            readme()
        case ["instructions", *paths]:
            instructions.main(paths)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
