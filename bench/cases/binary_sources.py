"""Programs, and makers of files, for the cases of binary formats."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import pathlib
import pickle
import plistlib
import re
import sqlite3
import struct
import subprocess
import sysconfig
import tarfile
import tempfile
import wave
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

PYTHON = pathlib.Path(sysconfig.get_path("stdlib"))

Source = Callable[[], bytes]

C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char name[32]; int uses; struct entry *next; };
static struct entry *table[64];
static const char *const words[] = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"};
double weights[40] = {1.5, 2.25, 3.125};
static unsigned hash(const char *text) {
    unsigned value = 5381;
    while (*text) value = value * 33u ^ (unsigned char)*text++;
    return value % 64u;
}
struct entry *find(const char *name) {
    for (struct entry *at = table[hash(name)]; at; at = at->next)
        if (!strcmp(at->name, name)) { at->uses++; return at; }
    return 0;
}
struct entry *add(const char *name) {
    struct entry *made = find(name);
    if (made) return made;
    made = calloc(1, sizeof *made);
    strncpy(made->name, name, sizeof made->name - 1);
    unsigned at = hash(name);
    made->next = table[at];
    return table[at] = made;
}
int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
double mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t at = 0; at < count; at++) sum += values[at];
    return count ? sum / (double)count : 0;
}
static int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
int choose(int kind, int value) {
    switch (kind) {
        case 0: return value; case 1: return -value; case 2: return value * value; case 3: return value / 3;
        case 4: return depth(value); case 5: return value << 3; case 6: return value % 7; default: return 0;
    }
}
int main(int argc, char **argv) {
    for (size_t at = 0; at < sizeof words / sizeof *words; at++) add(words[at]);
    qsort(argv, (size_t)argc, sizeof *argv, compare);
    for (int at = 0; at < argc; at++) printf("%s %d\\n", argv[at], choose(at, argc));
    printf("%f %p\\n", mean(weights, 40), (void *)find(argv[0]));
    return argc / 7;
}
"""
BARE = """
typedef __SIZE_TYPE__ size_t;
int printf(const char *, ...);
void *calloc(size_t, size_t);
int strcmp(const char *, const char *);
""" + "\n".join(line for line in C.replace("strncpy(made->name, name, sizeof made->name - 1);", "").splitlines()
                if not line.startswith("#") and "qsort" not in line)
LUA = """
local Stack = {}
Stack.__index = Stack
function Stack.new() return setmetatable({items = {}, size = 0}, Stack) end
function Stack:push(...) for _, item in ipairs({...}) do self.size = self.size + 1; self.items[self.size] = item end end
function Stack:pop() local item = self.items[self.size]; self.items[self.size] = nil; self.size = self.size - 1; return item end
local function count(text)
  local words = {}
  for word in text:gmatch("%a+") do words[word:lower()] = (words[word:lower()] or 0) + 1 end
  return words
end
local function sorted(words)
  local names = {}
  for name in pairs(words) do names[#names + 1] = name end
  table.sort(names, function(a, b) return words[a] > words[b] or words[a] == words[b] and a < b end)
  return names
end
local function primes(limit)
  local sieve, found = {}, {}
  for n = 2, limit do
    if not sieve[n] then
      found[#found + 1] = n
      for m = n * n, limit, n do sieve[m] = true end
    end
  end
  return found
end
local function rotate(value, by) return (value << by | value >> (32 - by)) & 0xffffffff end
local function mix(text)
  local state = 0x811c9dc5
  for at = 1, #text do state = rotate(state ~ text:byte(at), 7) * 16777619 & 0xffffffff end
  return state
end
local stack = Stack.new()
stack:push(1, "two", 3.5, {4}, nil, false)
goto done
print("never")
::done::
for _, name in ipairs(sorted(count("the quick brown fox jumps over the lazy dog and the cat"))) do
  io.write(name, "=", mix(name), "\\n")
end
local closed <close> = setmetatable({}, {__close = function() print(#primes(100) // 2, -stack.size, not stack) end})
return primes, rotate, mix
"""
JAVA = """
import java.util.*;
public class Case {
    enum Kind { ONE, TWO, THREE, FOUR }
    private final Map<String, List<Integer>> places = new TreeMap<>();
    static final long SEED = 0x5DEECE66DL; static final double RATIO = 1.618033988;
    synchronized int add(String name, int place) {
        places.computeIfAbsent(name, key -> new ArrayList<>()).add(place);
        try { return Integer.parseInt(name); } catch (NumberFormatException e) { return -1; } finally { notifyAll(); }
    }
    static int choose(Kind kind, int value) {
        switch (kind) { case ONE: return value; case TWO: return -value; case THREE: return value * 3; default: return 0; }
    }
    static String name(String text) {
        switch (text) { case "alpha": return "beta"; case "gamma": return "delta"; default: return text + text.length(); }
    }
    long mix(long[] values) {
        long state = SEED;
        for (long value : values) { state ^= value << 13; state ^= state >>> 7; state *= 31; }
        return state;
    }
    public static void main(String[] args) {
        Case made = new Case();
        for (int at = 0; at < args.length; at++) made.add(args[at], at);
        made.places.forEach((key, value) -> System.out.println(key + "=" + value + name(key)));
        System.out.printf("%d %f%n", made.mix(new long[] {1, 2, 3}), RATIO * choose(Kind.valueOf(args[0]), 7));
        Object object = args; if (object instanceof String[] texts && texts.length > 2) throw new IllegalStateException();
    }
}
"""

RUST = """
#![crate_type = "lib"]
#![no_std]
pub struct Words<'a> { places: &'a mut [(&'a str, usize)] }
pub enum Shape { Round(f64), Square { side: f64 }, None }
impl<'a> Words<'a> {
    pub fn add(&mut self, word: &str, place: usize) -> usize {
        let mut count = 0; for entry in self.places.iter_mut() { if entry.0 == word { entry.1 = place; count += 1; } } count }
    pub fn longest(&self) -> Option<&str> { self.places.iter().map(|entry| entry.0).max_by_key(|key| key.len()) }
}
#[no_mangle] pub fn area(shape: &Shape) -> f64 { match shape { Shape::Round(r) => r * r * 3.14, Shape::Square { side } => side * side, Shape::None => 0.0 } }
"""
RECORD = """
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;
public class Case2<T extends Comparable<T>> {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { String value() default "x"; int[] numbers() default {}; Kind kind() default Kind.ONE; }
    enum Kind { ONE, TWO }
    record Point(@Mark("px") int x, long y) { Point { if (x < 0) throw new IllegalArgumentException("x" + x); } }
    sealed interface Shape permits Round, Square {}
    record Round(double r) implements Shape {}
    record Square(double s) implements Shape {}
    @Mark(value = "field", numbers = {1, 2, 3}) private final List<T> items = new ArrayList<>();
    @Deprecated <R> List<R> map(Function<? super T, ? extends R> with, @Mark("given") int limit) throws java.io.IOException {
        List<R> out = new ArrayList<>(); for (T item : items) { if (out.size() < limit) out.add(with.apply(item)); } return out; }
    Supplier<String> later(String name, int count) { return () -> name + ":" + count + items.size(); }
    static int area(Object shape) { if (shape instanceof Round round && round.r() > 1) return (int) round.r(); return 0; }
    BinaryOperator<Integer> sum = Integer::sum; Comparator<T> order = Comparator.<T>naturalOrder().reversed();
    String text = \"\"\"
        a block
        of text\"\"\";
    static synchronized strictfp void run(String... args) { new Thread(() -> System.out.println(args.length)).start(); }
}
"""



def command(line: str, name: str, text: str, result: str) -> Source:
    """The file that a command makes of a text in a folder of its own."""
    def make() -> bytes:
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / name).write_text(text, encoding="utf-8")
            subprocess.run(["bash", "-ec", line], cwd=scratch, check=True, capture_output=True)
            return (pathlib.Path(scratch) / result).read_bytes()
    return make


def samples(low: int, high: int, count: int, pattern: str = "*.py") -> list[pathlib.Path]:
    """Some files of the standard library, by a hash of their names."""
    found = [path for path in PYTHON.glob(pattern) if low <= path.stat().st_size <= high]
    found.sort(key=lambda path: hashlib.sha256(path.name.encode()).digest())
    return found[:count]


def png(width: int = 96, height: int = 80, keys: Sequence[str] = ("Title", "Comment", "Software", "Author")) -> bytes:
    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    rows = []
    for y in range(height):
        row = b"".join(bytes(((x * y) & 255, (x * 3 + y * 5) & 255, (x ^ y) * 7 & 255)) for x in range(width))
        rows.append(b"\0" + row)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1))
            + b"".join(chunk(b"tEXt", key.encode() + b"\0" + key.encode() * 40) for key in keys)
            + chunk(b"tIME", struct.pack(">HBBBBB", 2024, 2, 29, 12, 30, 59))
            + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for nth, path in enumerate(samples(1_000, 12_000, 9)):
            info = zipfile.ZipInfo(f"lib/{path.name}", (2024, 1, 2, 3, 4, 6))
            info.compress_type = zipfile.ZIP_DEFLATED if nth % 3 else zipfile.ZIP_STORED
            made.writestr(info, path.read_bytes()[:9_000])
        made.comment = b"an archive of samples"
    return out.getvalue()


def tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for path in samples(1_000, 8_000, 7):
            info = tarfile.TarInfo(f"lib/{path.name}")
            info.size, info.mtime, info.mode = path.stat().st_size, 1_700_000_000, 0o644
            made.addfile(info, io.BytesIO(path.read_bytes()))
        link = tarfile.TarInfo("lib/link")
        link.type, link.linkname = tarfile.SYMTYPE, "other"
        made.addfile(link)
    return out.getvalue()


def checksum(data: bytes) -> int:
    data += b"\0" * (len(data) % 2)
    total: int = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def piped(line: str) -> Source:
    """A text that a program has compressed."""
    def make() -> bytes:
        text = samples(30_000, 60_000, 1)[0].read_bytes()
        return subprocess.run(line.split(), input=text, capture_output=True, check=True).stdout
    return make


def capture() -> bytes:
    """Frames of Ethernet with UDP and TCP in IPv4: questions to a name server, and a page over HTTP."""
    out = [struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)]

    def packet(seconds: int, protocol: int, source: int, target: int, payload: bytes) -> None:
        addresses = bytes((10, 0, 0, source)) + bytes((10, 0, 0, target))
        pseudo = addresses + struct.pack(">BBH", 0, protocol, len(payload))
        at = 6 if protocol == 17 else 16
        payload = payload[:at] + struct.pack(">H", checksum(pseudo + payload)) + payload[at + 2:]
        header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), seconds, 0x4000, 64, protocol, 0) + addresses
        header = header[:10] + struct.pack(">H", checksum(header)) + header[12:]
        frame = b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + header + payload
        out.append(struct.pack("<IIII", 1_700_000_000 + seconds, seconds * 7, len(frame), len(frame)) + frame)

    for nth, name in enumerate(("alpha", "beta", "gamma", "delta", "mail", "www") * 4):
        labels = b"".join(bytes([len(part)]) + part.encode() for part in (name, "example", "org")) + b"\0"
        question = struct.pack(">HHHHHH", nth, 0x100, 1, 0, 0, 0) + labels + struct.pack(">HH", (1, 28, 15, 16)[nth % 4], 1)
        packet(2 * nth, 17, 1, 53, struct.pack(">HHHH", 40_000 + nth, 53, 8 + len(question), 0) + question)
        answer = question[:2] + b"\x81\x80\0\1\0\1" + question[8:] + b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 300, 4) + bytes((192, 0, 2, nth))
        packet(2 * nth + 1, 17, 53, 1, struct.pack(">HHHH", 53, 40_000 + nth, 8 + len(answer), 0) + answer)
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"some text of a page. " * 30
    for nth in range(8):
        flags = (2, 18, 16, 24, 24, 24, 17, 16)[nth]
        part = page[80 * nth:80 * nth + 80] if flags == 24 else b""
        packet(100 + nth, 6, 1, 80, struct.pack(">HHIIBBHHH", 50_000, 80, 1000 + nth, 7, 0x50, flags, 512, 0, 0) + part)
    return b"".join(out)


def blocks(count: int = 60) -> bytes:
    """The same packets as blocks of pcapng, and others with IPv6, with options."""
    def block(kind: int, body: bytes) -> bytes:
        size = struct.pack("<I", len(body) + 12)
        return struct.pack("<I", kind) + size + body + size

    def option(code: int, text: bytes) -> bytes:
        return struct.pack("<HH", code, len(text)) + text + b"\0" * (-len(text) % 4)
    end = struct.pack("<HH", 0, 0)
    out = [block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1) + option(4, b"a program") + end),
           block(1, struct.pack("<HHI", 1, 0, 65535) + option(2, b"first0") + end),
           block(1, struct.pack("<HHI", 1, 0, 65535) + option(2, b"second") + end)]
    data, at = capture(), 24
    while at < len(data) and len(out) < count:
        size, = struct.unpack_from("<I", data, at + 8)
        frame = data[at + 16:at + 16 + size]
        out.append(block(6, struct.pack("<IIIII", 0, 0, at, size, size) + frame + b"\0" * (-size % 4)))
        at += 16 + size
    for nth in range(min(count, 12)):
        source, target = (b"\x20\x01\x0d\xb8" + bytes(11) + bytes([n]) for n in (1, 2))
        payload = struct.pack(">HHHH", 30_000 + nth, 514, 8 + 40 + nth, 0) + b"<%d>" % (nth + 10) + b"words of a log " * 3
        payload = payload[:48 + nth].ljust(48 + nth, b".")
        pseudo = source + target + struct.pack(">II", len(payload), 17)
        payload = payload[:6] + struct.pack(">H", checksum(pseudo + payload)) + payload[8:]
        frame = b"\2\0\0\0\0\1\2\0\0\0\0\2\x86\xdd" + struct.pack(">IHBB", 6 << 28, len(payload), 17, 64) + source + target + payload
        out.append(block(6, struct.pack("<IIIII", 1, 0, nth, len(frame), len(frame)) + frame + b"\0" * (-len(frame) % 4) + option(1, b"a remark") + end))
    return b"".join(out)


def sound() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as made:
        made.setnchannels(2)
        made.setsampwidth(2)
        made.setframerate(8000)
        made.writeframes(b"".join(struct.pack("<hh", n * n % 30000, -n * 37 % 30000) for n in range(3000)))
    data = out.getvalue()
    info = b"INFO" + b"".join(tag + struct.pack("<I", len(text)) + text for tag, text in
                              ((b"INAM", b"a short sound "), (b"ISFT", b"a program "), (b"ICMT", b"remark" * 9)))
    data += b"LIST" + struct.pack("<I", len(info)) + info + b"cue " + struct.pack("<II", 4, 0)
    return b"RIFF" + struct.pack("<I", len(data) - 8) + data[8:]


def database() -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "x.db"
        base = sqlite3.connect(path)
        base.execute("PRAGMA page_size = 1024")
        base.execute("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, length INTEGER)")
        base.execute("CREATE INDEX word_length ON word (length, text)")
        base.execute("CREATE TABLE file (name TEXT, size REAL, data BLOB)")
        words = sorted(set(re.findall(r"[a-z]{4,}", samples(9_000, 20_000, 1)[0].read_text())))[:260]
        base.executemany("INSERT INTO word VALUES (?, ?, ?)", [(n, word, len(word)) for n, word in enumerate(words)])
        base.executemany("INSERT INTO file VALUES (?, ?, ?)",
                         [(path.name, path.stat().st_size / 7, path.name.encode() * 5) for path in samples(100, 9_999, 40)])
        base.commit()
        base.close()
        return path.read_bytes()


def document(pages: int = 12) -> Source:
    """Pages with text, notes, and names, some of it deflated."""
    def make() -> bytes:
        objects = [b"<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R /PageMode /UseOutlines >>",
                   b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, b" ".join(b"%d 0 R" % (6 + 4 * n) for n in range(pages))),
                   b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
                   b"<< /Type /Outlines /Count 0 >>",
                   b"<< /Title (A document \\(of pages\\)) /Author (An author) /Keywords (some, words) /CreationDate (D:20240101000000Z) >>"]
        words = sorted(set(re.findall(r"[a-z]{5,}", samples(9_000, 20_000, 1)[0].read_text())))
        for nth in range(pages):
            lines = [b"BT /F1 12 Tf 72 %d Td (%s) Tj ET" % (700 - 14 * n, words[(nth * 9 + n) % len(words)].encode()) for n in range(9)]
            content = b"\n".join(lines)
            packed = zlib.compress(content, 9) if nth % 2 else content
            at = 6 + 4 * nth
            objects += [b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R "
                        b"/Annots [%d 0 R] >>" % (at + 1, at + 2),
                        b"<< /Length %d 0 R%s >>\nstream\n%s\nendstream" % (at + 3, b" /Filter /FlateDecode" * (nth % 2), packed),
                        b"<< /Type /Annot /Subtype /Text /Rect [%d 700 %d 720] /Contents (Note %d) /Open %s >>" %
                        (nth, nth + 20, nth, (b"false", b"true")[nth % 3 == 0]),
                        b"%d" % len(packed)]
        out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
        places = []
        for nth, text in enumerate(objects):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (nth + 1, text)
        start, size = len(out), len(objects) + 1
        out += b"xref\n0 %d\n0000000000 65535 f \n" % size + b"".join(b"%010d 00000 n \n" % place for place in places)
        return out + b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return make


def divided() -> bytes:
    """An image whose data is in chunks of 400 bytes."""
    data = png(64, 48, ("Title", "Comment"))
    out, at = data[:8], 8
    while at < len(data):
        length, tag = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        parts = [body[n:n + 400] for n in range(0, length, 400)] if tag == b"IDAT" else [body]
        out += b"".join(struct.pack(">I", len(part)) + tag + part + struct.pack(">I", zlib.crc32(tag + part)) for part in parts)
        at += 12 + length
    return out


def page() -> bytes:
    """A page of HTML with images in data URLs, which have texts in them."""
    rows = []
    for nth, path in enumerate(samples(500, 6_000, 6)):
        image = png(9 + nth, 7, ("Title", "Author", "Comment"))
        rows.append(f"<p>{path.name}</p>\n<img src=\"data:image/png;base64,{base64.b64encode(image).decode()}\">\n"
                    f"<a href=\"data:text/plain;base64,{base64.b64encode(path.read_bytes()).decode()}\">source</a>")
    return ("<html><body>\n" + "\n".join(rows) + "\n</body></html>\n").encode()


def messages() -> bytes:
    """Messages as lines of JSON, whose payloads are values of CBOR in hexadecimal digits."""
    import cbor2
    rows = [{"id": nth, "kind": "message", "payload": cbor2.dumps({"name": path.name, "lines": path.read_text().splitlines()[:12]}).hex()}
            for nth, path in enumerate(samples(500, 9_000, 12))]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def film(kind: str = "mp4", seconds: int = 2) -> Source:
    return command(f"ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=10:duration={seconds} -f lavfi -i sine=duration={seconds}:frequency=300 "
                   f"-metadata title='A film' -metadata comment='Some words about it' -c:v mpeg4 -c:a aac -threads 1 -fflags +bitexact -movflags +faststart "
                   f"-flags +bitexact out.{kind}", "x", "", f"out.{kind}")


def font() -> bytes:
    from fontTools import subset, ttLib
    made = ttLib.TTFont("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", recalcTimestamp=False)
    options = subset.Options(layout_features=[], notdef_outline=True, glyph_names=True, hinting=True)
    worker = subset.Subsetter(options)
    worker.populate(text="ABCDEFGHIJKabcdefghi0123456789.,éüß")
    worker.subset(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def packed(dumps: Callable[[Any], bytes]) -> Source:
    def make() -> bytes:
        rows = [{"name": path.name, "size": path.stat().st_size, "lines": path.read_text(errors="replace").splitlines()[:6],
                 "flags": [n % 2 == 0, None, n / 4], "place": {"x": n, "y": -n * 1000}}
                for n, path in enumerate(samples(500, 30_000, 40))]
        return dumps({"version": 3, "rows": rows, "blob": bytes(range(256)) * 2})
    return make


def msgpack_dumps(value: Any) -> bytes:
    import msgpack
    return bytes(msgpack.packb(value))


def cbor_dumps(value: Any) -> bytes:
    import cbor2
    return bytes(cbor2.dumps(value))


def compiled() -> bytes:
    import marshal
    source = samples(15_000, 25_000, 1)[0].read_text()
    return b"\0" * 16 + marshal.dumps(compile(source, "m.py", "exec", dont_inherit=True), 2)


def found(pattern: str, low: int = 3_000, high: int = 60_000, nth: int = 0) -> Source:
    def make() -> bytes:
        root, _, rest = pattern.partition("*")
        base = pathlib.Path(root).parent if not root.endswith("/") else pathlib.Path(root)
        paths = [path for path in base.glob(pattern[len(str(base)) + 1:]) if low <= path.stat().st_size <= high]
        paths.sort(key=lambda path: hashlib.sha256(path.name.encode()).digest())
        return paths[nth].read_bytes()
    return make



def packed_document(*more: str) -> Source:
    """A document whose objects and table of places are in streams."""
    def make() -> bytes:
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "x.pdf"
            path.write_bytes(document()())
            subprocess.run(["qpdf", "--object-streams=generate", "--deterministic-id", *more, path, path.with_suffix(".out")], check=True)
            return path.with_suffix(".out").read_bytes()
    return make


def described() -> bytes:
    """An archive as it is written to a pipe, with lengths behind the data, some of them of 64 bits, and an archive in it."""
    class Pipe(io.RawIOBase):
        data = b""

        def writable(self) -> bool:
            return True

        def write(self, more: Any) -> int:
            self.data += bytes(more)
            return len(more)
    out, inner = Pipe(), io.BytesIO()
    date = (2024, 1, 1, 0, 0, 0)
    with zipfile.ZipFile(inner, "w") as made:
        for path in samples(500, 5_000, 5):
            made.writestr(zipfile.ZipInfo("inner/" + path.name, date), path.read_bytes(), zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(out, "w") as made:
        for nth, path in enumerate(samples(1_000, 8_000, 6)):
            info = zipfile.ZipInfo("word/" + path.name, date)
            info.compress_type, info.extra = zipfile.ZIP_DEFLATED, struct.pack("<HHBI", 0x5455, 5, 1, 1_700_000_000)
            with made.open(info, "w", force_zip64=nth % 2 == 0) as file:
                file.write(path.read_bytes())
        made.writestr(zipfile.ZipInfo("inner.jar", date), inner.getvalue(), zipfile.ZIP_STORED)
    return out.data


def outlines(flavor: str | None = None) -> Source:
    """A font with outlines in Compact Font Format."""
    def make() -> bytes:
        from fontTools.fontBuilder import FontBuilder
        from fontTools.pens.t2CharStringPen import T2CharStringPen
        names = [".notdef", "space"] + [chr(65 + n) for n in range(26)] + ["f_i", "acute"]
        made = FontBuilder(1000, isTTF=False)
        made.setupGlyphOrder(names)
        made.setupCharacterMap({32: "space", 180: "acute", **{65 + n: chr(65 + n) for n in range(26)}})
        strings = {}
        for nth, name in enumerate(names):
            pen = T2CharStringPen(600, None)
            for k in range(1 + nth % 4):
                pen.moveTo((10 + nth * 3, 20 + 100 * k))
                pen.lineTo((300 + nth, 40 + 90 * k))
                pen.curveTo((310, 60 + k), (200 + 7 * nth, 300), (100, 200 + nth))
                pen.closePath()
            strings[name] = pen.getCharString()
        made.setupCFF("Case-Font", {"FullName": "Case Font"}, strings, {})
        made.setupHorizontalMetrics(dict.fromkeys(names, (600, 10)))
        made.setupHorizontalHeader(ascent=800, descent=-200)
        made.setupNameTable({"familyName": "Case Font", "styleName": "Regular", "description": "A font for tests of readers"})
        made.setupOS2(sTypoAscender=800)
        made.setupPost()
        made.addOpenTypeFeatures("feature liga { sub F I by f_i; } liga; feature kern { pos A V -80; pos T A -60; } kern;")
        made.font["head"].created = made.font["head"].modified = 3_000_000_000
        made.font.recalcTimestamp = False
        made.font.flavor = flavor
        out = io.BytesIO()
        made.save(out)
        return out.getvalue()
    return make


def linked(kind: str) -> Source:
    """The same packets in the frames of another network, with the highest byte first."""
    def make() -> bytes:
        data, at = capture(), 24
        out = [struct.pack(">IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, {"raw": 101, "cooked": 113, "vlan": 1}[kind])]
        while at < len(data):
            seconds, parts, size, _ = struct.unpack_from("<IIII", data, at)
            frame = data[at + 16:at + 16 + size]
            head = {"raw": b"", "cooked": struct.pack(">HHH8sH", 0, 1, 6, b"\2\0\0\0\0\1", 0x800),
                    "vlan": frame[:12] + struct.pack(">HHH", 0x8100, 5, 0x800)}[kind]
            frame = head + frame[14:]
            out.append(struct.pack(">IIII", seconds, parts, len(frame), len(frame)) + frame)
            at += 16 + size
        return b"".join(out)
    return make


def firmware() -> bytes:
    """A table of parts with names, places, lengths, and checksums, a sum of all bytes, and the parts."""
    parts = [(path.stem[:15].encode(), path.read_bytes()[:700 + 90 * nth]) for nth, path in enumerate(samples(1_500, 9_000, 8))]
    at, table, body = 16 + 32 * len(parts), b"", b""
    for name, data in parts:
        table += name.ljust(16, b"\0") + struct.pack(">III", at + len(body), len(data), zlib.crc32(data)) + b"\xff" * 4
        body += data + b"\0" * (-len(data) % 16)
    rest = table + body
    return b"FWU2" + struct.pack(">HHII", 2, len(parts), 16 + len(rest), sum(rest)) + rest


def dumped(line: str) -> Source:
    """The output of a program for an image, between two lines."""
    def make() -> bytes:
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / "x").write_bytes(png(24, 20, ("Title", "Software")))
            ran = subprocess.run(line.split(), cwd=scratch, capture_output=True, check=True)
            return b"a report\n" + ran.stdout + b"the end\n"
    return make


def stored(name: str) -> Source:
    path = [base / name for base in map(pathlib.Path, ("/usr/share/terminfo", "/lib/terminfo", "/usr/share/zoneinfo"))]
    return lambda: next(file for file in path if file.exists()).read_bytes()


def members_with_long_names() -> bytes:
    """A static library of three objects."""
    texts = {"one": C, "two": "int choose(int, int); int wanted_function(int n) { return choose(n, 3); }",
             "three": "int other[40] = {1}; int unused_function(void) { return other[2]; }"}
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in texts.items():
            (pathlib.Path(scratch) / f"{name}.c").write_text(text)
        subprocess.run(["bash", "-ec", "for n in one two three; do clang -O1 -c $n.c -o ${n}_with_a_rather_long_name.o; done; ar rcsD x.a *.o"],
                       cwd=scratch, check=True)
        return (pathlib.Path(scratch) / "x.a").read_bytes()


def messages_of_protobuf() -> bytes:
    """A message with messages in it, of a schema that the file does not have."""
    def number(value: int) -> bytes:
        out = b""
        while value > 127:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])

    def part(key: int, data: bytes) -> bytes:
        return number(key << 3 | 2) + number(len(data)) + data
    rows = b""
    for nth, path in enumerate(samples(500, 30_000, 40)):
        lines = b"".join(part(4, line.encode()) for line in path.read_text(errors="replace").splitlines()[:6])
        place = b"\x08" + number(nth) + b"\x10" + number(nth * 1000) + b"\x1d" + struct.pack("<f", nth / 7)
        rows += part(2, part(1, path.name.encode()) + b"\x10" + number(path.stat().st_size) + part(3, place) + lines)
    return b"\x08\x03" + rows + part(9, bytes(range(256)))


CERTIFICATE = """openssl req -x509 -newkey rsa:4096 -nodes -keyout k.pem -days 3650 -outform DER -out out.der -config c.cnf"""
CONFIG = """[req]
distinguished_name = name
x509_extensions = more
prompt = no
[name]
C = DE
O = An Organization
OU = A Unit
CN = case.example.org
emailAddress = root@example.org
[more]
subjectAltName = """ + ",".join(f"DNS:host{n}.example.org" for n in range(90)) + """
keyUsage = digitalSignature, keyCertSign
extendedKeyUsage = serverAuth, clientAuth
nameConstraints = permitted;DNS:.example.org, excluded;DNS:.bad.example.org
certificatePolicies = 1.2.3.4, 1.5.6.7.8
basicConstraints = critical, CA:true, pathlen:3
crlDistributionPoints = URI:http://example.org/a.crl, URI:http://example.org/b.crl
authorityInfoAccess = OCSP;URI:http://ocsp.example.org
"""

def library() -> bytes:
    """A library of Windows, with exports, data, and a stub of MS-DOS."""
    functions = "".join(f"__declspec(dllexport) int export_{name}(int n) {{ return table[n & 7] * {nth} + n; }}\n"
                        for nth, name in enumerate(("alpha", "beta", "gamma", "delta", "epsilon", "zeta")))
    text = ("__declspec(dllexport) int table[200] = {1, 2, 3}; __declspec(dllexport) const char text[] = \"some text of a library\";\n"
            f"{functions}int _DllMainCRTStartup(void) {{ return export_alpha(1); }}\n")
    return command("clang --target=x86_64-pc-windows-msvc -O1 -c x.c -o x.obj && "
                   "lld-link /dll /nodefaultlib /timestamp:0 /out:out.dll x.obj", "x.c", text, "out.dll")()


def program() -> bytes:
    """A program of Windows, with imports from two libraries."""
    calls = {"ExitProcess": "1", "Sleep": "2", "Beep": "3, 4", "GetTickCount": "", "puts": '"some text"', "abs": "5", "getenv": '"PATH"', "srand": "6"}
    text = "".join(f"__declspec(dllimport) int {name}();\n" for name in calls)
    text += "void start(void) {" + " ".join(f"{name}({given});" for name, given in calls.items()) + "}\n"
    return command("x86_64-w64-mingw32-gcc -w -fno-builtin -O1 -nostdlib -Wl,-e,start,--no-insert-timestamp x.c -lmsvcrt -lkernel32 -o out.exe",
                   "x.c", text, "out.exe")()


def members() -> bytes:
    """An archive of ar, with a table of long names."""
    with tempfile.TemporaryDirectory() as scratch:
        names = []
        for path in samples(500, 6_000, 9):
            name = f"long_name_of_{path.stem}.txt"
            (pathlib.Path(scratch) / name).write_bytes(path.read_bytes()[:3_000])
            names.append(name)
        subprocess.run(["ar", "rcD", "out.a", *names], cwd=scratch, check=True, capture_output=True)
        return (pathlib.Path(scratch) / "out.a").read_bytes()


def copied(form: str) -> Source:
    """An archive of cpio."""
    def make() -> bytes:
        with tempfile.TemporaryDirectory() as scratch:
            names = []
            for nth, path in enumerate(samples(500, 6_000, 8)):
                name = f"part{nth}/{path.name}"
                (pathlib.Path(scratch) / f"part{nth}").mkdir()
                (pathlib.Path(scratch) / name).write_bytes(path.read_bytes()[:2_500])
                names.append(name)
            return subprocess.run(["cpio", "--quiet", "-o", "--reproducible", "-H", form], cwd=scratch, check=True,
                                  input="\n".join(names).encode(), capture_output=True).stdout
    return make


def tagged(width: int = 64, height: int = 48, rows: int = 8) -> bytes:
    """A TIFF picture in strips, with texts."""
    strips = [bytes((x * y + band) & 255 for y in range(rows) for x in range(width)) for band in range(height // rows)]
    texts = {270: b"a picture of samples", 271: b"some maker", 272: b"model seven", 305: b"a program", 315: b"an artist"}
    entries = [(256, 3, 1, width), (257, 3, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
               (273, 4, len(strips), None), (277, 3, 1, 1), (278, 3, 1, rows), (279, 4, len(strips), None)]
    entries = sorted(entries + [(tag, 2, len(value) + 1, None) for tag, value in texts.items()])
    at = 8 + 2 + 12 * len(entries) + 4
    data, table, places = b"", b"", []
    for strip in strips:
        places.append(at + len(data))
        data += strip
    for tag, kind, count, value in entries:
        if value is None:
            body = (struct.pack(f"<{count}I", *places) if tag == 273 else
                    struct.pack(f"<{count}I", *map(len, strips)) if tag == 279 else texts[tag] + b"\0")
            value = at + len(data)
            data += body + b"\0" * (len(body) % 2)
        table += struct.pack("<HHII", tag, kind, count, value)
    return b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(entries)) + table + b"\0\0\0\0" + data


def flac(count: int = 4000, block: int = 4096) -> bytes:
    """A FLAC file with comments, an application block, and a picture."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "x.wav").write_bytes(sound()[:44])
        out = io.BytesIO()
        with wave.open(out, "wb") as made:
            made.setparams((1, 2, 8000, 0, "NONE", ""))
            made.writeframes(struct.pack(f"<{count}h", *((n * n) % 3000 for n in range(count))))
        (folder / "x.wav").write_bytes(out.getvalue())
        (folder / "p.png").write_bytes(png(16, 16, ("Title",)))
        subprocess.run(["flac", "-s", "--no-padding", f"--blocksize={block}", "--picture=p.png", "-o", "out.flac",
                        *(f"--tag=NAME{n}=value {n * n}" for n in range(12)), "x.wav"],
                       cwd=scratch, check=True, capture_output=True)
        return (folder / "out.flac").read_bytes()


def bitmap(width: int = 60, height: int = 40) -> bytes:
    """A picture of Windows with a table of colors."""
    row = -(-width // 4) * 4
    colors = b"".join(bytes((n, 255 - n, n * 7 & 255, 0)) for n in range(200))
    pixels = b"".join(bytes((x * y) % 200 for x in range(width)).ljust(row, b"\0") for y in range(height))
    start = 14 + 40 + len(colors)
    return (b"BM" + struct.pack("<IHHI", start + len(pixels), 0, 0, start)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, len(pixels), 2835, 2835, 200, 0) + colors + pixels)


def vorbis(codec: str = "libvorbis", seconds: int = 2) -> Source:
    """A sound with comments in pages of Ogg."""
    tags = " ".join(f"-metadata NAME{n}='value {n * n}'" for n in range(12))
    return command(f"ffmpeg -v error -f lavfi -i sine=duration={seconds}:frequency=300 {tags} -c:a {codec} -threads 1 "
                   "-fflags +bitexact -flags +bitexact out.ogg", "x", "", "out.ogg")


def aiff(count: int = 2000) -> bytes:
    """An AIFF file with texts and marks."""
    def chunk(tag: bytes, body: bytes) -> bytes:
        return tag + struct.pack(">I", len(body)) + body + b"\0" * (len(body) % 2)
    frames = b"".join(struct.pack(">hh", n * n % 30000, -n * 37 % 30000) for n in range(count))
    common = struct.pack(">hIh", 2, count, 16) + b"\x40\x0b\xfa\0\0\0\0\0\0\0"
    marks = b"".join(struct.pack(">hI", n + 1, n * 50) + bytes([7]) + b"mark %02d" % n for n in range(12))
    body = (chunk(b"COMM", common) + chunk(b"NAME", b"a short sound") + chunk(b"AUTH", b"an author")
            + chunk(b"ANNO", b"remark " * 30) + chunk(b"MARK", struct.pack(">H", 12) + marks)
            + chunk(b"SSND", struct.pack(">II", 0, 0) + frames) + chunk(b"ANNO", b"the end"))
    return b"FORM" + struct.pack(">I", 4 + len(body)) + b"AIFF" + body


def properties() -> bytes:
    rows = [{"name": path.name, "size": path.stat().st_size, "lines": path.read_text(errors="replace").splitlines()[:6],
             "flags": [nth % 2 == 0, nth * 1.5], "data": path.name.encode() * 3} for nth, path in enumerate(samples(500, 9_000, 30))]
    return plistlib.dumps({"rows": rows, "kind": "samples", "count": len(rows)}, fmt=plistlib.FMT_BINARY)


def pickled() -> bytes:
    rows = [{"name": path.name, "size": path.stat().st_size, "lines": path.read_text(errors="replace").splitlines()[:8],
             "place": (nth, nth * nth / 7)} for nth, path in enumerate(samples(500, 9_000, 30))]
    return pickle.dumps({"rows": rows, "kind": "samples"}, protocol=4)


def times() -> bytes:
    """Transitions of a time zone."""
    return (pathlib.Path("/usr/share/zoneinfo") / "Europe/London").read_bytes()


def midi() -> bytes:
    """A MIDI file: a track with texts, and five with notes."""
    def number(value: int) -> bytes:
        out = [value & 127]
        while value := value >> 7:
            out.insert(0, value & 127 | 128)
        return bytes(out)

    def track(events: Iterable[tuple[int, bytes]]) -> bytes:
        body = b"".join(number(delta) + event for delta, event in events) + b"\0\xff\x2f\0"
        return b"MTrk" + struct.pack(">I", len(body)) + body
    texts = [(nth * 3, b"\xff\x01" + number(len(text)) + text) for nth, text in
             enumerate(b"line %d of a song " % n * (n % 9 + 1) for n in range(20))]
    tracks = [track(texts)] + [track([(n * 29 % 300, bytes((0x90 | t, 40 + n * 7 % 40, 64 + n % 50))) for n in range(150)]) for t in range(5)]
    return b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), 96) + b"".join(tracks)


def icons(sizes: Sequence[int] = (8, 12, 16, 20, 24, 32)) -> bytes:
    """Icons of several sizes, as pictures without compression."""
    pictures = []
    for size in sizes:
        pixels = bytes((x * y * 3 + size) & 255 for y in range(size) for x in range(size * 4))
        pictures.append((size, struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, len(pixels), 0, 0, 0, 0) + pixels))
    at, table = 6 + 16 * len(pictures), b""
    for size, data in pictures:
        table += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return struct.pack("<HHH", 0, 1, len(pictures)) + table + b"".join(data for _, data in pictures)


def documents() -> bytes:
    """Documents of BSON."""
    def text(value: str) -> bytes:
        return value.encode() + b"\0"

    def value(name: str, item: Any) -> bytes:
        if isinstance(item, bool):
            return b"\x08" + text(name) + bytes([item])
        if isinstance(item, int):
            return b"\x10" + text(name) + struct.pack("<i", item)
        if isinstance(item, float):
            return b"\x01" + text(name) + struct.pack("<d", item)
        if isinstance(item, str):
            return b"\x02" + text(name) + struct.pack("<i", len(item.encode()) + 1) + text(item)
        if isinstance(item, list):
            return b"\x04" + text(name) + fields({str(n): part for n, part in enumerate(item)})
        return b"\x03" + text(name) + fields(item)

    def fields(item: dict[str, Any]) -> bytes:
        body = b"".join(value(*pair) for pair in item.items()) + b"\0"
        return struct.pack("<i", len(body) + 4) + body
    return fields({"kind": "samples", "rows": [
        {"name": path.name, "size": path.stat().st_size, "lines": path.read_text(errors="replace").splitlines()[:8],
         "place": {"x": nth, "y": nth / 7}, "even": nth % 2 == 0} for nth, path in enumerate(samples(500, 9_000, 30))]})


def indexed() -> bytes:
    """A format of our own: a header with counts, records of a fixed length, a table of texts, and a CRC-32."""
    names = [path.name.encode() for path in samples(500, 9_000, 60)]
    texts, records = b"\0", b""
    for nth, name in enumerate(names):
        records += struct.pack("<IHHI", len(texts), nth, len(name), nth * nth)
        texts += name + b"\0"
    header = b"TBL1" + struct.pack("<IIII", len(names), 24, 24 + len(records), len(texts))
    body = header + b"\0" * 4 + records + texts
    return body + struct.pack("<I", zlib.crc32(body))


def triangles(count: int = 500) -> bytes:
    """A solid of STL: a head, a number, and as many triangles, of which one is a point."""
    text = b"binary stl".ljust(80, b"\0") + struct.pack("<I", count)
    for nth in range(count):
        corners = [(nth * n * n % 97) / 7 for n in range(1, 13)]
        if nth == 321:
            corners[3:] = [1.0] * 9
        text += struct.pack("<12fH", *corners, 0)
    return text


PROTO = """
syntax = "proto3";
package sample.names;
enum Kind { NONE = 0; FIRST = 1; SECOND = 2; }
message Place { double x = 1; double y = 2; repeated string labels = 3; }
message Entry { string name = 1; Kind kind = 2; map<string, Place> places = 3; oneof either { int32 number = 4; bytes data = 5; } }
message Table { repeated Entry entries = 1; Table nested = 2; uint64 sum = 3; }
service Reader { rpc Read (Entry) returns (Table); rpc Write (Table) returns (stream Entry); }
"""

RUBY = """
class Stack
  def initialize(limit) @items = []; @limit = limit end
  def push(item) raise ArgumentError, "full" if @items.size >= @limit; @items << item; self end
  def each(&block) @items.each(&block) end
  def total() sum = 0; each { |item| sum += item.to_i * 3 }; sum end
end
words = %w(alpha beta gamma delta epsilon zeta)
table = {}
words.each_with_index { |word, at| table[word] = [at, word.size, word.reverse] }
stack = Stack.new(4)
words.each { |word| stack.push(table[word][1]) if word.size > 4 }
puts "total #{stack.total} of #{words.size}"
p table.select { |key, value| value[0] % 2 == 0 }.map { |key, value| [key, value[2].upcase] }
"""
