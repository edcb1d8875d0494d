"""Pages of a game in progress: table, pause, overruling, verdict, final round and guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from armoon.games.contract import load_kind
from armoon.games.news import GuideFacts
from armoon.games.sketches import draw_icon
from armoon.messages import join_names, text
from armoon.screens import layout
from armoon.screens.events import COLOURS, Action, Ask, Request
from armoon.screens.pages.rulebook import STILL_AT, open_rules
from armoon.screens.pages.settings import open_camera_page as choose_camera
from armoon.screens.state import GuidedGame, PageName, Screens
from armoon.values import page as ui
from armoon.values import replace
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device, Way
from armoon.values.places import TableChoice

#: Maximum height of a button, in a wide and a tall window.
_MAX_BUTTON_HEIGHT = {False: 0.085, True: 0.05}
#: Aspect ratio below which the hint is above the corner panels; height by which the choices are then shortened.
SQUARISH_ASPECT, _LIFT = 1.5, 0.06
#: Gaps between buttons, and between the buttons for practice.
_GAP, _PRACTICE_GAP = (0.008, 0.006), 0.007
_FACES = (ui.Sign.DIE_ONE, ui.Sign.DIE_TWO, ui.Sign.DIE_MOON)
_IVORY, _INK = (0.95, 0.91, 0.82, 1.0), (0.12, 0.14, 0.30, 1.0)


def list_choices(screens: Screens) -> tuple[layout.Item, ...]:
    """Return the table's choices, up to two of a group side by side, and the numbers of places in the picture."""
    choices, number_only = screens.choices, _find_number_only_places(screens)
    name, side_text = ("", choices.sentence) if choices.sentence else _find_place(screens, number_only)
    lines: list[list[layout.Item]] = []
    if side_text:
        kind = ui.WidgetKind.BUTTON if name else ui.WidgetKind.TEXT
        lines.append([layout.Item(ui.Widget("beside", kind, layout.NOWHERE, side_text), stands_for=name)])
    for choice in choices.choices:
        if choice.name in number_only:
            continue
        if choice.group and lines and lines[-1][0].group == choice.group and len(lines[-1]) < 2:
            lines[-1].append(_make_button(choice))
        else:
            lines.append([_make_button(choice)])
    area = choices_area(screens)
    # Players who grip ladders have few choices and must see the lid.
    covers_lid = screens.preferences.chooses or (len(lines) > 2 and not number_only)
    if covers_lid and 1.0 <= screens.aspect < SQUARISH_ASPECT:
        area = replace(area, height=area.height - _LIFT)
    elif not (covers_lid or screens.is_tall or screens.has_large_text):
        area = ui.ABOVE_LID
    items = [
        item
        for line, row in zip(lines, _choice_areas(screens, area, len(lines)), strict=True)
        for item in layout.arrange(line, ui.columns(row, *[ui.REST] * len(line), gap=_GAP[0]))
    ]
    return (*items, *_list_numbers(screens))


def _choice_areas(screens: Screens, area: ui.Rect, count: int) -> list[ui.Rect]:
    row = ui.FlexPart(0.0, grow=1.0, most=_MAX_BUTTON_HEIGHT[screens.is_tall])
    return ui.rows(area, *[row] * count, gap=_GAP[1])


def _make_button(choice: TableChoice) -> layout.Item:
    take = layout.emit(Ask(Request.TAKE_CHOICE, choice.name))
    press = ask_to_give_up if choice.name == Act.GIVE_UP.word else take
    item = layout.button(f"choose {choice.name}", choice.text, press)
    return replace(item, group=choice.group, slow_scan=choice.slow_scan, is_irreversible=choice.final)


def _find_number_only_places(screens: Screens) -> frozenset[str]:
    """Return the places whose only button is a number in the picture, which leaves the lid visible for gripping."""
    return frozenset() if screens.preferences.chooses else frozenset(name for name, _ in screens.numbers)


def _find_place(screens: Screens, number_only: frozenset[str]) -> tuple[str, str]:
    """Return the button name and text of the focused place, else of the best; empty without places."""
    focus = (screens.focus or "") if screens.focus_shown else ""
    texts = {f"choose {c.name}": c.text for c in screens.choices.choices if c.name in number_only}
    name = focus if focus in texts else next(iter(texts), "")
    return name, texts.get(name, "")


def _list_numbers(screens: Screens) -> tuple[layout.Item, ...]:
    """Return the numbers of places in the picture; each is the place's button or stands for it."""
    offered = {choice.name: choice for choice in screens.choices.choices}
    number_only = _find_number_only_places(screens)
    items: list[layout.Item] = []
    for name, rect in screens.numbers:
        if name not in offered:
            continue
        number = ui.Widget(f"number {name}", ui.WidgetKind.NUMBER, rect, name.removeprefix("place "))
        if name in number_only:
            alone = replace(number, name=f"choose {name}", speech=offered[name].text)
            take = layout.emit(Ask(Request.TAKE_CHOICE, name))
            items.append(layout.Item(alone, take, slow_scan=offered[name].slow_scan))
        else:
            items.append(layout.Item(number, stands_for=f"choose {name}"))
    return tuple(items)


def ask_to_give_up(screens: Screens) -> layout.Reply:
    return screens.reset_to(PageName.GIVE_UP), ()


def choices_area(screens: Screens) -> ui.Rect:
    return (ui.LARGE_CHOICES if screens.has_large_text else ui.CHOICES)[screens.is_tall]


def practice_buttons(screens: Screens, pause: ui.Rect) -> tuple[layout.Item, ...]:
    if not screens.practice:
        return ()
    step = pause.height + _PRACTICE_GAP
    dice, low, lowest = (replace(pause, y=pause.y + (k - 3) * step) for k in range(3))
    if screens.has_large_text and screens.is_tall:  # the die covers their usual areas
        low, lowest = ui.columns(replace(pause, x=0.40, width=0.58), ui.REST, ui.REST, gap=_GAP[0])
    faces = []
    for face, sign in zip(_make_faces(), _FACES, strict=True):
        drawing = ui.Drawing((ui.Mark(sign, (2.0 / 3.0, 0.5), (0.36, 0.36), _IVORY, _INK),))
        faces.append(face.change(text="", drawing=drawing, speech=face.widget.text))
    return (
        *layout.arrange(faces, ui.grid(dice, 3, 3, 1.0, (0.002, 0.0))),
        layout.button(
            "place_again", text("screens.practice.again"), layout.emit(Ask(Act.PLACE_AGAIN)), rect=low
        ),
        layout.button("undo", text("screens.practice.undo"), layout.emit(Ask(Act.UNDO, 1)), rect=lowest),
    )


_LADDER = "mark ladder .487,.5 .15,.27 wood ink"
ICONS = {
    "pause": draw_icon("path .547,.28 .547,.72", "path .787,.28 .787,.72"),
    "turn_left": draw_icon("arc .667,.54 .27 60 -180", "path .547,.44 .397,.56 .267,.41"),
    "turn_right": draw_icon("arc .667,.54 .27 120 360", "path .787,.44 .937,.56 1.067,.41"),
    "attitude": draw_icon(_LADDER, "path .767,.5 1.087,.5", "path .957,.37 1.087,.5 .957,.63"),
    "hint": draw_icon(_LADDER, "arc .907,.5 .15 -90 270", "path 1.017,.61 1.137,.73"),
    "again": draw_icon("path .927,.28 .687,.5 .927,.72", "path .647,.28 .407,.5 .647,.72"),
    "ladder": draw_icon(_LADDER, "path .787,.5 1.067,.5", "path .927,.36 .927,.64"),
    "learn": draw_icon(
        "path .667,.36 .307,.28 .307,.66 .667,.74 1.027,.66 1.027,.28", "path 1.027,.28 .667,.36 .667,.74"
    ),
    "trials": draw_icon(
        "path .667,.18 .749,.387 .971,.401 .8,.543 .855,.759 .667,.64 .479,.759 .534,.543 .362,.401 .584,.387",
        "path .584,.387 .667,.18",
    ),
    "others": draw_icon(
        "arc .427,.33 .11 -90 270",
        "path .237,.77 .277,.62 .427,.57 .577,.62 .617,.77",
        "arc .907,.33 .11 -90 270",
        "path .717,.77 .757,.62 .907,.57 1.057,.62 1.097,.77",
    ),
    "settings": draw_icon(
        *("path .327,.3 1.007,.3", "path .807,.23 .807,.37"),
        *("path .327,.5 1.007,.5", "path .507,.43 .507,.57"),
        *("path .327,.7 1.007,.7", "path .687,.63 .687,.77"),
    ),
}


#: Rotation of the table for each press of an arrow, in degrees.
TURN_DEG = 45
#: Buttons that show an arrow instead of text.
_ARROW_BUTTONS = ("turn_left", "turn_right")
#: Ways to play in which the buttons beside the table have text instead of icons.
_TEXT_WAYS = frozenset({Way.SWITCH, Way.SWITCHES, Way.VOICE, Way.HEAD})
#: Buttons of the pause page that have the same text as at the table.
_TABLE_TEXTS = ("turn_left", "turn_right", "attitude", "again", "ladder")


def table_page(screens: Screens) -> layout.Plan:
    score = () if screens.practice else _score_buttons(screens)
    x, y, width, height, gap = ui.LEFT_EDGE[screens.is_tall]
    column = [ui.Rect(x, y + k * (height + gap), width, height) for k in range(ui.MAX_EDGE_BUTTONS)]
    first = column[0]
    if screens.has_large_text:
        first = ui.LARGE_PAUSE[screens.is_tall]
        column = ui.columns(first, ui.REST, ui.REST, ui.REST, gap=_GAP[0])
    edge = (*practice_buttons(screens, first), *_edge_buttons(screens, column), *score)
    # These buttons are rarely used, so they are scanned last and as one group.
    edge = tuple(replace(item, group="edge") for item in edge)
    return layout.Plan((*_face_buttons(screens), *list_choices(screens), *edge), veil=0.0, leave=pause)


def _face_buttons(screens: Screens) -> tuple[layout.Item, ...]:
    if not screens.is_awaiting_face:
        return ()
    x, y, width, height = (0.80, 0.26, 0.18, 0.05) if screens.is_tall else (0.86, 0.26, 0.121, 0.075)
    areas = (ui.Rect(x, y + (height + 0.012) * k, width, height) for k in range(3))
    return layout.arrange(_make_faces(), areas)


def _make_faces() -> Iterator[layout.Item]:
    """Yield buttons with the names of the die's faces."""
    for number in (1, 2, 3):
        press = layout.emit(Ask(Act.ROLL, number))
        yield layout.button(f"face {number}", text(f"screens.table.face_{number}"), press)


def _score_buttons(screens: Screens) -> tuple[layout.Item, ...]:
    if screens.score is None or Feature.SCORE not in screens.features:
        return ()
    # Above the choices, which start lower with very large text.
    wide = ui.Rect(0.86, 0.175, 0.121, 0.075 if screens.has_large_text else 0.068)
    rect = ui.Rect(0.80, 0.19, 0.18, 0.05) if screens.is_tall else wide
    key = "screens.table.score_better" if screens.best_score else "screens.table.score"
    words = text(key, count=screens.score, best=screens.best_score)
    return (layout.button("score", words, layout.emit(Ask(Act.SCORE)), rect=rect),)


def _edge_buttons(screens: Screens, areas: Sequence[ui.Rect]) -> tuple[layout.Item, ...]:
    buttons = (("pause", pause), *((key, layout.emit(action)) for key, action in _list_edge_actions(screens)))
    # Players who hear, say or scan the buttons need text.
    way = screens.preferences.way
    shows_text = not screens.has_large_text and (way in _TEXT_WAYS or screens.preferences.speaks)
    items: list[layout.Item] = []
    for (key, press), area in zip(buttons, areas, strict=False):
        words = text(f"screens.table.{key}")
        spoken = text(f"screens.table.{key}_said") if key in _ARROW_BUTTONS else ""
        item = layout.button(key.replace("_", " "), words, press, rect=area).change(speech=spoken)
        sign = replace(area, width=min(area.width, ui.ICON_ASPECT * area.height / screens.aspect))
        if not shows_text:
            item = item.change(text="", speech=spoken or words, rect=sign, drawing=ICONS[key])
            item = replace(item, words=words, words_area=area)
        items.append(item)
    return tuple(items)


def _list_edge_actions(screens: Screens) -> tuple[tuple[str, Ask], ...]:
    """Return the name and action of each available button beside the table."""
    possible = screens.possible
    requests = (
        ("turn_left", Ask(Act.TURN, -TURN_DEG), True),
        ("turn_right", Ask(Act.TURN, TURN_DEG), True),
        ("attitude", Ask(Act.TIP, 1), Act.TIP in possible and Feature.ATTITUDE in screens.features),
        ("hint", Ask(Act.HINT), Act.HINT in possible),
        ("again", Ask(Act.LOOK_BACK), Act.LOOK_BACK in possible),
        ("ladder", Ask(Act.ANOTHER, 1), Act.ANOTHER in possible and screens.draws_any),
    )
    return tuple((key, action) for key, action, shown in requests if shown)


def pause(screens: Screens) -> layout.Reply:
    return screens.reset_to(PageName.PAUSE), ()


def pause_for(screens: Screens, sentence: str) -> layout.Reply:
    """Pause and show this sentence about the reason."""
    if not screens.in_game or screens.page is PageName.PAUSE:
        return screens, ()
    return replace(screens.reset_to(PageName.PAUSE), stopped_by=sentence), ()


def resume(screens: Screens) -> layout.Reply:
    guided = screens.guide is not None and not screens.guide.is_over
    page = PageName.GUIDE if guided else PageName.TABLE
    return replace(screens.reset_to(page), stopped_by=""), ()


def pause_page(screens: Screens) -> layout.Plan:
    counts, has, possible = not screens.practice and screens.trial is None, screens.features, screens.possible
    is_team, has_score = counts and screens.form.options.together, counts and screens.score is not None
    overrule = layout.go_to(PageName.OVERRULE)
    # Name, action, whether it is enabled, and whether it is shown.
    requests: tuple[tuple[str, Callable[[Screens], layout.Reply], bool, bool], ...] = (
        ("resume", resume, True, True),
        ("verdict", layout.go_to(PageName.VERDICT), screens.verdict is not None, Feature.OVERRULE in has),
        ("give_up", layout.go_to(PageName.GIVE_UP), Act.GIVE_UP in possible, Feature.GIVE_UP in has),
        ("hint", _resume_with(Ask(Act.HINT)), Act.HINT in possible, Feature.HINT in has),
        ("score", _resume_with(Ask(Act.SCORE)), has_score, (is_team or has_score) and Feature.SCORE in has),
        ("undo", _resume_with(Ask(Act.UNDO, 1)), Act.UNDO in possible, Feature.UNDO in has),
        (
            "overrule",
            overrule,
            counts and bool(screens.party) and Act.ADD_TEAR in possible,
            Feature.OVERRULE in has,
        ),
        ("rules", open_rules, True, True),
        ("settings", layout.go_to(PageName.SETTINGS), True, True),
        ("party", layout.go_to(PageName.PARTY), True, screens.party_state.is_on),
        # Requests without a gamepad button; with very large text all, because few buttons fit beside the table.
        *(
            (key, _resume_with(action), action.request in possible, screens.has_large_text or key == "ladder")
            for key, action in _list_edge_actions(screens)
            if key != "hint"  # listed above
        ),
        ("camera", choose_camera, True, bool(screens.stopped_by)),
        ("leave", layout.go_to(PageName.LEAVE), True, True),
    )
    texts = {key: text(f"screens.table.{key}") for key in _TABLE_TEXTS} | {"undo": text(Act.UNDO.text_key)}
    buttons = [
        layout.button(key, texts.get(key) or text(f"screens.pause.{key}"), press, enabled=enabled)
        for key, press, enabled, is_shown in requests
        if is_shown
    ]
    rest, notes = layout.body_area(screens.is_tall), tuple[layout.Item, ...]()
    if screens.stopped_by:
        note, _, rest = ui.rows(rest, 0.12, 0.01, ui.REST)
        notes = layout.texts(note, (screens.stopped_by,), "note", 1.0)
    items = (*notes, *layout.arrange_compactly(screens, buttons, rest))
    title = text("screens.pause.heading")
    return layout.page(screens, title, items, veil=0.55, leave=resume, first="resume")


def _resume_with(action: Action) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that resumes the game, where the action's result is visible, and sends the action."""
    return lambda screens: (resume(screens)[0], (action,))


def overrule_page(screens: Screens) -> layout.Plan:
    """Return the page on which the host gives back or adds tears (ruling X4)."""
    note, areas = layout.seat_areas(screens)
    items: list[layout.Item] = []
    for seat, (area, name) in enumerate(zip(areas, screens.party, strict=False)):
        middle, *sides = ui.columns(area, ui.REST, 0.16, 0.16, gap=0.008)
        items.append(_player_label(screens, f"player {seat}", name, seat, middle))
        for which, act, side in zip(("give", "add"), (Act.GIVE_TEAR_BACK, Act.ADD_TEAR), sides, strict=True):
            press, words = _resume_with(Ask(act, seat)), text(f"screens.overrule.{which}")
            items.append(layout.button(f"{which} {seat}", words, press, rect=side))
    about = layout.texts(note, (text("screens.overrule.about"),), "note", 1.0)
    press, possible = _resume_with(Ask(Act.UNDO, 1)), Act.UNDO in screens.possible
    undo = layout.button("undo", text(Act.UNDO.text_key), press, enabled=possible)
    title = text("screens.overrule.heading")
    return layout.page(screens, title, (*about, *items), layout.back_button(), undo, veil=0.66, first="back")


def _player_label(screens: Screens, name: str, words: str, seat: int | None, area: ui.Rect) -> layout.Item:
    """Return a player's name and colour; players at other tables (seat None) have no colour."""
    players = screens.form.players
    swatches: tuple[ui.Rgb, ...] = ()
    if seat is not None:
        swatches = (COLOURS[players[seat].colour if seat < len(players) else seat % len(COLOURS)],)
    return layout.label(name, ui.WidgetKind.SCORE, area, words, swatches=swatches)


def leave_page(screens: Screens) -> layout.Plan:
    return layout.confirmation_page(screens, "leave", layout.choose_leaving_text(screens), leave_game)


def give_up_page(screens: Screens) -> layout.Plan:
    stay = layout.go_back if screens.back else resume
    text_key = "about_practice" if screens.practice else "about"
    return layout.confirmation_page(screens, "give_up", text_key, _resume_with(Ask(Act.GIVE_UP)), stay)


def leave_game(screens: Screens) -> layout.Reply:
    cleared = replace(screens.cleared_for(PageName.TITLE), in_game=False, practice=False, stopped_by="")
    return cleared, (Request.LEAVE_GAME,)


def close_window(screens: Screens) -> layout.Reply:
    """Pause a running game and ask whether to quit; if the page already asks, quit."""
    if screens.page is PageName.QUIT:
        return screens, (Request.QUIT,)
    paused = pause(screens)[0] if screens.page in (PageName.TABLE, PageName.GUIDE) else screens
    return paused.go_to(PageName.QUIT), ()


def verdict_page(screens: Screens) -> layout.Plan:
    news = screens.verdict
    assert news is not None
    tall = screens.is_tall
    card = VERDICT_CARD[tall]
    inner = ui.Rect(card.x + 0.03, card.y + 0.025, card.width - 0.06, card.height - 0.05)
    head, low = ui.rows(inner, 0.42, ui.REST, gap=0.01)
    shown = tuple(line for line in (*news.evidence, news.figure) if line)[:4]
    look_back, possible = layout.emit(Ask(Act.LOOK_BACK)), Act.LOOK_BACK in screens.possible
    again = layout.button("again", text("screens.verdict.again"), look_back, enabled=possible)
    words, go = text("screens.pause.overrule"), layout.go_to(PageName.OVERRULE)
    overrule = layout.button("overrule", words, go, enabled=bool(screens.party))
    foot = layout.foot_buttons(screens, layout.back_button(), again, overrule)
    if not tall:  # lower than usual, to leave the base visible
        foot = tuple(item.change(rect=replace(item.widget.rect, y=0.885)) for item in foot)
    return layout.Plan(
        (
            layout.label("card", ui.WidgetKind.CARD, card, good=news.good),
            layout.label("heading", ui.WidgetKind.TEXT, head, news.sentence, good=news.good, chosen=True),
            *layout.texts(low, shown, "evidence", 0.065),
            *foot,
        ),
        veil=0.12,
        leave=layout.go_back,
        first="back",
    )


def final_page(screens: Screens) -> layout.Plan:
    news = screens.final
    assert news is not None
    above, _, about = ui.rows(layout.body_area(screens.is_tall), 0.55, 0.05, ui.REST)
    across = 1 if screens.is_tall else min(3, len(news.names))
    areas = ui.grid(above, len(news.names), across, layout.MAX_ROW_HEIGHT[screens.is_tall])
    seats = {name: seat for seat, name in enumerate(screens.party)}
    names = (
        _player_label(screens, f"finalist {k}", name, seats.get(name), area)
        for k, (area, name) in enumerate(zip(areas, news.names, strict=True))
    )
    share = layout.button("share", text("screens.final.share"), _resume_with(Ask(Act.SHARE)))
    words = text("screens.final.about", players=join_names(news.names))
    return layout.page(
        screens,
        text("screens.final.heading"),
        (*names, *layout.texts(about, (words,), "about", 0.16)),
        *((share,) if news.optional else ()),
        layout.button("on", text("screens.final.on"), resume),
        veil=0.70,
        leave=resume,
        first="on",
        moon=True,
    )


#: Area of a verdict's card, in a wide and a tall window.
VERDICT_CARD = {False: ui.Rect(0.61, 0.175, 0.37, 0.635), True: ui.Rect(0.05, 0.52, 0.90, 0.36)}


def game_area(screens: Screens) -> ui.Rect | None:
    """Return the part of the window that a page's card leaves to the game; None: the default part."""
    if screens.page is PageName.VERDICT and screens.has_large_text:
        return ui.Rect(0.02, 0.50, 0.96, 0.36 if screens.is_tall else 0.28)
    if screens.page is PageName.VERDICT and not screens.is_tall:
        return ui.Rect(0.02, 0.01, VERDICT_CARD[False].x - 0.02, 0.86)
    guided = screens.page is PageName.GUIDE and screens.has_large_text and not screens.is_tall
    return ui.Rect(0.0, 0.50, 1.0, 0.47) if guided else None


#: Possible areas of the guide's card, the default first, in a wide and a tall window.
CARDS = {
    False: (
        ui.Rect(0.175, 0.03, 0.515, 0.37),
        ui.Rect(0.015, 0.26, 0.305, 0.61),
        ui.Rect(0.685, 0.26, 0.30, 0.61),
        ui.Rect(0.245, 0.51, 0.51, 0.37),
        ui.Rect(0.015, 0.51, 0.48, 0.37),
        ui.Rect(0.505, 0.51, 0.48, 0.37),
        ui.Rect(0.18, 0.015, 0.41, 0.275),
    ),
    True: (
        ui.Rect(0.04, 0.03, 0.92, 0.23),
        ui.Rect(0.04, 0.70, 0.92, 0.23),
        ui.Rect(0.04, 0.27, 0.92, 0.23),
        ui.Rect(0.02, 0.815, 0.96, 0.175),
    ),
}
#: Possible areas of the guide's card with very large text.
LARGE_CARDS = {
    False: (
        ui.Rect(0.015, 0.02, 0.97, 0.47),
        ui.Rect(0.015, 0.02, 0.675, 0.47),
        ui.Rect(0.015, 0.51, 0.97, 0.47),
        ui.Rect(0.015, 0.02, 0.48, 0.96),
        ui.Rect(0.505, 0.02, 0.48, 0.96),
    ),
    True: (
        ui.Rect(0.02, 0.015, 0.96, 0.32),
        ui.Rect(0.02, 0.665, 0.96, 0.32),
        ui.Rect(0.02, 0.34, 0.96, 0.32),
        ui.Rect(0.02, 0.775, 0.96, 0.215),
    ),
}
#: Duration of a picture's animation and of the pause after it, in seconds.
ANIMATION_S, ANIMATION_PAUSE_S = 4.0, 1.0


def guide_page(screens: Screens) -> layout.Plan:
    assert screens.guide is not None
    cards, chooses = _list_card_areas(screens), screens.preferences.chooses
    # The way to play, which determines the steps, may have changed during a pause.
    now = fit_guide(screens, screens.guide)
    card = cards[min(now.card, len(cards) - 1)]
    kind = load_kind(screens.games[0])
    moving = None if screens.has_large_text else kind.find_step_animation(now.text_name)
    is_narrow = not screens.is_tall and not screens.has_large_text and card.width < 0.4
    picture, heading, low = _divide_card(card, is_narrow=is_narrow, has_picture=moving is not None)
    areas = ui.grid(low, 3, 3, 1.0, (0.008, 0.0))
    time = min(1.0, now.seconds % (ANIMATION_S + ANIMATION_PAUSE_S) / ANIMATION_S)
    shown = () if moving is None else (moving(STILL_AT if screens.preferences.calm else time),)
    words = text(now.text_key(screens.device, chooses=chooses))
    turns: tuple[layout.Item, ...] = ()
    if now.text_name == "table" and chooses:
        turn = layout.emit(Ask(Act.TURN, TURN_DEG))
        (area,) = _choice_areas(screens, choices_area(screens), 1)
        turns = (layout.button("turn right", text("screens.table.turn_right"), turn, rect=area),)
    return layout.Plan(
        (
            layout.label("card", ui.WidgetKind.CARD, card, level=now.progress),
            *(layout.label("picture", ui.WidgetKind.PICTURE, picture, drawing=sign) for sign in shown),
            layout.label("heading", ui.WidgetKind.TEXT, heading, words, chosen=True),
            *list_choices(screens),
            *turns,
            *_guide_buttons(now, areas, chooses=chooses),
        ),
        veil=0.0,
        leave=leave_game if now.is_over else pause,
        first="next",
    )


def _guide_buttons(now: GuidedGame, areas: Sequence[ui.Rect], *, chooses: bool) -> tuple[layout.Item, ...]:
    """Return a step's buttons; for players who choose, the most frequently used one is scanned first."""
    leave, rest, on = layout.arrange(
        (
            layout.button("leave", text("screens.guide.leave"), leave_game),
            layout.button("pause", text("screens.table.pause"), pause, enabled=not now.is_over),
            layout.button("next", text("screens.guide.play" if now.is_over else "screens.next"), _next_step),
        ),
        areas,
    )
    return (on, rest, leave) if chooses else (leave, rest, on)


def _list_card_areas(screens: Screens) -> tuple[ui.Rect, ...]:
    cards = (LARGE_CARDS if screens.has_large_text else CARDS)[screens.is_tall]
    if not screens.preferences.chooses:
        return cards
    column = choices_area(screens)
    return tuple(card for card in cards if overlap_area(card, column) == 0.0)


def _divide_card(card: ui.Rect, *, is_narrow: bool, has_picture: bool) -> tuple[ui.Rect, ui.Rect, ui.Rect]:
    """Return the areas of the picture, the text and the buttons on a card."""
    _, middle, _ = ui.columns(card, ui.FlexPart(0.012), ui.REST, ui.FlexPart(0.012))
    inside = ui.rows(middle, 0.10, 0.86)[1]
    if is_narrow:
        picture, _, words, _, low = ui.rows(inside, 0.34, 0.01, 0.50, 0.01, ui.REST)
        return picture, words, low
    above, _, low = ui.rows(inside, 0.70, 0.02, ui.REST)
    picture, _, beside = ui.columns(above, 0.25, 0.015, ui.REST)
    return picture, beside if has_picture else above, low


def place_card(screens: Screens, busy: Sequence[ui.Rect]) -> Screens:
    """Move the guide's card to the area that overlaps least with ``busy``; prefer its current area."""
    now = screens.guide
    if now is None:
        return screens
    if screens.preferences.left_handed:
        busy = [rect.mirrored for rect in busy]  # pages are laid out for the right hand and mirrored later
    areas = _list_card_areas(screens)
    covered = [sum(overlap_area(area, rect) for rect in busy) for area in areas]
    current = min(now.card, len(areas) - 1)
    best = current if covered[current] == 0.0 else covered.index(min(covered))
    return screens if best == now.card else replace(screens, guide=replace(now, card=best))


def fit_guide(screens: Screens, guide: GuidedGame) -> GuidedGame:
    """Return the guide at the first step from here that applies to the player's device and way to play."""
    return guide.fit_to(screens.device, chooses=screens.preferences.chooses)


def set_device(screens: Screens, device: Device) -> Screens:
    changed = replace(screens, device=device)
    return changed if changed.guide is None else replace(changed, guide=fit_guide(changed, changed.guide))


def advance_guide(screens: Screens, facts: GuideFacts, seconds: float) -> layout.Reply:
    """Advance the guided game by ``seconds``; after a pinch, the device is the hand."""
    if screens.guide is None or screens.page is not PageName.GUIDE:
        return screens, ()
    later = replace(screens, guide=screens.guide.advance(facts, seconds))
    return set_device(later, Device.HAND if facts.pinching else screens.device), ()


def overlap_area(a: ui.Rect, b: ui.Rect) -> float:
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    down = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return max(0.0, across) * max(0.0, down)


def _next_step(screens: Screens) -> layout.Reply:
    """Go to the next step, or after the last step to the page that chooses a game."""
    assert screens.guide is not None
    if not screens.guide.is_over:
        return replace(screens, guide=fit_guide(screens, screens.guide.next_step())), ()
    left, actions = leave_game(screens)
    return left.go_to(PageName.GAME), actions
