#!/bin/bash
set -euo pipefail
export A=1 B="x $A ${C:-d} $(date +%s)" D='raw'
declare -a list=(1 2 "three four")
f() { local x=${1#pre}; [[ $x == a* && -n $x ]] || return 1; }
function g { echo "$@" >&2; }
if [ -f "$A" ]; then f; elif test -d x; then :; else g 1 2; fi
for i in a b "$c"; do echo $i | tr a b > /dev/null 2>&1; done
for ((i = 0; i < 3; i++)); do continue; done
while read -r line; do break; done < file
case "$A" in a|b) f ;; *) exit 1 ;; esac
cat <<EOF
text $A
EOF
x=$((1 + 2 * A)) && (cd /tmp; ls) & wait
echo ${list[@]} `pwd` $'a\n' {1..3} # comment
