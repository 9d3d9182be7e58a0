"""A headless Chromium, spoken to through pipes, and what is wrong with a page that it shows.

`Browser.faults` opens a file and names everything that a page of this project must not have: messages on the console,
requests, text over text, text that can hardly be read, a page wider than its window, what the keyboard cannot reach.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE = 60.0
"""Seconds for one answer."""
HEIGHT = 900
LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")


class Browser:
    """A browser with one tab. Use it in a `with` statement."""

    def __init__(self, command: str, profile: Path) -> None:
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        arguments = [
            *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
            *("--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe"),
            f"--user-data-dir={profile}",
            "about:blank",
        ]

        # The browser reads commands from descriptor 3 and writes answers to 4; the shell puts the pipes there.
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "browser", command, *arguments],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._rest = b""
        self._events: list[dict[str, Any]] = []
        self._session: str | None = None
        tabs = self._call("Target.getTargets")["targetInfos"]
        tab = next(one["targetId"] for one in tabs if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        self._call("Emulation.setFocusEmulationEnabled", enabled=True)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        os.close(self._to)
        os.close(self._from)

    def faults(self, page: Path, width: int = 1280, dark: bool = False) -> list[str]:
        """What is wrong with a page in a window of that width, in words."""
        self.open(page, width, dark)
        found = [f"{one['method']}: {_said(one['params'])}" for one in self._events if _is_message(one)]
        addresses = [
            one["params"]["request"]["url"] for one in self._events if one["method"] == "Network.requestWillBeSent"
        ]
        found += [f"request: {address}" for address in addresses if address != page.as_uri()]
        return [*found, *self._value(LOOK)]

    def open(self, page: Path, width: int = 1280, dark: bool = False) -> None:
        """Show a page."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        self._events.clear()
        self._call("Page.navigate", url=page.as_uri())
        while not any(one["method"] == "Page.loadEventFired" for one in self._events):
            self._events.append(self._message())

    def picture(self, target: Path, whole: bool = True) -> None:
        """The page as a PNG: all of it, or what the window shows."""
        shot = self._call("Page.captureScreenshot", captureBeyondViewport=whole)
        target.write_bytes(base64.b64decode(shot["data"]))

    def _value(self, script: str) -> Any:
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def _call(self, method: str, **arguments: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": arguments}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self._events.append(answer)

    def _message(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser says nothing"
            more = os.read(self._from, 1 << 20)
            assert more, "the browser has ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message


def _is_message(event: dict[str, Any]) -> bool:
    return event.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def _said(parameters: dict[str, Any]) -> str:
    return str(parameters.get("args") or parameters.get("entry") or parameters.get("exceptionDetails"))
