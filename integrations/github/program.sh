#!/bin/sh
# Finds the program for the action, and builds it only where there is none.
#
#   program.sh find           tells by `found` and `path` of $GITHUB_OUTPUT whether there is one
#   program.sh build FOLDER   builds it from this revision into FOLDER, which the action caches
#
# From variables of the environment:
#   NUBBIN_PROGRAM     the path of a program, or of an archive of scripts/dist; empty: nubbin in PATH
#   NUBBIN_CACHE       the folder of an earlier build, with bin/nubbin
set -eu

# Prints the path of the first program that runs.
find_program() {
  given=${NUBBIN_PROGRAM:-}
  case $given in
    '') ;;
    *.tar.gz)
      mkdir -p "$NUBBIN_CACHE/unpacked"
      tar -xzf "$given" -C "$NUBBIN_CACHE/unpacked" --strip-components=1
      given=$NUBBIN_CACHE/unpacked/nubbin
      ;;
    /*) ;;
    *) given=$PWD/$given ;;
  esac
  for path in "$given" "$(command -v nubbin || :)" "$NUBBIN_CACHE/bin/nubbin"; do
    if [ -x "$path" ] && "$path" --version >&2; then
      printf '%s\n' "$path"
      return
    fi
    # A program that was named, and does not run, is a mistake.
    if [ -n "$path" ] && [ "$path" = "$given" ]; then
      echo "the program $path does not run" >&2
      exit 1
    fi
  done
}

case $1 in
  find)
    path=$(find_program)
    if [ -n "$path" ]; then found=true; else found=false; fi
    printf 'found=%s\npath=%s\n' "$found" "${path:-$NUBBIN_CACHE/bin/nubbin}" >>"$GITHUB_OUTPUT"
    ;;
  build)
    cargo install --quiet --locked --root "$2" --path "$(dirname "$0")/../../crates/nubbin"
    ;;
  *)
    echo "program.sh find, or program.sh build FOLDER" >&2
    exit 2
    ;;
esac
