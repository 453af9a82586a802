"""Reads a path over a Unix socket from four threads, a connection for each read, until a file appears; prints counts as JSON."""

import json
import os
import socket
import sys
import threading
import time

path, target, until = sys.argv[1:]
request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
lock = threading.Lock()
total = {"answers": 0, "errors": 0, "longest_ms": 0.0, "first_error": None}


def read_once():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(path)
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise OSError(f"answered {answer[:60]!r}")


def read_on():
    while not os.path.exists(until):
        started = time.monotonic()
        error = None
        try:
            read_once()
        except OSError as problem:
            error = repr(problem)
        took = (time.monotonic() - started) * 1000
        with lock:
            total["errors" if error else "answers"] += 1
            total["first_error"] = total["first_error"] or error
            total["longest_ms"] = round(max(total["longest_ms"], took), 1)
        time.sleep(0.001)


threads = [threading.Thread(target=read_on) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(total))
