"""Stops the event loops of a process, and only them, from outside, and holds them until the process is gone."""

import ctypes
import os
import sys
import time

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207

pid = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
held = 0
for thread in os.listdir(f"/proc/{pid}/task"):
    with open(f"/proc/{pid}/task/{thread}/comm") as file:
        name = file.read().strip()
    if not name.startswith("NIO-ELT"):
        continue
    if libc.ptrace(PTRACE_SEIZE, int(thread), 0, 0) != 0 or libc.ptrace(PTRACE_INTERRUPT, int(thread), 0, 0) != 0:
        sys.exit(f"ptrace {name}: {os.strerror(ctypes.get_errno())}")
    held += 1
if held == 0:
    sys.exit("no event loop found")

# A tracer that ends lets go, so stay; a thread that has died under it is reported here, and its death waits until somebody looks.
ALL_THREADS = 0x40000000
deadline = time.monotonic() + 30
while time.monotonic() < deadline:
    try:
        os.waitpid(-1, os.WNOHANG | ALL_THREADS)
    except ChildProcessError:
        sys.exit(0)
    time.sleep(0.02)
sys.exit("the process was not killed")
