"""Headless Chromium over its own pipe: DevTools messages on two file descriptors, one JSON object between NULs.

Nothing but the standard library is needed, and no port is opened.
"""

import json
import os
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path
from types import TracebackType
from typing import Any

BINARY = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The browser, None where none is installed."""


class Chromium:
    """One page of a browser of its own, which keeps what the page reports: console lines, exceptions, requests."""

    def __init__(self, home: Path) -> None:
        assert BINARY is not None
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        shell = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe")
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "bash", BINARY, *flags, f"--user-data-dir={home}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._reader, self._writer = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self._pending, self._number, self._session, self._loads = b"", 0, "", 0
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = ""
        self.ask("Browser.close")
        self._writer.close()
        self._reader.close()
        self._process.wait(timeout=20)

    def ask(self, method: str, **params: Any) -> Any:
        """Send one command and return its result; events that come before it are kept."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._writer.write(json.dumps(message).encode() + b"\0")
        self._writer.flush()
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            read = os.read(self._reader.fileno(), 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self._pending += read
        line, _, self._pending = self._pending.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._keep(message)
        return message

    def _keep(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.consoleAPICalled":
                self.complaints.append(str(params["args"]))
            case "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"].get("exception", params["exceptionDetails"])))
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])
            case "Page.loadEventFired":
                self._loads += 1
            case "Page.javascriptDialogOpening":
                self.complaints.append(f"dialog {params['message']}")

    def open(
        self, path: Path, *, width: int = 1280, height: int = 900, scripts: bool = True, scheme: str = "light"
    ) -> None:
        """Open a file in a window of this size and wait until it is loaded."""
        self.resize(width, height)
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._visit("about:blank")
        self.requests.clear()
        self._visit(path.as_uri())

    def _visit(self, url: str) -> None:
        before = self._loads
        self.ask("Page.navigate", url=url)
        while self._loads == before:
            self._next()

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window in CSS pixels."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 500)

    def run(self, expression: str) -> Any:
        """Return the JSON value of an expression in the page."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds in the page, which hears of clicks and keys in its own time.

        Raises:
            RuntimeError: it does not hold within five seconds.
        """
        self.run("new Promise((done, fail) => { const end = Date.now() + 5000; const look = () =>"
                 f" ({condition}) ? done() : Date.now() > end ? fail('never held') : setTimeout(look, 5); look(); }})")

    def press(self, key: str) -> None:
        """Press and release a key by its name, such as "Escape"."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode={"Escape": 27, "Enter": 13, "Tab": 9}[key])

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write a PNG of the window, or of the whole page."""
        path.write_bytes(b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"]))

    def pdf(self) -> bytes:
        """Return the page as it prints."""
        return b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True)["data"])
