"""The real server of the app, started by a test or a benchmark, and the browser that visits it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREEN = {"width": 1280, "height": 720}
# Films stand at their end, as for a visitor who wants no motion: who plays them is in test_film_browser.py.
CALM = {"viewport": SCREEN, "color_scheme": "light", "reduced_motion": "reduce"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url: str, tries: int = 600) -> bool:
    """Whether the app at that address, or at that of a proxy before it, answers; a try each tenth of a second."""
    for _ in range(tries):
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return True
        except OSError:
            time.sleep(0.1)
    return False


class Server:
    """A real `streamlit run app.py` on loopback, with its own store."""

    def __init__(self, home: Path, app: str = "app.py", **environment: str):
        self.app = app
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        others = {name: value for name, value in os.environ.items() if not name.startswith("FEATDASH_")}  # not a test's
        self.environment = {**others, "PYTHONPATH": str(ROOT), "FEATDASH_HOME": str(home), **environment}
        self.log = home.parent / f"{home.name}-{self.port}.log"

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", self.app, "--server.port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        if not answers(self.url):
            raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def running_server(home: Path, app: str = "app.py", **environment: str):
    """A server for one block, stopped with all its workers at the end."""
    home.mkdir(parents=True, exist_ok=True)
    server = Server(home, app, **environment)
    server.start()
    try:
        yield server
    finally:
        server.stop()
