#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""proxy.py SOCKET PORT_FILE CUTS EVERY: a network that fails. Carries TCP connections on loopback to a Unix socket, and
cuts all of them after every EVERY pieces of data, in the middle of whatever they say, CUTS times. For 0.2 s after a cut
nobody gets through. PORT_FILE receives the port, PORT_FILE.cuts the number of cuts so far."""
import os
import socket
import sys
import threading
import time

target, port_file, cuts, every = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
lock = threading.Lock()
state = {"pieces": 0, "cuts": 0, "closed_until": 0.0}
open_sockets = set()


def close(s):
    try:
        s.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    s.close()


def write(path, text):
    with open(path + ".new", "w") as f:
        f.write(text)
    os.rename(path + ".new", path)


def cut_is_due():
    """Counts a piece; at the end of a round all connections are cut."""
    with lock:
        state["pieces"] += 1
        if state["pieces"] % every or state["cuts"] >= cuts:
            return False
        state["cuts"] += 1
        state["closed_until"] = time.monotonic() + 0.2
        victims = list(open_sockets)
        open_sockets.clear()
        write(port_file + ".cuts", str(state["cuts"]))
    for s in victims:
        close(s)
    return True


def carry(a, b):
    try:
        while True:
            data = a.recv(65536)
            if not data or cut_is_due():
                break
            b.sendall(data)
    except OSError:
        pass
    for s in (a, b):
        with lock:
            open_sockets.discard(s)
        close(s)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(64)
write(port_file, str(listener.getsockname()[1]))
while True:
    client, _ = listener.accept()
    if time.monotonic() < state["closed_until"]:
        close(client)
        continue
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(target)
    except OSError:
        close(client)
        continue
    with lock:
        open_sockets.update((client, server))
    threading.Thread(target=carry, args=(client, server), daemon=True).start()
    threading.Thread(target=carry, args=(server, client), daemon=True).start()
