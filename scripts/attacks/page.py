"""The page of a campaign: requests of another user, and of other pages in the user's browser."""
import http.client, re, socket, subprocess, time
import stage


def request(port, text, limit=5):
    """Sends bytes, and returns what comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit) as connection:
        connection.sendall(text)
        connection.settimeout(limit)
        found = b""
        try:
            while part := connection.recv(65536):
                found += part
                if len(found) > 1 << 20:
                    break
        except (socket.timeout, ConnectionError):
            pass
        return found


def tries(program, base, rng, scale):
    env = stage.environment(base / "home")
    (base / "crashes").mkdir()
    (base / "crashes/1").write_text("topsecret crash")
    test = stage.script(base / "test.sh", "grep -q crash \"$1\" && { echo boom >&2; kill -SEGV $$; }; exit 0")
    stage.run([program, "reduce-all", "crashes", "-o", "out", "--max-tests", "20", "--", test, "{}"], base, env, 60)
    server = subprocess.Popen([program, "campaign", "serve", base / "out/campaign", "--address", "127.0.0.1:0"], cwd=base, env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)(\S*)", said)):
            line = server.stdout.readline()
            if not line:
                yield ("page", "start", f"it does not start: {said}")
                return
            said += line
        yield from requests(int(found[1]), found[2], server)
    finally:
        server.terminate()
        server.wait()


PATHS = ["/", "/api/summary", "/api/history", "/api/issues", "/api/issue/1", "/api/issue/1/test", "/api/issue/1/reduced",
         "/api/events", "/api/stop", "/page.js", "/../../../etc/passwd", "/%2e%2e/campaign.toml", "//etc/passwd", "/api/issue/-1",
         "/api/issue/99999999999999999999", "/api/issue/1/../1/test", "/?token=", "/?token=x", "/api/issues?token=0", "/%00", "/\\", "/api/issue/1;x"]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PATCH"]
HEADS = {
    "no token": "",
    "wrong cookie": "Cookie: token=wrong\r\n",
    "empty cookie": "Cookie: token=\r\n",
    "wrong bearer": "Authorization: Bearer x\r\n",
    "empty bearer": "Authorization: Bearer \r\n",
    "other origin": "Origin: http://evil.example\r\n",
    "cross site": "Sec-Fetch-Site: cross-site\r\n",
}
SECRETS = [b"topsecret", b"SIGSEGV", b"crash"]


def requests(port, path, server):
    def act(text):
        try:
            return request(port, text, 2)
        except OSError:
            return b""
    for name, head in HEADS.items():
        for method in METHODS:
            for target in PATHS:
                body = '{"action":"delete"}' if method in ("POST", "PUT", "PATCH", "DELETE") else ""
                text = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
                found = act(text.encode())
                what = next((f"it shows {secret.decode()}" for secret in SECRETS if secret in found.split(b"\r\n\r\n", 1)[-1] and b"/*" not in found and b"<!doctype" not in found.lower()), None)
                if not what and target.startswith("/api/") and found.startswith((b"HTTP/1.1 200", b"HTTP/1.1 204")) and method != "OPTIONS":
                    what = "it answers without the token: " + found[:15].decode()
                if not what and method == "HEAD" and b"\r\n\r\n" in found and found.split(b"\r\n\r\n", 1)[1]:
                    what = "the answer to HEAD has a body"
                yield (f"requests with {name}", f"{method} {target} with {name}", what)
    token = path.split("token=", 1)[-1] if "token=" in path else ""
    shown = f"Authorization: Bearer {token}\r\n"
    for target in ("/api/issues", "/api/issue/1/test"):
        found = act(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{shown}Connection: close\r\n\r\n".encode())
        # Else the tries below show nothing.
        yield ("control with the token", target, None if found.startswith(b"HTTP/1.1 200") else "it does not answer to the token")
    for name, head in {"other host": "Host: evil.example\r\n", "two hosts": f"Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n", "no host": "",
                       "other site": f"Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site\r\n", "other origin": f"Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n",
                       "origin null": f"Host: 127.0.0.1:{port}\r\nOrigin: null\r\n", "other port": f"Host: 127.0.0.1:{port + 1}\r\n"}.items():
        for method, target in (("GET", "/api/issue/1/test"), ("POST", "/api/issue/1"), ("POST", "/api/stop"), ("GET", "/api/issues")):
            text = f"{method} {target} HTTP/1.1\r\n{head}{shown}Content-Length: 0\r\nConnection: close\r\n\r\n"
            found = act(text.encode())
            what = "it answers" if found.startswith((b"HTTP/1.1 200", b"HTTP/1.1 204")) else None
            yield ("the token from elsewhere", f"{method} {target}, {name}", what)
    for name, text in {"nothing": b"", "half a line": b"GET /", "no end": b"GET / HTTP/1.1\r\nHost: x\r\n", "long line": b"GET /" + b"a" * 200_000, "many heads": b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000,
                       "long body": b"POST /api/stop HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "negative": b"POST /api/stop HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "two lengths": b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nxxxxxxxxx",
                       "chunks": b"POST /api/stop HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "bytes": bytes(range(256)) * 8, "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "spaces": b"GET  /  HTTP/1.1\r\n\r\n",
                       "http/0.9": b"GET /api/issues\r\n\r\n", "http/9": b"GET / HTTP/9.9\r\n\r\n", "folded": b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "bare lf": b"GET / HTTP/1.1\nHost: a\n\n"}.items():
        act(text)
        yield ("broken requests", name, None if server.poll() is None else "the server ended")
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
    for connection in held[:150]:
        connection.sendall(b"GET / HTTP/1.1\r\nHos")
    begin = time.time()
    found = act(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    yield ("broken requests", "300 half requests", None if found and time.time() - begin < 3 else "they delay others")
    for connection in held:
        connection.close()
