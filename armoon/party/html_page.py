"""Self-contained HTML pages, from the templates in ``pages``."""

from __future__ import annotations

from html import escape
from importlib import resources
from string import Template


def fill_page(name: str, **fields: str) -> str:
    """Return the template ``pages/NAME.html`` filled with these fields, which are HTML."""
    template = resources.files(__package__).joinpath(f"pages/{name}.html").read_text(encoding="utf-8")
    return Template(template).substitute(fields)


def render_page(title: str, language: str, body: str, reload_s: int = 0) -> str:
    """Return a complete page; ``body`` is HTML. With ``reload_s`` browsers reload it at that interval, seconds."""
    refresh = f'\n<meta http-equiv="refresh" content="{reload_s}">' if reload_s else ""
    return fill_page("page", title=escape(title), language=language, body=body, again=refresh)


def render_dot(colour: str) -> str:
    """Return a dot of this colour (``#rrggbb``); empty for anything else."""
    is_valid = (
        len(colour) == 7 and colour[0] == "#" and all(d in "0123456789abcdefABCDEF" for d in colour[1:])
    )
    return f'<span class="dot" style="background:{colour}"></span>' if is_valid else ""
