"""Every game at every number of players."""

from __future__ import annotations

import os
import signal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait for each other

PLAYERS = {"geister": [2], "labyrinth": [2, 3, 4], "saboteur": list(range(3, 11)), "sevens": [3, 4, 5, 6]}

TABLES = [
    (name, {} if name == "geister" else {"players": players})
    for name, counts in PLAYERS.items()
    for players in counts
]

# A shell that starts something in the background has it ignore Ctrl-C; the tests are about not ignoring it.
signal.signal(signal.SIGINT, signal.default_int_handler)
