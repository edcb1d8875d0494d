"""Pages on disk that link to the party's pages; OBS's page waits for the overlay, which may start after OBS."""

from __future__ import annotations

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>armoon</title>
<style>html, body {{ background: transparent; }}</style>
<script>
// Asked again and again: a page that was not there when OBS began would stay blank for ever.
const overlay = "{address}" + location.search;
async function look() {{
  try {{
    await fetch(overlay, {{ mode: "no-cors", cache: "no-store" }});
    location.replace(overlay);
  }} catch {{
    setTimeout(look, 1000);
  }}
}}
look();
</script>
</html>
"""

_LEADING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>armoon</title>
</html>
"""


def leading_to(address: str) -> str:
    """Return a page that does nothing but lead to an address."""
    return _LEADING.format(address=address)


def obs_page(address: str) -> str:
    """Return the page for an overlay's address; parts and theme of its own address are handed on."""
    return _PAGE.format(address=address)
