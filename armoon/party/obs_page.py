"""The page that OBS opens from disk: it waits for the overlay, which may begin after OBS, and goes there."""

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


def obs_page(address: str) -> str:
    """The page for an overlay's address; parts and theme of its own address are handed on."""
    return _PAGE.format(address=address)
