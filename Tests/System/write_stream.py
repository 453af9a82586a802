"""Forces a value for one player after another over the admin socket until a file appears; prints what was acknowledged as JSON.

A write that was not answered is repeated with the same Idempotency-Key until it is, as a careful client does."""

import json
import os
import socket
import sys
import time

path, game, key, value, until = sys.argv[1:]
acknowledged, refused, repeats = [], [], 0


def put(player, key_of_repeat):
    body = json.dumps({"value": json.loads(value), "reason": "a stream of writes"})
    request = (
        f"PUT /v1/games/{game}/players/{player}/overrides/{key} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Idempotency-Key: {key_of_repeat}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(path)
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    if not answer.startswith(b"HTTP/1.1 "):
        raise OSError("cut off")
    return int(answer[9:12]), answer


number = 0
while not os.path.exists(until):
    number += 1
    player = f"writer-{number}"
    while True:
        try:
            status, answer = put(player, f"write-{number}")
        except OSError:
            repeats += 1
            continue
        if status == 503:
            repeats += 1
            continue
        if status in (200, 201):
            acknowledged.append(player)
        else:
            refused.append(answer.decode(errors="replace")[-300:])
        break
    time.sleep(0.001)
print(json.dumps({"acknowledged": acknowledged, "refused": refused[:3], "repeats": repeats}))
