"""A flood of connections by another user, and how long the bridge's own user waits beside it.

    python3 Tests/Benchmarks/flood.py FOLDER-OF-PROGRAMS [CONNECTIONS]

Measures twice in one run: with the kernel asked about each socket, and with netlink refused, where each look-up reads the table of all sockets, as it
did before. CONNECTIONS others make that table long. Needs root, since the flood is another user's, and a C compiler.
"""

import multiprocessing
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

OTHER = 54_321
FLOODING = 4
ASKED = 20
TOKEN = "t" * 32
REFUSING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
int socket(int domain, int type, int protocol) {
  static int (*real)(int, int, int);
  if (!real) real = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  if (domain == AF_NETLINK) return errno = EPERM, -1;
  return real(domain, type, protocol);
}
"""


def wait_for(process, text: str) -> str:
    for line in process.stdout:
        if text in line:
            return line
    raise SystemExit(f"flood: {process.args[0]} ended before it said “{text}”")


def flood(port: int) -> None:
    """Connects, sends a request and waits until it is closed, again and again."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setgid(OTHER)
    os.setuid(OTHER)
    while True:
        held = []
        for _ in range(32):
            one = socket.socket()
            one.settimeout(30)
            try:
                one.connect(("127.0.0.1", port))
                one.sendall(b"GET /v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
            except OSError:
                pass
            held.append(one)
        for one in held:
            try:
                one.recv(1)
            except OSError:
                pass
            one.close()


def ask(port: int) -> float:
    """The milliseconds of one request over a connection of its own."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=120) as one:
        one.sendall(f"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while piece := one.recv(65_536):
            answer += piece
    if not answer.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"flood: {answer[:200]!r}")
    return (time.monotonic() - began) * 1000


def words(times: list[float]) -> str:
    return f"median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms"


def measure(name: str, programs: str, folder: str, environment: dict) -> None:
    bridge = subprocess.Popen(
        [programs + "/gameconfctl", "bridge", "--token-file", folder + "/token"], env=os.environ | environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    floods: list[multiprocessing.Process] = []
    try:
        port = int(wait_for(bridge, "127.0.0.1:").split("127.0.0.1:")[1].split("/")[0].split()[0].rstrip(".,"))
        quiet = [ask(port) for _ in range(ASKED)]
        floods = [multiprocessing.Process(target=flood, args=(port,), daemon=True) for _ in range(FLOODING)]
        for each in floods:
            each.start()
        time.sleep(1)
        busy = [ask(port) for _ in range(ASKED)]
        print(f"{name}: alone {words(quiet)}; in the flood {words(busy)}", flush=True)
    finally:
        for each in floods:
            each.kill()
            each.join()
        bridge.kill()
        bridge.wait()


def main() -> None:
    programs = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
    if os.geteuid() != 0:
        raise SystemExit("flood: run it as root")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="gc-flood.", dir="/tmp") as folder:
        with open(folder + "/token", "w", encoding="utf-8") as file:
            file.write(TOKEN + "\n")
        os.chmod(folder + "/token", 0o600)
        with open(folder + "/refusing.c", "w", encoding="utf-8") as file:
            file.write(REFUSING)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", folder + "/refusing.c", "-o", folder + "/refusing.so", "-ldl"], check=True)
        daemon = subprocess.Popen(
            [programs + "/gameconfd", "--defaults", os.path.dirname(os.path.realpath(__file__)) + "/../../Defaults", "--runtime-dir",
             folder + "/run", "--state-dir", folder + "/state"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            wait_for(daemon, "ready")
            os.environ["GAMECONF_SOCKET"] = folder + "/run/games.sock"
            listener = socket.create_server(("127.0.0.1", 0), backlog=1_024)
            held = []
            for _ in range(count):
                held.append(socket.create_connection(listener.getsockname()))
                held.append(listener.accept()[0])
            print(f"{2 * count} sockets of others, {FLOODING * 32} connections of another user at once, {ASKED} requests of its own user")
            measure("before, the table is read", programs, folder, {"LD_PRELOAD": folder + "/refusing.so"})
            measure("after, the kernel is asked", programs, folder, {})
        finally:
            daemon.kill()
            daemon.wait()


if __name__ == "__main__":
    main()
