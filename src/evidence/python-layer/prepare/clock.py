"""Moves the clock of every process of a run."""

import os


def move_clock(directory, ahead_ms):
    """Writes the files that move the clock. Every process of the run loads them first, so that differences between times stay right."""
    os.makedirs(directory, exist_ok=True)
    # Node.js fails if a file that it has to load is missing.
    open(os.path.join(directory, "clock.cjs"), "a").close()
    with open(os.path.join(directory, "sitecustomize.py"), "w") as out:
        out.write(f"AHEAD = {ahead_ms // 1000}\n{CLOCK}")
