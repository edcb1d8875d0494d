"""All tables as a page on disk that a browser reloads periodically."""

from __future__ import annotations

from armoon.broadcast.happenings import Words
from armoon.messages import language, text
from armoon.messages.numbers import centimetres
from armoon.party.paper import dot, page, said
from armoon.party.tables.seen import Row

#: Interval at which a browser reads the page.
AGAIN_S = 2


def spoken(words: Words | None) -> str:
    """Words of a feed in the language of the house."""
    return "" if words is None else str(getattr(words, language()))


def tables_page(prefix: str, rows: tuple[Row, ...]) -> str:
    """Return the page."""
    cards = "\n".join(map(_card, rows)) or f"<p>{said(text('tables.none', prefix=prefix))}</p>"
    count = text("tables.count", count=sum(row.here for row in rows))
    body = f'<h1>{said(prefix)}</h1>\n<p class="dim">{said(count)}</p>\n<div class="cards">\n{cards}\n</div>'
    return page(prefix, language(), body, AGAIN_S)


def _card(row: Row) -> str:
    parts = [f"<h3>{said(row.name)}</h3>"]
    if not row.here:
        parts.append(f'<p class="dim">{said(text("tables.away"))}</p>')
    if row.game is None:
        parts.append(f'<p class="dim">{said(text("tables.no_game"))}</p>')
    else:
        told = text("tables.turn", game=spoken(row.game), turn=row.turn)
        parts.append(f'<p class="dim">{said(told)}</p>')
        parts.append("<table>" + "".join(_seat(row, number) for number in range(len(row.seats))) + "</table>")
        if row.top_m > 0.0:
            parts.append(f"<p>{said(text('tables.height', height=centimetres(row.top_m)))}</p>")
        if row.last is not None:
            parts.append(f"<p>{said(spoken(row.last))}</p>")
    return f'<div class="card{"" if row.here else " away"}">' + "".join(parts) + "</div>"


def _seat(row: Row, number: int) -> str:
    seat = row.seats[number]
    kind = "out" if seat.out else "turn" if number == row.on_turn or number in row.winners else ""
    return (
        f'<tr class="{kind}"><td>{dot(seat.colour)}{said(seat.name)}</td><td class="n">{seat.score}</td></tr>'
    )
