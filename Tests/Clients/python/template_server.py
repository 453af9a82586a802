"""A server of templates that does what good and bad servers do: gameconf-fetch is held against it by Tests/DaemonTests.

python3 template_server.py FOLDER

It writes its own authority (ca.pem) and a service account's key (key.json) into the folder, and says "ready HTTPS EXPIRED PROXY PLAIN", a port each, on
standard error. The second port shows a certificate that is over, the third is a proxy that makes tunnels to the first two, the fourth speaks plain HTTP. What
it does stands in FOLDER/way as JSON and is read anew at each request; each request is a line of FOLDER/requests, each of the proxy's of FOLDER/tunnels.
"""
import base64
import gzip
import hashlib
import http.client
import http.server
import itertools
import json
import os
import select
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

FOLDER = sys.argv[1]


def path(name):
    return os.path.join(FOLDER, name)


def openssl(*words):
    done = subprocess.run(("openssl",) + words, cwd=FOLDER, capture_output=True)
    if done.returncode:
        sys.exit(f"openssl {words}: {done.stderr.decode()}")


def new_key(name):
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", name + ".key")
    openssl("pkey", "-in", name + ".key", "-pubout", "-out", name + ".pub")


def write(name, text):
    with open(path(name) + ".new", "w") as file:
        file.write(text)
    os.rename(path(name) + ".new", path(name))


def make_certificates():
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=Test authority")
    write("names", "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    write(
        "ca.conf",
        "[ca]\ndefault_ca=a\n[a]\ndatabase=index\nnew_certs_dir=.\nserial=serial\ndefault_md=sha256\npolicy=p\nunique_subject=no\n"
        "[p]\ncommonName=supplied\n",
    )
    write("index", "")
    write("serial", "01\n")
    for name, end in (("server", "20991231000000Z"), ("expired", "20200102000000Z")):
        openssl(
            "ca", "-batch", "-config", "ca.conf", "-cert", "ca.pem", "-keyfile", "ca.key", "-in", "server.csr", "-out", name + ".pem",
            "-startdate", "20200101000000Z", "-enddate", end, "-extfile", "names", "-notext",
        )


def write_account(port):
    """The service account's key, of a pair made anew."""
    new_key("account")
    with open(path("account.key")) as file:
        pem = file.read()
    write(
        "key.json",
        json.dumps({
            "type": "service_account", "project_id": "p", "private_key_id": "k1", "private_key": pem,
            "client_email": "fetch@p.iam.gserviceaccount.com", "token_uri": f"https://localhost:{port}/token",
        }),
    )
    os.chmod(path("key.json"), 0o600)


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def why_no_token(assertion, port):
    """Why an assertion is refused; None when it is good."""
    head, claims, signature = assertion.split(".")
    write("signed", head + "." + claims)
    with open(path("signature"), "wb") as file:
        file.write(unpadded(signature))
    done = subprocess.run(
        ("openssl", "dgst", "-sha256", "-verify", "account.pub", "-signature", "signature", "signed"), cwd=FOLDER, capture_output=True)
    if done.returncode:
        return "the signature is not the account's"
    head, claims = json.loads(unpadded(head)), json.loads(unpadded(claims))
    if head != {"alg": "RS256", "typ": "JWT", "kid": "k1"}:
        return f"the header is {head}"
    if claims["aud"] != f"https://localhost:{port}/token" or claims["iss"] != "fetch@p.iam.gserviceaccount.com":
        return f"the claims are {claims}"
    if claims["scope"] != "https://www.googleapis.com/auth/firebase.remoteconfig":
        return "the scope is another"
    if not 0 < claims["exp"] - claims["iat"] <= 3600 or abs(claims["iat"] - time.time()) > 300:
        return "the times are wrong"
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    tokens = set()
    numbers = itertools.count(1)
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def way(self):
        with open(path("way")) as file:
            return json.load(file)

    def note(self, status):
        line = {
            "method": self.command, "path": self.path, "status": status, "etag": self.headers.get("If-None-Match"),
            "encoding": self.headers.get("Accept-Encoding"),
        }
        with Handler.lock, open(path("requests"), "a") as file:
            file.write(json.dumps(line) + "\n")

    def answer(self, status, body, headers=(), length=None):
        self.note(status)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def document(self, document, kind="application/json"):
        body = document.encode()
        tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, b"", [("ETag", tag)])
        headers = [("ETag", tag), ("Content-Type", kind)]
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body)
            headers.append(("Content-Encoding", "gzip"))
        else:
            headers = headers[1:]
        self.answer(200, body, headers)

    def endless(self, coding):
        self.note(200)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if coding:
            self.send_header("Content-Encoding", coding)
        self.send_header("Connection", "close")
        self.end_headers()
        piece = gzip.compress(bytes(1 << 30 >> 5), 9) if coding else b" " * 65536
        try:
            for _ in range(1 if coding else 16384):
                self.wfile.write(piece)
        except OSError:
            pass
        self.close_connection = True

    def unmeasured(self, document, ends):
        """An answer that has no length; TLS is closed properly behind it, or the connection just ends, as one that is cut."""
        self.note(200)
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(document.encode())
        self.close_connection = True
        if ends:
            try:
                self.connection.unwrap()
            except OSError:
                pass

    def relay(self, address, target):
        """What a daemon answers on its Unix socket, with its headers."""
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(address)
            daemon.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = http.client.HTTPResponse(daemon)
            answer.begin()
            body = answer.read()
        own = ("content-length", "connection", "date", "transfer-encoding")
        self.answer(answer.status, body, [header for header in answer.getheaders() if header[0].lower() not in own])

    def slow(self):
        self.note(200)
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        try:
            for _ in range(1000):
                self.wfile.write(b" ")
                time.sleep(1)
        except OSError:
            pass
        self.close_connection = True

    def do_GET(self):
        way = self.way()
        if way.get("revoked"):
            Handler.tokens.clear()
        if self.path.startswith("/v1/"):
            given = self.headers.get("Authorization", "")
            if given.removeprefix("Bearer ") not in Handler.tokens:
                return self.answer(401, b'{"error": {"code": 401, "message": "no such token"}}')
        do = way["do"]
        if do == "document":
            return self.document(way["document"], way.get("kind", "application/json"))
        if do == "status":
            return self.answer(way["status"], way.get("body", "").encode(), list(way.get("headers", {}).items()))
        if do == "half":
            body = way["document"].encode()
            self.answer(200, body[: len(body) // 2], length=len(body))
            self.close_connection = True
            return None
        if do == "loop":
            return self.answer(302, b"", [("Location", self.path)])
        if do == "relay":
            return self.relay(way["socket"], way["path"])
        if do == "unmeasured":
            return self.unmeasured(way["document"], way.get("ends"))
        if do == "endless":
            return self.endless(way.get("coding"))
        return self.slow()

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        why = why_no_token(form["assertion"][0], PORT)
        if why:
            return self.answer(400, json.dumps({"error": "invalid_grant", "error_description": why}).encode())
        token = f"token-{next(Handler.numbers)}"
        Handler.tokens.add(token)
        return self.answer(200, json.dumps({"access_token": token, "expires_in": 3599, "token_type": "Bearer"}).encode())


class Proxy(socketserver.BaseRequestHandler):
    """Makes tunnels, unless the way says by "proxy" with which status it refuses to. What goes through one is not looked at."""

    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self.request.recv(1)
            if not byte:
                return
            head += byte
        method, target, _ = head.decode().split("\r\n")[0].split(" ")
        with Handler.lock, open(path("tunnels"), "a") as file:
            file.write(json.dumps({"method": method, "target": target, "head": head.decode()}) + "\n")
        with open(path("way")) as file:
            refusal = json.load(file).get("proxy")
        if method != "CONNECT" or refusal:
            # Its own tag and Retry-After are no source's.
            said = f"HTTP/1.1 {refusal or 405} No\r\nETag: \"proxy\"\r\nRetry-After: 7000\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            return self.request.sendall(said.encode())
        with socket.create_connection(("127.0.0.1", int(target.rpartition(":")[2]))) as other:
            self.request.sendall(b"HTTP/1.1 200 Connected\r\nGameconf-Revision: 7\r\n\r\n")
            sides = {self.request: other, other: self.request}
            while True:
                for side in select.select(list(sides), [], [])[0]:
                    piece = side.recv(65536)
                    if not piece:
                        return None
                    sides[side].sendall(piece)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def serve(name):
    server = Server(("127.0.0.1", 0), Handler)
    if name:
        encrypt(server, name)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def encrypt(server, name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path(name + ".pem"), path("server.key"))
    # The handshake is the thread's of the connection, so that one that is given up holds nobody.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)


def serve_proxy():
    socketserver.ThreadingTCPServer.daemon_threads = True
    proxy = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Proxy)
    proxy.handle_error = lambda *_: None
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    return proxy.server_address[1]


if not os.path.exists(path("way")):
    write("way", '{"do": "status", "status": 404}')
make_certificates()
PORT = serve("server")
write_account(PORT)
print("ready", PORT, serve("expired"), serve_proxy(), serve(None), file=sys.stderr, flush=True)
threading.Event().wait()
