"""Helpers to view pages in a real browser, recording all their requests and uncaught errors."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from support.waiting import PATIENCE_S

_CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_MISSING = (
    "playwright isn't installed"
    if importlib.util.find_spec("playwright") is None
    else "there is no Chromium: apt-get install chromium"
    if _CHROMIUM is None
    else ""
)
needs_browser = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "everything is installed")
#: Chromium's options to draw in 3D without a graphics card.
WITH_3D = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WITHOUT_3D = ("--disable-3d-apis",)


@contextmanager
def open_browser(*arguments: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, launch_browser(playwright.chromium, *arguments) as browser:
        yield browser


@contextmanager
def launch_browser(chromium: Any, *arguments: str) -> Iterator[Any]:
    """Yield a Chromium; a process can have only one Playwright instance, to which ``chromium`` belongs."""
    # Containers often run as root, where Chromium's sandbox doesn't work.
    browser = chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox", *arguments])
    yield browser
    browser.close()


class PageLog:
    """Pages in a browser, with all their requests and uncaught errors."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._pages: list[Any] = []
        self.requests: list[str] = []
        self.errors: list[str] = []

    def open_page(self, address: str, size: tuple[int, int], **options: Any) -> Any:
        page = self._browser.new_page(viewport={"width": size[0], "height": size[1]}, **options)
        page.set_default_timeout(1000.0 * PATIENCE_S)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        self._pages.append(page)
        return page

    def check_quiet(self) -> None:
        """Close the pages; assert that none had an uncaught error or sent a request to another host."""
        for page in self._pages:
            page.close()
        assert self.errors == []
        assert [r for r in self.requests if not r.startswith(("http://127.0.0.1:", "file:"))] == []
