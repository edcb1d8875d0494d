"""Pages after a game: result, review, high scores, and book of figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armoon.games.contract import find_picture_book_kind
from armoon.games.news import ResultNews
from armoon.messages import text
from armoon.screens import layout
from armoon.screens.events import COLOURS, Request, ReviewState
from armoon.screens.pages.opening import open_scores, start_game, start_practice
from armoon.screens.pages.players import format_date
from armoon.screens.pages.table import leave_game
from armoon.screens.pages.trials import open_trials, start_trial
from armoon.screens.state import Dwell, PageName, Screens
from armoon.values import page as ui
from armoon.values import replace
from armoon.values.acts import Feature

_INK: ui.Rgba = (0.95, 0.91, 0.82, 1.0)
_PALE: ui.Rgba = (0.66, 0.73, 0.95, 0.55)
_FAINT: ui.Rgba = (0.66, 0.73, 0.95, 0.16)
#: Edges of the curve's area, relative to the picture's height.
LEFT, RIGHT, TOP, BOTTOM = 0.20, ui.ASPECT - 0.06, 0.10, 0.84
#: Number of turns from which only every second is numbered; from twice as many, every third, and so on.
MAX_NUMBERS = 9
#: Text size in the picture, relative to its height.
WORD_SIZE = 0.068


def review_page(screens: Screens) -> layout.Plan:
    state, tall = screens.review, screens.is_tall
    body = layout.body_area(tall)
    divide, gap = (ui.rows, ui.GAP[1]) if tall else (ui.columns, ui.GAP[0])
    picture, note = divide(body, 0.50 if tall else 0.58, ui.REST, gap=gap)
    last = "" if state.is_done or not state.turns else state.turns[-1].line.strip()
    words = [s for s in (_describe_progress(state), state.error, state.turning, last, state.saved_text) if s]
    curve: tuple[layout.Item, ...] = ()
    if state.turns:
        drawing = draw_safety_curve(state, _seat_colours(screens))
        curve = (layout.label("curve", ui.WidgetKind.PICTURE, picture, drawing=drawing),)
    else:
        note = body
    keeps = bool(state.picture) and not state.saved_text
    return layout.page(
        screens,
        text("screens.review.heading"),
        (*curve, *layout.texts(note, words, "said", 0.2 if curve else 0.12)),
        layout.button("back", text("screens.back" if state.is_done else "screens.review.skip"), leave_review),
        layout.button("keep", text("screens.review.keep"), layout.emit(Request.SAVE_REVIEW), enabled=keeps),
        veil=0.86,
        leave=leave_review,
        first="back",
    )


open_review = layout.go_to(PageName.REVIEW, Request.OPEN_REVIEW)


def leave_review(screens: Screens) -> layout.Reply:
    return screens.go_back(), (Request.STOP_REVIEW,)


def _seat_colours(screens: Screens) -> tuple[ui.Rgb, ...]:
    lines = () if screens.result is None else screens.result.lines
    line_colours = tuple(
        line.colours[0] if line.colours else COLOURS[seat % len(COLOURS)] for seat, line in enumerate(lines)
    )
    return (*line_colours, *COLOURS[len(line_colours) :])


def draw_safety_curve(review: ReviewState, colours: Sequence[ui.Rgb] = COLOURS) -> ui.Drawing:
    """Draw the curve of each turn's safety, with points in the players' colours, over that of the safest moves."""
    turns = review.turns
    count = max(review.total, len(turns))
    shapes: list[ui.Shape] = []
    for share in (0.0, 0.5, 1.0):
        y, words = _share_y(share), text("review.percent", share=f"{100 * share:.0f}")
        shapes.append(ui.Stroke((LEFT, y), (RIGHT, y), 0.004, _FAINT))
        shapes.append(ui.DrawnWord(words, (LEFT / 2.0 + 0.01, y), WORD_SIZE, _PALE))
    for k in range(1, len(turns)):
        a, b = _turn_x(k - 1, count), _turn_x(k, count)
        shapes.append(ui.Stroke((a, _share_y(turns[k - 1].best)), (b, _share_y(turns[k].best)), 0.008, _PALE))
        shapes.append(
            ui.Stroke((a, _share_y(turns[k - 1].safety)), (b, _share_y(turns[k].safety)), 0.012, _INK)
        )
    for k, turn in enumerate(turns):
        colour, point = (*colours[turn.seat % len(colours)], 1.0), (_turn_x(k, count), _share_y(turn.safety))
        if turn.number == review.turned:
            shapes.append(ui.Mark(ui.Sign.DISC, point, (0.042, 0.042), (1.0, 0.8, 0.42, 0.55)))
        sign, size = (ui.Sign.DISC, 0.022) if turn.ok else (ui.Sign.TEAR, 0.032)
        shapes.append(ui.Mark(sign, point, (size, size), colour, colour))
        if k % (1 + count // MAX_NUMBERS) == 0:
            shapes.append(ui.DrawnWord(f"{turn.number}", (_turn_x(k, count), 0.93), WORD_SIZE, _PALE))
    return ui.Drawing(tuple(shapes))


def _turn_x(k: int, count: int) -> float:
    return LEFT + 0.05 + (RIGHT - LEFT - 0.08) * (k / (count - 1) if count > 1 else 0.5)


def _share_y(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def _describe_progress(review: ReviewState) -> str:
    if review.is_done:
        return text("screens.review.legend") if review.turns else ""
    return text(
        "screens.review.progress", number=len(review.turns), count=max(review.total, len(review.turns))
    )


#: Time for which only the structure is shown after a game, in seconds; a press ends it earlier.
ALONE_S = 3.0
#: Area of heading, structure and cards, height of a row of cards, and maximum number of cards in a row, in a wide and
#: a tall window.
_PAGE = {False: ui.Rect(0.03, 0.03, 0.94, 0.80), True: ui.Rect(0.04, 0.02, 0.92, 0.87)}
_CARD = {False: 0.175, True: 0.082}
_ACROSS = {False: 6, True: 3}
#: Width of sentences beside the structure in a wide window; height of each above the structure in a tall one.
_BESIDE, _ABOVE = 0.27, 0.068
#: Maximum numbers of displayed high scores and best guessers.
MAX_SCORES, MAX_GUESSERS = 5, 3


def tower_page(screens: Screens) -> layout.Plan:
    """Return the page with only the structure; any press opens the result."""
    assert screens.result is not None
    tower = layout.tower(ui.Rect(0.0, 0.0, 1.0, 1.0)).change(
        kind=ui.WidgetKind.BUTTON, speech=screens.result.sentence
    )
    return layout.Plan((replace(tower, press=_show_result),), 0.0, _show_result)


def _show_result(screens: Screens) -> layout.Reply:
    # The hand that pressed must move before it can press anything else.
    area = None if screens.pointer is None else ui.Rect(*screens.pointer, 0.0, 0.0)
    return replace(screens.reset_to(PageName.RESULT), focus_shown=False, dwell=Dwell(blocked_area=area)), ()


def pass_time(screens: Screens, seconds: float) -> Screens:
    waited = replace(screens, alone_s=screens.alone_s - seconds)
    return waited if waited.alone_s > 0.0 else waited.reset_to(PageName.RESULT)


def result_page(screens: Screens) -> layout.Plan:
    news, tall = screens.result, screens.is_tall
    assert news is not None
    lines = sorted(news.lines, key=lambda line: line.place)
    words, listed = _split_sentences(screens, news)
    down = -(-len(lines) // _ACROSS[tall])
    cards = ui.FlexPart(down * (_CARD[tall] + ui.GAP[1]))
    above, body, below = ui.rows(_PAGE[tall], 0.11 if tall else 0.17, ui.REST, cards, gap=0.012)
    across = -(-len(lines) // down) if lines else 1
    areas = ui.grid(below, len(lines), across, _CARD[tall], (0.012, ui.GAP[1]))
    if tall:
        texts, tower_area = ui.rows(body, ui.FlexPart(_ABOVE * max(len(words), len(listed))), ui.REST)
        left, *right = ui.columns(texts, *[ui.REST] * (2 if listed else 1), gap=ui.GAP[0])
    else:
        left, tower_area, *right = ui.columns(body, _BESIDE, ui.REST, _BESIDE, gap=ui.GAP[0])
    is_trial = screens.trial is not None
    has_review = Feature.REVIEW in screens.features
    is_team = screens.form.options.together and not screens.practice and not is_trial
    scores = []
    for k, (area, line) in enumerate(zip(areas, lines, strict=True)):
        name = f"{line.place}. {line.name}" if line.place else line.name
        score = layout.label(f"score {k}", ui.WidgetKind.SCORE, area, name, swatches=line.colours)
        scores.append(
            score.change(value=line.note, tears=line.tears, chosen=line.winner, enabled=not line.out)
        )
    written = (
        *layout.texts(left, words, "outcome", 0.15),
        *(layout.texts(right[0], listed, "more", 0.15) if listed else ()),
    )
    plan = layout.page(
        screens,
        news.sentence,
        (*written, layout.tower(tower_area), *scores),
        layout.button("title", text("screens.result.title"), leave_game),
        *((layout.button("scores", text("screens.result.scores"), open_scores),) if is_team else ()),
        *((layout.button("trials", text("screens.result.trials"), open_trials),) if is_trial else ()),
        *((layout.button("review", text("screens.result.review"), open_review),) if has_review else ()),
        _make_picture_button(screens),
        layout.button("again", text("screens.result.again"), _play_again),
        veil=0.30,
        leave=leave_game,
        first="again",
    )
    heading, *others = plan.items
    return replace(plan, items=(heading.change(rect=above, centred=True), *others))


def _make_picture_button(screens: Screens) -> layout.Item:
    save = layout.emit(Request.SAVE_PICTURE)
    return layout.button("picture", text("screens.result.picture"), save, enabled=not screens.picture)


def _split_sentences(screens: Screens, news: ResultNews) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the left and right sentences; in a tall window, the right column has only guessers."""
    words = tuple(line for line in (news.why, *news.more, screens.picture) if line)
    best = screens.party_state.best_guessers[:MAX_GUESSERS]
    guessers = [text("screens.result.guesser", name=name, count=points) for name, points in best]
    first = len(words) if best or screens.is_tall else 2
    return words[:first], (text("screens.result.guessers"), *guessers) if best else words[first:]


def _play_again(screens: Screens) -> layout.Reply:
    if screens.trial is not None:
        return start_trial(screens, screens.trial)
    return start_practice(screens) if screens.practice else start_game(screens)


def scores_page(screens: Screens) -> layout.Plan:
    state, tall = screens.scores, screens.is_tall
    body = layout.body_area(tall)
    left, _, right = ui.rows(body, 0.46, 0.04, ui.REST) if tall else ui.columns(body, 0.37, 0.03, ui.REST)
    points, best = None if screens.result is None else screens.result.score, state.best[:MAX_SCORES]
    reached = max((score for score, _ in state.chart if points is not None and score <= points), default=None)
    items: list[layout.Item] = []
    for area, (least, name) in zip(_rows(left, len(state.chart), tall), state.chart, strict=True):
        words, kind = text("screens.scores.rank", points=least, rank=name), ui.WidgetKind.TEXT
        items.append(layout.label(f"rank {least}", kind, area, words, chosen=least == reached))
    for k, (area, (names, count, note)) in enumerate(zip(_rows(right, len(best), tall), best, strict=True)):
        words = text("screens.scores.best", count=count, names=names)
        items.append(layout.label(f"best {k}", ui.WidgetKind.SCORE, area, words, value=note))
    if not best:
        items += layout.texts(right, (text("screens.scores.none"),), "none", 0.2)
    return layout.page(screens, text("screens.scores.heading"), items, layout.back_button(), veil=0.72)


def _rows(area: ui.Rect, count: int, tall: bool) -> list[ui.Rect]:
    return ui.grid(area, count, 1, layout.MAX_ROW_HEIGHT[tall], (0.0, 0.008))


def book_page(screens: Screens) -> layout.Plan:
    """Return the current page of the book of figures; the app draws the figure behind it."""
    figures = find_picture_book_kind().figures
    figure = figures[screens.book_page]
    area = ui.Rect(0.05, 0.125, 0.90, 0.11) if screens.is_tall else ui.Rect(0.08, 0.165, 0.84, 0.10)
    count = text("screens.book.page", page=screens.book_page + 1, pages=len(figures))
    beside = ui.Rect(0.05, 0.825, 0.90, 0.065) if screens.is_tall else ui.Rect(0.74, 0.60, 0.18, 0.215)
    areas = ui.grid(beside, 2, 2 if screens.is_tall else 1, gap=(0.03, 0.02))
    value = count
    for maker in screens.book.get(figure, ())[:1]:
        made = text("screens.book.made", name=maker.name, count=maker.count, day=format_date(maker.last))
        value = f"{count} · {made}"

    def turn(step: int) -> Callable[[Screens], layout.Reply]:
        return layout.change(book_page=(screens.book_page + step) % len(figures), picture="")

    buttons = (
        layout.button("try", text("screens.book.try"), lambda screens: start_practice(screens, figure)),
        _make_picture_button(screens),
    )
    note = (text(f"figure.{figure}.what"), screens.picture or value)
    return layout.page(
        screens,
        text(f"figure.{figure}.name"),
        (*layout.texts(area, note, "note", 0.05), *layout.arrange(buttons, areas)),
        layout.back_button(),
        layout.button("previous", text("screens.book.previous"), turn(-1)),
        layout.button("next", text("screens.book.next"), turn(1)),
        veil=0.0,
        first="next",
    )
