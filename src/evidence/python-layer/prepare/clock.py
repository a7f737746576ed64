"""Moves the clock of every process of a run."""

import os


def move_clock(directory, ahead_ms):
    """Every process of the run loads it first, so that differences between times stay right."""
    os.makedirs(directory, exist_ok=True)
    # Node must find a file that it is told to load.
    open(os.path.join(directory, "clock.cjs"), "a").close()
    with open(os.path.join(directory, "sitecustomize.py"), "w") as out:
        out.write(f"AHEAD = {ahead_ms // 1000}\n{CLOCK}")
