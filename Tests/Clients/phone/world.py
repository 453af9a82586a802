"""Network namespaces of a host, its phone and its neighbours, and sockets that are made in them."""

import ctypes
import http.client
import json
import os
import socket
import subprocess
import threading

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
# A number of the process keeps two runs on one machine apart.
MARK = f"{os.getpid() % 100000}"
HOST, PHONE, STRANGER, OTHER = (f"gcp{kind}{MARK}" for kind in "hpso")
ADDRESS, PHONES, STRANGERS = "10.77.19.1", "10.77.19.2", "10.77.19.3"
OTHER_HOST, OTHERS = "10.77.20.1", "10.77.20.2"


def ip(*words, check=True):
    subprocess.run(["ip", *words], check=check, stdout=subprocess.DEVNULL, stderr=None if check else subprocess.DEVNULL)


def tear_down():
    for name in [HOST, PHONE, STRANGER, OTHER]:
        ip("netns", "del", name, check=False)


def set_up():
    """A bridge in the host's namespace joins phone and stranger; another neighbour is in another subnet of the host."""
    for name in [HOST, PHONE, STRANGER, OTHER]:
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
    ip("-n", HOST, "link", "add", "lan", "type", "bridge")
    ip("-n", HOST, "addr", "add", f"{ADDRESS}/24", "dev", "lan")
    ip("-n", HOST, "link", "set", "lan", "up")
    for name, address in [(PHONE, PHONES), (STRANGER, STRANGERS)]:
        near = f"to{address.rsplit('.', 1)[1]}"
        ip("-n", HOST, "link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", HOST, "link", "set", near, "master", "lan", "up")
        ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
    ip("-n", HOST, "link", "add", "other", "type", "veth", "peer", "name", "eth0", "netns", OTHER)
    ip("-n", HOST, "addr", "add", f"{OTHER_HOST}/24", "dev", "other")
    ip("-n", HOST, "link", "set", "other", "up")
    ip("-n", OTHER, "addr", "add", f"{OTHERS}/24", "dev", "eth0")
    ip("-n", OTHER, "link", "set", "eth0", "up")
    ip("-n", OTHER, "route", "add", "default", "via", OTHER_HOST)


def connect(namespace, address, timeout=20):
    """A TCP connection out of a namespace: only the thread that makes the socket enters it."""
    made = []

    def make():
        with open(f"/run/netns/{namespace}") as file:
            if LIBC.setns(file.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        try:
            made.append(socket.create_connection(address, timeout))
        except OSError as error:
            made.append(error)

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise made[0]
    return made[0]


def flood(namespace, address, count, end):
    """Opens connections out of a namespace one after the other, until all were opened or the end is set; returns how many were."""
    made = []

    def make():
        with open(f"/run/netns/{namespace}") as file:
            if LIBC.setns(file.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        held = []
        while len(made) < count and not end.is_set():
            sock = socket.socket()
            sock.settimeout(20)
            try:
                sock.connect(address)
                made.append(1)
                held.append(sock)
            except OSError:
                sock.close()
            # The newest thousand stay open, whatever the other side does with them.
            if len(held) > 1_000:
                held.pop(0).close()
        for sock in held:
            sock.close()

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    return len(made)


class Connection(http.client.HTTPConnection):
    def __init__(self, namespace, host, port, timeout=20):
        super().__init__(host, port, timeout=timeout)
        self.namespace = namespace

    def connect(self):
        self.sock = connect(self.namespace, (self.host, self.port), self.timeout)


class Unix(http.client.HTTPConnection):
    """HTTP on a Unix socket, of whatever namespace."""

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


def ask(namespace, port, method, target, body=None, headers=None, host=ADDRESS):
    """The status and the JSON of an answer; 0 where the connection is closed unread."""
    connection = Connection(namespace, host, port)
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
    try:
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        text = answer.read()
    except (http.client.RemoteDisconnected, ConnectionError):
        return 0, None
    finally:
        connection.close()
    try:
        return answer.status, json.loads(text) if text else None
    except ValueError:
        return answer.status, text


def send(namespace, port, text, timeout=20, host=ADDRESS):
    """The status of the answer to bytes as they are; 0 where there is none."""
    try:
        with connect(namespace, (host, port), timeout) as sock:
            sock.sendall(text)
            answer = b""
            while piece := sock.recv(65536):
                answer += piece
    except OSError:
        return 0
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else 0
