"""The configuration of a layer, sealed in its head: `TOKEN` is the key in hexadecimal, `SEALED` the block that it opens, in base64."""

# Runs load no compiled code, so each import is compiled again. Asyncio takes as long as everything else, so it is imported when needed.
import base64
import hashlib
import json
import os


def opened(token, sealed):
    data, key = base64.b64decode(sealed), bytes.fromhex(token)
    blocks = b"".join(hashlib.sha256(key + n.to_bytes(4, "big")).digest() for n in range(len(data) // 32 + 1))
    return json.loads((int.from_bytes(data, "big") ^ int.from_bytes(blocks[: len(data)], "big")).to_bytes(len(data), "big"))


CONFIG = opened(TOKEN, SEALED)
IS_DEAF, IS_LISTENING, RECORDS_ARGUMENTS = CONFIG["isDeaf"], CONFIG["isListening"], CONFIG["recordsArguments"]
# The answer of a deaf product; None: other values of the same shape.
CANDIDATE = CONFIG["candidate"]
# The name under which a module stores the functions with which the script has replaced its own.
REPLACED = "_" + TOKEN[:8]
# The absolute paths of the product's files.
OWN = {os.path.join(CONFIG["root"], file) for file in CONFIG["files"]}
