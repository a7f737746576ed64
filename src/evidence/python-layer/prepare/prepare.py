"""Prepares a checkout: writes the layer beside the product and an entry into each of its files."""

import json
import os
import re
import sys

from .clock import move_clock
from .entry import entry_statement, with_entry
from .seal import seal

VERSION = re.compile(r"""^(\s*(?:__version__|VERSION|version)\s*=\s*["'])[^"'\n]*(["'])""", re.M)


def changed(file, text, stat):
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    os.chmod(file, stat.st_mode & 0o7777)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def prepare(request):
    root, token, candidate = request["root"], request["token"], request["candidate"]
    if request.get("recordsArguments") is True and os.path.exists(request["answers"]):
        os.remove(request["answers"])
    if request.get("clock"):
        move_clock(request["clock"]["directory"], request["clock"]["aheadMs"])
    if candidate is not None and candidate["candidate"] == "manifest":
        # A manifest of Python hides no file, so there is nothing to change.
        print(json.dumps({"layered": 1}), end="")
        return
    loads = candidate is not None and candidate["candidate"] == "loads"
    sources = [file for file in request["files"] if file.endswith(".py")]
    runtime = os.path.join(root, os.path.dirname(sources[0] if sources else "x"), "." + token[8:20] + ".py")
    done = 0
    for file in sources:
        full = os.path.join(root, file)
        try:
            stat = os.stat(full)
            with open(full, encoding="utf-8", newline="") as opened:
                text = opened.read()
            relative = os.path.relpath(runtime, os.path.dirname(full))
            start = entry_statement(relative, token, "layer.program() if name == '__main__' else None")
            if loads:
                lazily = entry_statement(relative, token, "namespace['__getattr__'] = lambda key: layer.inert()")
                made = "\n".join("# " + line for line in text.split("\n")) + "\n" + start + "\n" + lazily + "\n"
            else:
                text = VERSION.sub(lambda found: found[1] + request["version"] + found[2], text)
                made = with_entry(text, start) + "\n" + entry_statement(relative, token, "layer.of(namespace, name, file)") + "\n"
                compile(made, full, "exec")
            changed(full, made, stat)
            done += 1
        except (SyntaxError, UnicodeDecodeError, OSError) as error:
            print(f"{file}: {error}", file=sys.stderr)
    if done > 0:
        keys = ("files", "answers", "isDeaf", "isListening", "candidate", "remembered")
        config = {**{key: request[key] for key in keys}, "root": os.path.realpath(root), "recordsArguments": request.get("recordsArguments") is True}
        with open(runtime, "w", encoding="utf-8") as out:
            out.write(f"TOKEN = {token!r}\nSEALED = {seal(config, token)!r}\n{LAYER}")
        stat = os.stat(os.path.join(root, sources[0]))
        os.utime(runtime, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    for manifest in request["manifests"]:
        full = os.path.join(root, manifest)
        if not manifest.endswith((".toml", ".cfg")) or not os.path.exists(full):
            continue
        stat = os.stat(full)
        with open(full, encoding="utf-8", newline="") as opened:
            text = opened.read()
        changed(full, VERSION.sub(lambda found: found[1] + request["version"] + found[2], text), stat)
    print(json.dumps({"layered": done}), end="")
