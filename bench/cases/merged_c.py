"""Two programs in C as one file each, not preprocessed, whose tests demand much of them.

bzip2 1.0.8 must compress and decompress, and the interpreter of Lua 5.4.7 must run some scripts. The sources are those of
the crates bzip2-sys and lua-src. Needs cargo, gcc, and bzip2.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from bench.cases.maker import make_all, put

MANIFEST = """[package]
name = "sources"
version = "0.0.0"
edition = "2021"

[dependencies]
bzip2-sys = { version = "=0.1.13", default-features = false }
lua-src = "=547.0.0"
"""
BZIP2_TEST = """#!/bin/bash
ulimit -v 2000000 -t 10
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
seq 5000 > "$folder/a"
echo hello hello hello > "$folder/b"
: > "$folder/c"
for level in -O0 -O2; do
    gcc $level -w -DBZ_UNIX=1 -D_FILE_OFFSET_BITS=64 input.c -o "$folder/bzip2" 2> /dev/null || exit 1
    (
        cd "$folder" || exit 1
        for file in a b c; do
            timeout 2 ./bzip2 -c < $file > $file.x 2> /dev/null || exit 1
            bzip2 -dc < $file.x 2> /dev/null | cmp -s - $file || exit 1
            timeout 2 ./bzip2 -d -c < $file.x 2> /dev/null | cmp -s - $file || exit 1
        done
        timeout 2 ./bzip2 -k a 2> /dev/null && [ -f a ] && cmp -s a.bz2 a.x || exit 1
        rm -f a.bz2
        timeout 2 ./bzip2 -d -c < a > /dev/null 2> error && exit 1
        grep -q 'not a bzip2 file' error
    ) || exit 1
done
"""
LUA_BEGIN = """#include "lprefix.h"
#define LUA_CORE
#define LUA_LIB
#define ltable_c
#define lvm_c
#include "luaconf.h"
#undef LUAI_FUNC
#undef LUAI_DDEC
#undef LUAI_DDEF
#undef LUA_API
#undef LUALIB_API
#undef LUAMOD_API
#define LUAI_FUNC static
#define LUAI_DDEC(def)
#define LUAI_DDEF static
#define LUA_API static
#define LUALIB_API static
#define LUAMOD_API static
"""
LUA_END = """int main(void) {
  char script[4096];
  size_t length = fread(script, 1, sizeof script - 1, stdin);
  lua_State *state = luaL_newstate();
  luaL_openlibs(state);
  script[length] = 0;
  if (luaL_dostring(state, script)) {
    puts(lua_tostring(state, -1));
    return 1;
  }
  lua_close(state);
  return 0;
}
"""
LUA_TEST = r"""#!/bin/bash
ulimit -v 2000000 -t 10
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
build() { gcc $1 -w -std=gnu99 -DLUA_USE_LINUX input.c -o "$folder/lua" -lm -ldl 2> /dev/null || exit 1; }
run() { [ "$(timeout 2 "$folder/lua" <<< "$1" 2>&1)" = "$2" ] || exit 1; }
fib='local function f(n) if n < 2 then return n end return f(n - 1) + f(n - 2) end print(f(15))'
build -O0
run 'print(1 + 2 * 3, 7 // 2, 2 ^ 10, 10 % 3)' $'7\t3\t1024.0\t1'
run 'local t = {} for i = 1, 10 do t[#t + 1] = i * i end print(#t, t[10])' $'10\t100'
run "$fib" 610
run 'local s = 0 for k, v in pairs { k = 1, ["x y"] = 2 } do s = s + v end print(s)' 3
run 'local s = "" for i = 1, 3 do s = s .. i end print(s, s == "123")' $'123\ttrue'
run 'local m = { __index = function(t, k) return k .. "!" end } print(setmetatable({}, m).hi)' 'hi!'
run 'local i = 0 while true do i = i + 1 if i > 5 then break end end print(i)' 6
run 'print(pcall(function() error("no", 0) end))' $'false\tno'
run 'local a = {} for i = 1, 20000 do a = { a } if i % 100 == 0 then a = {} end end print(type(a))' table
build -O1
run "$fib" 610
"""
BZIP2 = "blocksort huffman crctable randtable compress decompress bzlib bzip2"
LUA = ("begin lzio lctype lopcodes lmem lundump ldump lstate lgc llex lcode lparser ldebug lfunc lobject ltm lstring ltable ldo "
       "lvm lapi lauxlib lbaselib lcorolib ldblib liolib lmathlib loadlib loslib lstrlib ltablib lutf8lib linit end")
# Name, folder of the crate's sources, files, and test.
ROWS = [
    ("bzip2", "bzip2-sys/bzip2-1.0.8", BZIP2, BZIP2_TEST),
    ("lua", "lua-src/lua-5.4.7", LUA, LUA_TEST),
]
# Files that are included more than once on purpose.
TWICE = ("ljumptab.h", "lopnames.h")


def vendored(folder: pathlib.Path) -> pathlib.Path:
    """Returns the sources of the crates, and what makes one file of them."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(MANIFEST)
    subprocess.run(["cargo", "vendor", "--quiet", "vendor"], cwd=folder, check=True, capture_output=True)
    # Both files have a function of this name.
    bzip2 = folder / "vendor" / "bzip2-sys" / "bzip2-1.0.8" / "bzip2.c"
    bzip2.write_bytes(re.sub(rb"\bmyfeof\b", b"bz_myfeof", bzip2.read_bytes()))
    lua = folder / "vendor" / "lua-src" / "lua-5.4.7"
    (lua / "begin.c").write_text(LUA_BEGIN)
    (lua / "end.c").write_text(LUA_END)
    return folder / "vendor"


def lines(path: pathlib.Path, seen: set[str]) -> Iterator[str]:
    """Yields the lines of a file, with those of the files that it includes by quoted names."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        inner = path.parent / include[1] if include else None
        if not inner or not inner.exists():
            yield line
        elif inner.name in TWICE or inner.name not in seen:
            seen.add(inner.name)
            yield from lines(inner, seen)


def merged(folder: pathlib.Path, name: str, crate: str, names: str, test: str) -> int:
    """Makes a case of several files as one."""
    with tempfile.TemporaryDirectory() as scratch:
        sources = vendored(pathlib.Path(scratch)) / crate
        seen: set[str] = set()
        text = "".join(f"{line}\n" for each in names.split() for line in lines(sources / f"{each}.c", seen)).encode()
    put(folder, name, "c", text, test)
    return len(text)


def main(words: Sequence[str]) -> None:
    make_all([("merged", merged, ROWS)], words)
