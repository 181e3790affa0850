#!/bin/sh
# Reduces a failing file in a job of continuous integration, and never fails the job.
#
# From variables of the environment:
#   NUBBIN_INPUT     the failing file or folder
#   NUBBIN_COMMAND   a line for the shell that shows the failure; {} stands for the file
#   NUBBIN_FLAGS     flags of `nubbin reduce`, as the failure condition (--same-failure)
#   NUBBIN_ALL       true: the input is a folder of files that fail each by itself (false)
#   NUBBIN_MINUTES   the budget (10)
#   NUBBIN_OUTPUT    the folder for the result, the page, and the counts (nubbin-output)
#   NUBBIN           the program (nubbin)
set -eu
output=${NUBBIN_OUTPUT:-nubbin-output}
mkdir -p "$output"
eval "set -- ${NUBBIN_FLAGS:---same-failure}"
# Each test runs in a folder of its own, where a program that is named from here would not be found.
line=$NUBBIN_COMMAND
program=${line%%[ ;|&<>()]*}
case $program in
  /*) ;;
  */*) [ ! -e "$program" ] || line="\"\$2\"/$line" ;;
esac
# The name of the file may have blanks.
command=$(printf '%s' "$line" | sed 's/{}/"$1"/g')
if [ "${NUBBIN_ALL:-false}" = true ]; then
  # The failure of each file is kept in any case.
  for flag; do
    shift
    [ "$flag" = --same-failure ] || set -- "$@" "$flag"
  done
  exec "${NUBBIN:-nubbin}" reduce-all "$NUBBIN_INPUT" --ci="${NUBBIN_MINUTES:-10}" \
    -o "$output/results" --report "$output/report.html" "$@" -- sh -c "$command" sh {} "$PWD"
fi
exec "${NUBBIN:-nubbin}" reduce "$NUBBIN_INPUT" --ci="${NUBBIN_MINUTES:-10}" \
  -o "$output/$(basename "$NUBBIN_INPUT")" --report "$output/report.html" \
  --stats "$output/stats.json" "$@" -- sh -c "$command" sh {} "$PWD"
