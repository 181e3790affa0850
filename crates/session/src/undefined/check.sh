# Ends with exit code 0 if the sources in the arguments have no undefined behavior that the compiler
# and its sanitizers see. Set before: cc, cxx (the compilers), kind (gcc or clang), and extra (flags
# of the user).
ran=
for f; do shift; [ -f "$f" ] && set -- "$@" "$f"; done
[ $# -gt 0 ] || exit 0
d=$(mktemp -d) || exit 125
trap 'rm -rf "$d"' EXIT
link=$cc
for f; do case $f in *.c|*.i) ;; *) link=$cxx ;; esac; done
# objects DIR FLAGS...: compiles all sources.
sources=$#
all() { for f in "$@"; do printf '%s\n' "$f"; done; }
all "$@" > "$d/sources"
objects() {
    to=$d/$1; shift; mkdir -p "$to"; n=0
    while IFS= read -r f; do
        n=$((n + 1))
        case $f in *.c|*.i) c=$cc; own=$only_c ;; *) c=$cxx; own= ;; esac
        # shellcheck disable=SC2086
        "$c" "$@" $own $extra -c "$f" -o "$to/$n.o" </dev/null 2>> "$to/said" || return 1
    done < "$d/sources"
}
no() { echo "$1" >&2; exit 1; }
first() { grep -m 1 -E 'error:|runtime error:|Sanitizer' "$1" || head -n 1 "$1"; }

# 1. Warnings about undefined behavior are errors.
only_c='-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion
 -Werror=incompatible-pointer-types'
common='-Werror=uninitialized -Werror=return-type -Werror=format -Werror=array-bounds
 -Werror=int-to-pointer-cast -Werror=shift-count-overflow -Werror=shift-count-negative
 -Werror=nonnull'
case $kind in
    gcc) more='-Werror=maybe-uninitialized -Werror=return-local-addr -Werror=div-by-zero
 -Werror=sequence-point -Werror=aggressive-loop-optimizations -Werror=builtin-declaration-mismatch' ;;
    *) more='-Wno-unknown-warning-option -Werror=sometimes-uninitialized
 -Werror=conditional-uninitialized -Werror=return-stack-address -Werror=division-by-zero
 -Werror=unsequenced -Werror=incompatible-library-redeclaration' ;;
esac
# shellcheck disable=SC2086
objects warned -O2 -Wall $common $more || no "$(first "$d/warned/said")"
only_c=

# program NAME FLAGS...: builds a program; fails if the sources are none by themselves.
program() {
    name=$1; shift
    objects "$name" -w "$@" || return 1
    "$link" "$@" "$d/$name"/*.o -o "$d/$name/program" -lm </dev/null 2>> "$d/$name/said"
}
# run NAME: runs a program without input, and keeps what it prints.
run() {
    export ASAN_OPTIONS=exitcode=86:detect_leaks=0:detect_stack_use_after_return=1
    export UBSAN_OPTIONS=exitcode=86:halt_on_error=1 MSAN_OPTIONS=exitcode=86
    "$d/$1/program" </dev/null > "$d/$1/out" 2> "$d/$1/err"
    code=$?
    echo "$code" > "$d/$1/code"
    [ $code -ne 86 ] && ! grep -qE ': runtime error: |ERROR: [A-Za-z]+Sanitizer' "$d/$1/err"
}

# 2. Sanitizers, without optimizations, which may be what is wrong.
if program clean -O0; then
    if program sane -O0 -g -fsanitize=undefined,address -fno-sanitize-recover=all; then
        run sane || no "$(first "$d/sane/err")"
        ran=sanitizers
    else
        echo 'without sanitizers'
    fi
    # A value that is passed on, as to printf, counts as used; before clang 14 it does not.
    memory='-O0 -g -fsanitize=memory -fno-sanitize-recover=all'
    # shellcheck disable=SC2086
    if [ "$kind" = clang ] && [ "$link" = "$cc" ] &&
        { program memory $memory -fsanitize-memory-param-retval || program memory $memory; }; then
        run memory || no "$(first "$d/memory/err")"
    fi
    # 3. What is printed does not depend on variables that were not set.
    # Before clang 16, zeros have to be asked for twice.
    zero=-ftrivial-auto-var-init=zero
    twice=-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang
    if { program zero -O0 $zero || { [ "$kind" = clang ] && program zero -O0 $zero $twice; }; } &&
        program pattern -O0 -ftrivial-auto-var-init=pattern; then
        run zero; run pattern
        cmp -s "$d/zero/out" "$d/pattern/out" && cmp -s "$d/zero/code" "$d/pattern/code" ||
            no 'the output depends on a variable that was not initialized'
    fi
fi
[ -n "$ran" ] && echo "ran with $ran"
exit 0
