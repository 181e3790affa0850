use super::{decode, encode};

const PLAIN: &str = "%PDF-1.5
%objects
1 0 obj
<</Type/Catalog/Pages 2 0 R/Names(trailer)>>
endobj
2 0 obj
<</Type/Pages/Kids[4 0 R]/Count 1>>
endobj
%end
4 0 obj
<</Type/Page/Parent 2 0 R/Contents 6 0 R>>
endobj
6 0 obj
<</Length 7>>stream
endobj
endstream
endobj
%stream
trailer
<</Root 1 0 R>>
";

#[test]
fn a_document_is_written_with_streams_and_read_again() {
    let file = encode(PLAIN.as_bytes());
    let text = String::from_utf8_lossy(&file);
    assert!(
        text.contains("7 0 obj\n<</Type/ObjStm/N 2/First 9/Length 90>>stream\n1 0 2 45 <</Type"),
        "{text}"
    );
    assert!(
        text.contains(
            "8 0 obj\n<</Type/XRef/Size 9/W[1 2 1]/Index[0 3 4 1 6 3]/Root 1 0 R/Length 28>>stream"
        ),
        "{text}"
    );
    assert_eq!(decode(&file, 10_000).unwrap(), PLAIN.as_bytes());
    assert_eq!(decode(&file, 300), None);
}

#[test]
fn without_the_comments_it_is_a_document_without_streams() {
    let plain = PLAIN
        .replace("%objects\n", "")
        .replace("%end\n", "")
        .replace("%stream\n", "");
    let file = encode(plain.as_bytes());
    let text = String::from_utf8(file).unwrap();
    let table = "xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000069 00000 n \n4 1\n";
    assert!(text.contains(table), "{text}");
    assert!(
        text.ends_with("trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n230\n%%EOF\n"),
        "{text}"
    );
    assert_eq!(decode(text.as_bytes(), 10_000), None);
}

#[test]
fn a_text_that_is_not_a_document_is_written_unchanged() {
    for text in [
        "",
        "%",
        "1 0 obj",
        "1 0 obj <<",
        "trailer",
        "(",
        "1 0 obj (x) endobj 18446744073709551615 0 obj 1 endobj trailer <<>>",
    ] {
        encode(text.as_bytes());
        decode(text.as_bytes(), 999);
    }
    assert_eq!(encode(b"some  words %objects"), b"some\nwords\n");
}
