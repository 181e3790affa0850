# Runs a test on each of the folders 0, 1, ... of this one, and writes its end to `result` in it:
# `nubbin HOW CODE LENGTH`, then standard output of this length, then standard error. HOW is `code`,
# `signal`, `time` (the time limit), or `output` (the limit on output). Ends with 0 whatever the
# tests say: any other end means that a test could not be run.
here=$PWD
root=${here%/nubbin}
export root
count=$1
ulimit -c 0 2>/dev/null

now() {
  if read -r up _ 2>/dev/null </proc/uptime; then
    up=${up%.*}${up#*.}
  else
    up=$(date +%s)00
  fi
}

# Ends a test that prints more than its limit, which could fill the disk of the worker. The tests of
# an action have one watch, since one for each would cost more than a short test. It ends with this
# script, however that ends.
watch() {
  while { sleep 0.2 2>/dev/null || sleep 1; } && kill -0 $$; do
    while read -r a b c; do at=$here/$a child=$b most=$c; done <"$here/running"
    for stream in "$at/out" "$at/err"; do
      [ -s "$stream" ] || continue
      size=$(wc -c <"$stream") || continue
      [ "$size" -le "$most" ] || kill -9 "-$child"
    done
  done
}

command -v timeout >/dev/null || { echo 'there is no `timeout`' >&2; exit 70; }
# The number, the process, and the limit of the test that runs, in the last line.
exec 7>"$here/running" || exit 72
watch </dev/null >/dev/null 2>&1 7>&- &
watcher=$!
trap 'kill "$watcher" 2>/dev/null' EXIT
now
begin=$up
nth=0
while [ "$nth" -lt "$count" ]; do
  at=$here/$nth
  cd "$at/work" || exit 71
  input=/dev/null out=/dev/null err=/dev/null
  TMPDIR=$at/tmp
  export TMPDIR
  : >"$at/shell" || exit 72
  . "$here/test.sh"
  # The candidate may lack the file that is its standard input.
  [ -e "$input" ] || input=/dev/null
  # A failure to open them would look like the exit code of the test.
  : >"$out" || exit 72
  : >"$err" || exit 72
  now
  start=$up
  # The shell tells of a signal on its own standard error, which tells it from an exit code.
  { timeout -s KILL "$limit" "$@" <"$input" >"$out" 2>"$err" 7>&- 8>&- & child=$!; echo "$nth $child $most" 2>/dev/null >&7; wait "$child"; } 2>"$at/shell"
  code=$?
  kill -9 "-$child" 2>/dev/null
  now
  how=code length=0
  if [ "$code" -gt 128 ] && [ -s "$at/shell" ]; then
    how=signal
    code=$((code - 128))
  fi
  if [ "$code" -eq 9 ] || [ "$code" -eq 137 ] || [ "$code" -eq 124 ]; then
    # In hundredths of a second; the clock of the limit begins a little later than this one.
    [ $((up - start)) -ge $((hundredths - 2)) ] && how=time
  fi
  # The test may have failed since the disk is full.
  printf '%8192s' '' >"$at/room" || exit 74
  : >"$at/room"
  for stream in "$out" "$err"; do
    # An empty one, as most are, costs no process.
    [ -s "$stream" ] || continue
    size=$(wc -c <"$stream") || exit 73
    [ "$size" -gt "$most" ] && how=output
    [ "$stream" = "$out" ] && length=$((size))
  done
  if [ "$how" = output ]; then
    length=0 out=/dev/null err=/dev/null
  fi
  if [ -s "$out" ] || [ -s "$err" ]; then
    { echo "nubbin $how $code $length" && cat "$out" "$err"; } >"$at/result" || exit 74
  else
    echo "nubbin $how $code $length" >"$at/result" || exit 74
  fi
  nth=$((nth + 1))
  # The rest is for another action, so that a test that hangs does not hold up all others.
  [ $((up - begin)) -ge $((budget * 100)) ] && exit 0
done
exit 0
