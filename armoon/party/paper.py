"""Templates of self-contained HTML pages."""

from __future__ import annotations

from html import escape
from string import Template

#: Style sheet of the party's pages.
STYLE = """
:root { color-scheme: dark; --night: #0c1029; --paper: #171d40; --ink: #f4efe0; --dim: #b9bcd6; --gold: #f2c14e;
  --tear: #7cc4ff; --good: #8fd694; --fault: #ff8a7a; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--night); color: var(--ink); line-height: 1.45;
  font: 1rem/1.45 Nunito, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 2rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; color: var(--gold); }
h3 { font-size: 1.05rem; margin: 1rem 0 .25rem; } p { margin: .25rem 0; } .dim { color: var(--dim); }
section, .card { background: var(--paper); border-radius: .8rem; padding: 1rem; margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; color: var(--dim); font-weight: 600; }
th, td { padding: .3rem .6rem .3rem 0; vertical-align: top; } td.n, th.n { text-align: right; }
tr + tr td { border-top: 1px solid #2a3162; }
.dot { display: inline-block; width: .75rem; height: .75rem; border-radius: 50%; margin-right: .4rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
.cards .card { margin: 0; } .card h3:first-child { margin-top: 0; }
.away { opacity: .55; }
.out { text-decoration: line-through; color: var(--dim); } .turn { font-weight: 700; }
@media print { :root { color-scheme: light; --night: #fff; --paper: #fff; --ink: #000; --dim: #444; --gold: #8a6500; } }
"""
_PAGE = Template("""<!doctype html>
<html lang="$language">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">$again
<title>$title</title>
<style>$style</style>
</head>
<body>
<main>
$body
</main>
</body>
</html>
""")


def page(title: str, language: str, body: str, again_s: int = 0) -> str:
    """Return a complete page; ``body`` is HTML. With ``again_s`` browsers reload it at that interval, seconds."""
    refresh = f'\n<meta http-equiv="refresh" content="{again_s}">' if again_s else ""
    return _PAGE.substitute(title=escape(title), language=language, style=STYLE, body=body, again=refresh)


def dot(colour: str) -> str:
    known = len(colour) == 7 and colour[0] == "#" and all(d in "0123456789abcdefABCDEF" for d in colour[1:])
    return f'<span class="dot" style="background:{colour}"></span>' if known else ""


#: The page that redirects to an overlay's address with its own query parameters; format it with ``address``.
OBS_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>armoon</title>
<style>html, body {{ background: transparent; }}</style>
<script>
// Retry: a page that was unavailable when OBS started would stay blank forever.
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

#: The page that redirects to an address at once; format it with ``address``.
REDIRECT_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>armoon</title>
</html>
"""
