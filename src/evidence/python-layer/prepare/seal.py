"""Seals the configuration of a layer."""

import base64
import hashlib
import json

SEALED_BYTES = 256 * 1024


def seal(config, token):
    """Returns an encrypted block of constant size. If there is not enough room, the last records are omitted."""
    room = SEALED_BYTES - len(json.dumps({**config, "remembered": ""})) - 1024
    remembered = config["remembered"]
    while remembered and len(json.dumps(remembered)) > room:
        remembered = remembered[: int(len(remembered) * 0.8)]
    data = json.dumps({**config, "remembered": remembered}).encode().ljust(SEALED_BYTES)
    key = bytes.fromhex(token)
    blocks = b"".join(hashlib.sha256(key + n.to_bytes(4, "big")).digest() for n in range(len(data) // 32 + 1))
    sealed = int.from_bytes(data, "big") ^ int.from_bytes(blocks[: len(data)], "big")
    return base64.b64encode(sealed.to_bytes(len(data), "big")).decode()
