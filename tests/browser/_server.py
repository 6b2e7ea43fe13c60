"""A real server, with small studies."""

import math
import os
import secrets
import socket
import struct
import subprocess
import sys
import time
import wave
from pathlib import Path
from typing import Any

import httpx

PATIENCE_S = 30.0

ITEMS = """
[[items]]
id = "apple"
name = "Apple"

[[items]]
id = "pear"
name = "Pear"

[[items]]
id = "plum"
name = "Plum"
"""

FULL = """
[study]
id = "full"
title = "Fruit"
question = "Which fruit?"
instructions = ["Choose one of two."]
calibration = true
break_every = 2

[consent]
version = "2"
text = "First paragraph.\\n\\nSecond paragraph."

[practice]
question = "Which number is larger?"
n_trials = 2
n_correct_needed = 1

[[practice.items]]
id = "two"
name = "2"
value = 2

[[practice.items]]
id = "nine"
name = "9"
value = 9

[budget]
queries = 3
"""

SHORT = """
[study]
id = "short"
title = "Fruit"
question = "Which fruit?"
instructions = ["Choose one of two."]

[consent]
version = "1"
text = "One paragraph."

[budget]
queries = 4
"""

# Written from right to left; items of several kinds.
ARABIC = """
[study]
id = "arabic"
title = "ألوان"
language = "ar"
question = "أيهما تفضل؟"
instructions = ["اختر واحدا من اثنين."]
break_every = 2

[consent]
version = "1"
text = "فقرة واحدة."

[budget]
queries = 3

[[items]]
id = "text"
name = "كلمة"

[[items]]
id = "type"
name = "خط"
kind = "type"
font = "serif"

[[items]]
id = "colours"
name = "<b>ألوان</b>"
kind = "colours"
colours = ["#112233", "#ddeeff"]
"""

# Written from right to left, in a language that the pages themselves do not speak.
HEBREW = SHORT.replace('"short"', '"hebrew"').replace("question", 'language = "he"\nquestion')

SOUNDS = """
[study]
id = "sounds"
title = "Sounds"
question = "Which tone?"

[budget]
queries = 2

[[items]]
id = "low"
name = "Low"
kind = "audio"
src = "low.wav"

[[items]]
id = "high"
name = "High"
kind = "audio"
src = "high.wav"
"""

STUDIES = {
    "full": FULL + ITEMS,
    "short": SHORT + ITEMS,
    "arabic": ARABIC,
    "hebrew": HEBREW + ITEMS,
    "sounds": SOUNDS,
}
TONE_S = 0.4
_RATE = 8000


class Server:
    """`tacit serve`, which can be killed and started again on the same store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.password = secrets.token_urlsafe()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        for name, text in STUDIES.items():
            (folder / f"{name}.toml").write_text(text, "utf-8")
        for name, pitch in (("low", 220), ("high", 440)):
            _write_tone(folder / f"{name}.wav", pitch)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [
            sys.executable,
            "-m",
            "tacit.cli",
            "serve",
            *(f"{name}.toml" for name in STUDIES),
        ]
        command += ["--demos", "--store", "study.db", "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=os.environ | {"TACIT_PASSWORD": self.password},
                stdout=log,
                stderr=log,
            )
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            try:
                self.get("/health")
            except httpx.HTTPError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError((self.folder / "server.log").read_text())

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def get(self, path: str) -> Any:
        """Read from the API."""
        return httpx.get(f"{self.url}/api/v1{path}", timeout=PATIENCE_S).raise_for_status().json()


def _write_tone(path: Path, pitch: float) -> None:
    """Write a tone of `TONE_S` seconds."""
    samples = (
        int(8000 * math.sin(2 * math.pi * pitch * n / _RATE)) for n in range(int(TONE_S * _RATE))
    )
    with wave.open(str(path), "wb") as tone:
        tone.setnchannels(1)
        tone.setsampwidth(2)
        tone.setframerate(_RATE)
        tone.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
