"""Cases of binary formats whose test is a small reader in Python."""

from __future__ import annotations

from bench.cases.binary_sources import (
    aiff,
    archive,
    bitmap,
    cbor_dumps,
    compiled,
    database,
    divided,
    documents,
    firmware,
    font,
    icons,
    indexed,
    messages,
    messages_of_protobuf,
    midi,
    msgpack_dumps,
    packed,
    page,
    pickled,
    png,
    properties,
    sound,
    tar,
    times,
    triangles,
)

# Name, extension, bytes, and code of Python that raises AssertionError for the file.
ROWS = [
    ("png-pixel", "png", lambda: png(64, 48, ("Title", "Comment")), """
import struct, zlib
assert_at, image, size = 8, b"", None
if data[:8] != b"\\x89PNG\\r\\n\\x1a\\n": sys.exit(0)
while assert_at < len(data):
    length, tag = struct.unpack_from(">I4s", data, assert_at)
    body = data[assert_at + 8:assert_at + 8 + length]
    if zlib.crc32(tag + body) != struct.unpack_from(">I", data, assert_at + 8 + length)[0]: sys.exit(0)
    if tag == b"IHDR": size = struct.unpack_from(">II", body)
    if tag == b"IDAT": image += body
    assert_at += 12 + length
pixels = zlib.decompress(image)
width, height = size
if len(pixels) != height * (1 + 3 * width): sys.exit(0)
for y in range(height):
    row = pixels[y * (1 + 3 * width) + 1:(y + 1) * (1 + 3 * width)]
    assert not any(row[3 * x:3 * x + 3] == b"\\x31\\x00\\x88" for x in range(width))"""),
    ("html-images", "html", page, """
import base64, re, struct, zlib
for url in re.findall(rb'data:image/png;base64,([^"]*)', data):
    image, at = base64.b64decode(url, validate=True), 8
    if image[:8] != b"\\x89PNG\\r\\n\\x1a\\n": sys.exit(0)
    while at < len(image):
        length, tag = struct.unpack_from(">I4s", image, at)
        body = image[at + 8:at + 8 + length]
        if zlib.crc32(tag + body) != struct.unpack_from(">I", image, at + 8 + length)[0]: sys.exit(0)
        assert not (tag == b"IHDR" and struct.unpack_from(">I", body)[0] == 12)
        at += 12 + length"""),
    ("html-sources", "html", page, """
import base64, re
for url in re.findall(rb'data:text/plain;base64,([^"]*)', data):
    text = base64.b64decode(url, validate=True)
    assert not (b"import" in text and b"return" in text)"""),
    ("json-payloads", "jsonl", messages, """
import cbor2, json
for line in data.splitlines():
    value = cbor2.loads(bytes.fromhex(json.loads(line)["payload"]))
    assert not any(line.startswith("class ") for line in value["lines"])"""),
    ("png-divided", "png", divided, None),
    ("zip-entry", "zip", archive, """
import io, zipfile
with zipfile.ZipFile(io.BytesIO(data)) as archive:
    for info in archive.infolist():
        assert b"import os" not in archive.read(info) or info.compress_type == 0 """),
    ("wav-frames", "wav", sound, """
import io, wave
with wave.open(io.BytesIO(data)) as reader:
    for at in range(reader.getnframes()):
        frame = reader.readframes(1)
        assert not (len(frame) == 4 and int.from_bytes(frame[:2], "little") == 1369 % 30000)"""),
    ("msgpack-rows", "msgpack", packed(msgpack_dumps), """
import msgpack
rows = msgpack.unpackb(data)["rows"]
for row in rows:
    assert not (row["place"]["x"] == 17 and len(row["lines"]) > 1)"""),
    ("cbor-rows", "cbor", packed(cbor_dumps), """
import cbor2
rows = cbor2.loads(data)["rows"]
for row in rows:
    assert not (row["place"]["x"] == 23 and row["flags"][1] is None)"""),
    ("pyc-names", "pyc", compiled, """
import marshal, types
def walk(code):
    assert not ("self" in code.co_varnames and len(code.co_consts) > 2 and code.co_argcount == 3)
    for item in code.co_consts:
        if isinstance(item, types.CodeType): walk(item)
walk(marshal.loads(data[16:]))"""),
    ("font-glyph", "ttf", font, """
import io
from fontTools.ttLib import TTFont
font = TTFont(io.BytesIO(data), checkChecksums=2)
glyphs = font["glyf"]
for name in font.getGlyphOrder():
    glyph = glyphs[name]
    assert not (glyph.isComposite() and len(glyph.components) > 1)"""),
    ("sqlite-join", "db", database, """
import sqlite3
base = sqlite3.connect(sys.argv[1])
if base.execute("PRAGMA integrity_check").fetchall() != [("ok",)]: sys.exit(0)
rows = base.execute("SELECT a.id FROM word a JOIN word b ON a.length = b.length AND a.id < b.id JOIN file ON size > a.length "
                    "WHERE a.length = 9 AND data IS NOT NULL").fetchall()
assert not rows"""),
    ("tar-member", "tar", tar, """
import io, tarfile
with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
    for member in archive:
        assert not (member.issym() and member.name.startswith("lib/"))"""),
    # Formats without a reader.
    ("aiff-frames", "aiff", aiff, """
import warnings; warnings.simplefilter("ignore")
import aifc, io
with aifc.open(io.BytesIO(data)) as reader:
    marks = reader.getmarkers() or []
    frames = reader.readframes(reader.getnframes())
    if len(frames) != 4 * reader.getnframes(): sys.exit(0)
    for at in range(0, len(frames), 4):
        assert not (frames[at:at + 2] == (1369).to_bytes(2, "big") and len(marks) > 1)"""),
    ("plist-rows", "plist", properties, """
import plistlib
for row in plistlib.loads(data, fmt=plistlib.FMT_BINARY)["rows"]:
    assert not (row["flags"][0] is False and row["flags"][1] == 10.5 and len(row["lines"]) > 1)"""),
    ("pickle-rows", "pickle", pickled, """
import pickle
for row in pickle.loads(data)["rows"]:
    assert not (row["place"][0] == 17 and len(row["lines"]) > 1)"""),
    ("zone-times", "tz", times, """
import datetime, io, zoneinfo
zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(data))
assert zone.tzname(datetime.datetime(1969, 6, 1)) != "BST"
assert zone.tzname(datetime.datetime(1943, 6, 1)) != "BDST" """),
    ("midi-texts", "mid", midi, """
import struct
def chunk(at):
    tag, length = struct.unpack_from(">4sI", data, at)
    if at + 8 + length > len(data): sys.exit(0)
    return tag, data[at + 8:at + 8 + length], at + 8 + length
def number(body, at):
    value = 0
    while True:
        value = value << 7 | body[at] & 127
        at += 1
        if body[at - 1] < 128: return value, at
tag, head, at = chunk(0)
kind, tracks, division = struct.unpack(">HHH", head)
if tag != b"MThd": sys.exit(0)
found = []
for _ in range(tracks):
    tag, body, at = chunk(at)
    place, last = 0, b""
    while place < len(body):
        delta, place = number(body, place)
        status = body[place]
        if status == 255:
            length, start = number(body, place + 2)
            last = body[place + 1:place + 2]
            if start + length > len(body): sys.exit(0)
            found.append(body[start:start + length])
            place = start + length
        elif status >> 4 == 9: place += 3
        else: sys.exit(0)
    if last != b"\\x2f": sys.exit(0)
if at != len(data): sys.exit(0)
assert not any(text.startswith(b"line 13") for text in found)"""),
    ("icon-pixels", "ico", icons, """
import struct
zero, kind, count = struct.unpack_from("<HHH", data)
if (zero, kind) != (0, 1): sys.exit(0)
for nth in range(count):
    width, height, _, _, planes, bits, length, at = struct.unpack_from("<BBBBHHII", data, 6 + 16 * nth)
    picture = data[at:at + length]
    size, w, h, _, depth, packing, pixels = struct.unpack_from("<IiiHHII", picture)
    if size != 40 or w != width or h != 2 * height or len(picture) != 40 + pixels or pixels != 4 * width * height: sys.exit(0)
    assert not (width == 20 and picture[41] == 20)"""),
    ("bitmap-pixel", "bmp", bitmap, """
import struct
size, _, _, start = struct.unpack_from("<IHHI", data, 2)
head, width, height, planes, bits, packing, pixels, _, _, used, _ = struct.unpack_from("<IiiHHIIiiII", data, 14)
row = -(-width // 4) * 4
if data[:2] != b"BM" or size != len(data) or head != 40 or bits != 8 or packing: sys.exit(0)
if start != 54 + 4 * used or pixels != row * height or start + pixels != size: sys.exit(0)
rows = [data[start + row * y:start + row * y + width] for y in range(height)]
assert not any(7 in row and max(row) > 150 for row in rows)"""),
    ("bson-rows", "bson", documents, """
import struct
def text(at):
    end = data.index(b"\\0", at)
    return data[at:end].decode(), end + 1
def document(at, limit):
    length, = struct.unpack_from("<i", data, at)
    end, found = at + length, {}
    if end > limit or length < 5 or data[end - 1] != 0: sys.exit(0)
    at += 4
    while data[at] != 0:
        kind = data[at]
        name, at = text(at + 1)
        if kind in (3, 4): found[name], at = document(at, end)
        elif kind == 2:
            size, = struct.unpack_from("<i", data, at)
            if size < 1 or data[at + 3 + size] != 0 or at + 4 + size > end: sys.exit(0)
            found[name], at = data[at + 4:at + 3 + size].decode(), at + 4 + size
        elif kind == 16: found[name], at = struct.unpack_from("<i", data, at)[0], at + 4
        elif kind == 1: found[name], at = struct.unpack_from("<d", data, at)[0], at + 8
        elif kind == 8: found[name], at = data[at] == 1, at + 1
        else: sys.exit(0)
    if at + 1 != end: sys.exit(0)
    return found, end
found, end = document(0, len(data))
if end != len(data): sys.exit(0)
for row in found["rows"].values():
    assert not (row["place"]["x"] == 17 and len(row["lines"]) > 1)"""),
    ("stl-point", "stl", triangles, """
import struct
count, = struct.unpack_from("<I", data, 80)
if len(data) != 84 + 50 * count: sys.exit(0)
for nth in range(count):
    _, _, _, *corners, _ = struct.unpack_from("<12fH", data, 84 + 50 * nth)
    assert not (corners[:3] == corners[3:6] == corners[6:] and any(corners))"""),
    ("firmware-parts", "fw", firmware, """
import struct, zlib
magic, version, count, size, total = struct.unpack_from(">4sHHII", data)
if magic != b"FWU2" or size != len(data) or total != sum(data[16:]): sys.exit(0)
for nth in range(count):
    name, at, length, crc, rest = struct.unpack_from(">16sIIII", data, 16 + 32 * nth)
    part = data[at:at + length]
    if len(part) != length or zlib.crc32(part) != crc or at < 16 + 32 * count: sys.exit(0)
    assert b"import os" not in part"""),
    ("protobuf-rows", "pb", messages_of_protobuf, """
def number(at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at += 1; shift += 7
        if data[at - 1] < 128: return value, at
def message(at, end, depth, shape):
    found = {}
    while at < end:
        key, at = number(at)
        kind, key = key & 7, key >> 3
        if kind == 0: value, at = number(at)
        elif kind == 5: value, at = data[at:at + 4], at + 4
        elif kind == 2:
            size, at = number(at)
            if at + size > end: sys.exit(0)
            value = message(at, at + size, depth + 1, shape[key]) if key in shape else data[at:at + size]
            at += size
        else: sys.exit(0)
        found.setdefault(key, []).append(value)
    if at != end: sys.exit(0)
    return found
found = message(0, len(data), 0, {2: {3: {}}})
for row in found[2]:
    assert not (row[3][0][1] == [17] and len(row.get(4, [])) > 1)"""),
    ("table-names", "tbl", indexed, """
import struct, zlib
if data[:4] != b"TBL1" or zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]: sys.exit(0)
count, at, texts, size = struct.unpack_from("<IIII", data, 4)
if at + 12 * count > texts or texts + size != len(data) - 4: sys.exit(0)
for nth in range(count):
    place, number, length, square = struct.unpack_from("<IHHI", data, at + 12 * nth)
    if data[texts + place + length] != 0 or b"\\0" in data[texts + place:texts + place + length]: sys.exit(0)
    assert not (number == 37 and length > 3)"""),
]
# The same reader as that of the other image.
PIXEL = next(code for name, _, _, code in ROWS if name == "png-pixel")
ROWS = [(*row[:3], row[3] or PIXEL) for row in ROWS]
