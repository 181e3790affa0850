//! Texts in archives and compressed files.

use crate::skip::skipped;
use crate::stage::Stage;
use std::process::Command;

/// Packs files: `pack.py FORMAT ARCHIVE FILE...`.
const PACK: &str = r#"
import gzip, io, sys, tarfile, zipfile
form, archive, *names = sys.argv[1:]
if form in ("deflated", "stored"):
    method = {"deflated": zipfile.ZIP_DEFLATED, "stored": zipfile.ZIP_STORED}[form]
    with zipfile.ZipFile(archive, "w", method) as out:
        for name in names:
            # EPUB and OpenDocument begin with a member that is stored.
            out.write(name, compress_type=zipfile.ZIP_STORED if name == "mimetype" else method)
elif form == "tar.gz":
    with tarfile.open(archive, "w:gz", format=tarfile.USTAR_FORMAT) as out:
        for name in names:
            out.add(name)
else:
    with open(archive, "wb") as out:
        out.write(gzip.compress(open(names[0], "rb").read(), mtime=0))
"#;

/// Fails like a program that reads a member of an archive: `reader.py FILE NAME` exits with 0 if
/// the text is well-formed and has what crashes the program. `reader.py FILE NAME print` prints it.
const READER: &str = r#"
import sys, zlib
path, name = sys.argv[1:3]
data = open(path, "rb").read()
number = lambda data, at, size: int.from_bytes(data[at:at + size], "little")

def zipped(data):
    end = data.rindex(b"PK\5\6")
    at = number(data, end + 16, 4)
    assert at + number(data, end + 12, 4) == end
    for _ in range(number(data, end + 10, 2)):
        assert data[at:at + 4] == b"PK\1\2"
        sizes = [number(data, at + of, 2) for of in (28, 30, 32)]
        local = number(data, at + 42, 4)
        assert data[local:local + 4] == b"PK\3\4"
        start = local + 30 + number(data, local + 26, 2) + number(data, local + 28, 2)
        text = data[start:start + number(data, at + 20, 4)]
        if number(data, local + 8, 2) == 8:
            text = zlib.decompress(text, -15)
        assert zlib.crc32(text) == number(data, at + 16, 4)
        if data[at + 46:at + 46 + sizes[0]] == name.encode():
            return text
        at += 46 + sum(sizes)

def tarred(data):
    at = 0
    while any(data[at:at + 512]):
        header = data[at:at + 148] + b" " * 8 + data[at + 156:at + 512]
        assert sum(header) == int(data[at + 148:at + 156].strip(b"\0 "), 8)
        size = int(data[at + 124:at + 135], 8)
        if data[at:at + 100].rstrip(b"\0") == name.encode():
            return data[at + 512:at + 512 + size]
        at += 512 + (size + 511) // 512 * 512

def markup(text):
    import pyexpat
    found, path = [], []
    parser = pyexpat.ParserCreate()
    def start(name, _):
        found.append(name == "bad" and path[-1:] == ["item"])
        path.append(name)
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: path.pop()
    parser.Parse(text, True)
    return any(found)

def notebook(text):
    import json
    return any("bad" in cell["metadata"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "raw")

def properties(text):
    return any(line.split(b"=")[1].endswith(b"\\u12") for line in text.splitlines() if b"=" in line)

def code(text):
    head, body = b"".join(text.split()).split(b"main(")
    return text.count(b"{") == text.count(b"}") and b"){" in body.split(b"crash(")[0] and b");" in body.split(b"crash(")[1]

def member():
    if data[:2] == b"PK":
        return zipped(data)
    text = zlib.decompress(data, 31) if data[:2] == b"\x1f\x8b" else data
    return tarred(text) if text[257:262] == b"ustar" else text

try:
    text = member()
    kinds = {"xml": markup, "xhtml": markup, "ipynb": notebook, "properties": properties, "c": code}
    fails = kinds[name.rsplit(".")[-1]](text)
except Exception:
    fails = False
if sys.argv[3:]:
    sys.stdout.buffer.write(text)
sys.exit(0 if fails else 1)
"#;

/// Returns a stage with both programs. If there is no interpreter for them, reports that the test
/// is skipped.
fn stage() -> Option<Stage> {
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("python3");
        return None;
    }
    let stage = Stage::new();
    stage.file("pack.py", PACK);
    stage.file("reader.py", READER);
    Some(stage)
}

fn python(stage: &Stage, args: &[&str]) -> std::process::Output {
    let mut command = Command::new("python3");
    command.args(args).current_dir(stage.folder());
    command.output().unwrap()
}

/// Reduces a file of which a text has a name. Returns the text that is left, and the tests.
fn reduced(stage: &Stage, file: &str, result: &str, name: &str) -> (String, u64) {
    let reader = stage.path("reader.py");
    let line = format!("reduce -q --stats stats.json {file} -o {result} --");
    let reader = reader.to_str().unwrap();
    let test = ["python3", "-S", "-E", "-I", reader, "{}", name];
    stage.run(line.split(' ').chain(test)).ended(0);
    let stats: serde_json::Value = serde_json::from_slice(&stage.read("stats.json")).unwrap();
    let shown = python(stage, &["reader.py", result, name, "print"]);
    assert_eq!(shown.status.code(), Some(0), "{file}");
    let text = String::from_utf8(shown.stdout).unwrap();
    (text, stats["tests"].as_u64().unwrap())
}

/// An archive to make: its form, its name, and its members with their texts, the one that is needed
/// first.
type Archive<'a> = (&'a str, &'a str, &'a [(&'a str, String)]);

/// Checks that the first members of archives, which have the same text, are reduced to `left`, as
/// by itself, with at most twenty tests more. The text alone is reduced once for all archives.
fn is_reduced_as_by_itself(archives: &[Archive<'_>], left: &str) {
    let Some(stage) = stage() else { return };
    let (first, text) = &archives[0].2[0];
    stage.file(first, text);
    let (shown, alone) = reduced(&stage, first, "alone", first);
    assert_eq!(shown, left, "{first} by itself");
    for &(form, archive, members) in archives {
        let name = members[0].0;
        assert_eq!(&members[0].1, text, "{name}");
        for (name, text) in members {
            stage.file(name, text);
        }
        let mut names: Vec<&str> = members.iter().map(|member| member.0).collect();
        names.rotate_left(1);
        let packed = python(&stage, &[&["pack.py", form, archive], &names[..]].concat());
        assert!(packed.status.success(), "{packed:?}");
        let result = format!("min.{archive}");
        let (text, tests) = reduced(&stage, archive, &result, name);
        assert_eq!(text, left, "{archive}");
        assert!(
            tests <= alone + 20,
            "{archive}: {tests} tests, {name}: {alone}"
        );
    }
}

/// Returns a list of items, one of which crashes the reader, with a text behind each element.
fn list(behind: &str) -> String {
    let item = |nth: usize| {
        format!(
            "<item id=\"{nth}\" colour=\"c{}\"><name>thing number {nth}</name>{behind}\
             <price unit=\"eur\">{}</price></item>{behind}",
            nth % 7,
            nth * 3 % 16
        )
    };
    let items = |from: usize| (from..from + 30).map(item).collect::<String>();
    let bad = format!("<item id=\"x\"><name>odd</name><bad/></item>{behind}");
    format!("<list>{}{bad}{}</list>", items(0), items(30))
}

#[test]
fn a_list_in_an_archive_is_reduced_as_by_itself() {
    let members = [("list.xml", list(""))];
    let zips = [
        ("deflated", "deflated.zip", &members[..]),
        ("stored", "stored.zip", &members[..]),
    ];
    is_reduced_as_by_itself(&zips, "<item><bad/></item>");
}

#[test]
fn a_list_of_many_lines_in_an_archive_is_reduced_as_by_itself() {
    let members = [("list.xml", list("\n"))];
    is_reduced_as_by_itself(
        &[("deflated", "lines.zip", &members[..])],
        "<item><bad/></item>",
    );
}

/// Returns markup with elements of one name around the part that crashes the reader.
fn markup(root: &str, element: &str) -> String {
    let part = |nth: usize| format!("<{element} class=\"k{nth}\">Part {nth}.</{element}>");
    let parts: String = (0..20).map(part).collect();
    format!("<?xml version=\"1.0\"?>\n<{root}>{parts}<item><bad/></item>{parts}</{root}>\n")
}

fn small(root: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<{root}><part name=\"a\"/><part name=\"b\"/></{root}>\n")
}

#[test]
fn office_documents_are_reduced_as_the_text_in_them() {
    let left = "<item><bad/></item>";
    let others = [
        ("[Content_Types].xml", small("Types")),
        ("_rels/.rels", small("Relationships")),
        ("styles.xml", small("styles")),
    ];
    let with = |name| [&[(name, markup("root", "p"))][..], &others].concat();
    let word = with("word/document.xml");
    let sheet = with("xl/worksheets/sheet1.xml");
    let slide = with("ppt/slides/slide1.xml");
    let archives = [
        ("deflated", "in.docx", &word[..]),
        ("deflated", "in.xlsx", &sheet[..]),
        ("deflated", "in.pptx", &slide[..]),
    ];
    is_reduced_as_by_itself(&archives, left);
    let members = [
        ("content.xml", markup("body", "p")),
        ("mimetype", "application/vnd.oasis.opendocument.text".into()),
        ("META-INF/manifest.xml", small("manifest")),
    ];
    is_reduced_as_by_itself(&[("deflated", "in.odt", &members[..])], left);
}

#[test]
fn books_and_packages_are_reduced_as_the_text_in_them() {
    let members = [
        ("OPS/chapter.xhtml", markup("html", "p")),
        ("mimetype", "application/epub+zip".into()),
        ("META-INF/container.xml", small("container")),
        ("OPS/style.css", "p { color: red }\n".repeat(9)),
    ];
    is_reduced_as_by_itself(
        &[("deflated", "in.epub", &members[..])],
        "<item><bad/></item>",
    );
    let keys = |name: &str| -> String {
        (0..20)
            .map(|nth| format!("{name}.{nth}=text {nth}\n"))
            .collect()
    };
    let members = [
        (
            "messages.properties",
            format!("{}bad=\\u12\n{}", keys("a"), keys("b")),
        ),
        (
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nCreated-By: a test\n\n".into(),
        ),
        ("A.class", "\u{0}\u{1}\u{2}\u{7f}\u{0}\u{3}".repeat(9)),
    ];
    is_reduced_as_by_itself(&[("deflated", "in.jar", &members[..])], "=\\u12");
}

#[test]
fn a_notebook_in_an_archive_is_reduced_as_by_itself() {
    let cell = |nth: usize| {
        format!(
            "  {{\n   \"cell_type\": \"code\",\n   \"metadata\": {{}},\n   \"source\": [\n    \"x = {nth}\\n\"\n   ]\n  }},\n"
        )
    };
    let cells: String = (0..9).map(cell).collect();
    let raw = "  {\n   \"cell_type\": \"raw\",\n   \"metadata\": {\n    \"bad\": null\n   },\n   \"source\": []\n  }\n";
    let book = format!("{{\n \"cells\": [\n{cells}{raw} ],\n \"nbformat\": 4\n}}\n");
    let members = [("book.ipynb", book)];
    let left = "{\"cells\":[{\"cell_type\":\"raw\",\"metadata\":\"bad\"}]}";
    is_reduced_as_by_itself(&[("deflated", "in.zip", &members[..])], left);
}

#[test]
fn code_that_is_compressed_is_reduced_by_its_language() {
    let function =
        |nth: usize| format!("static int f{nth}(int a)\n{{\n    return a + {nth};\n}}\n");
    let functions: String = (0..12).map(function).collect();
    let code = format!(
        "{functions}int main(void)\n{{\n    int a = f3(1);\n    crash(a);\n    return a;\n}}\n"
    );
    let members = [("in.c", code), ("README", "Some words.\n".repeat(9))];
    let archives = [
        ("gz", "in.c.gz", &members[..1]),
        ("tar.gz", "in.tar.gz", &members[..]),
    ];
    is_reduced_as_by_itself(&archives, "main(){crash();}");
}

#[test]
fn an_archive_is_plain_bytes_for_a_test_that_does_not_read_it() {
    let Some(stage) = stage() else { return };
    stage.file("in.txt", format!("{}crash\n{0}", "some words\n".repeat(20)));
    python(&stage, &["pack.py", "stored", "in.zip", "in.txt"]);
    stage.script("test.sh", "grep -qa crash in.zip");
    stage
        .run(["reduce", "-q", "--test", "./test.sh", "in.zip"])
        .ended(0);
    assert_eq!(stage.text("in.min.zip"), "crash");
}
