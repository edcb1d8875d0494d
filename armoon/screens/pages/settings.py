"""Settings pages, with a row for each setting; changes take effect at once."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from armoon.games.shared import COLOUR_NAMES
from armoon.kit import draw_picture
from armoon.messages import key_name, number, text
from armoon.options.option import Option, PageId
from armoon.screens import layout
from armoon.screens.events import COLOURS, Ask, Request
from armoon.screens.measuring import PhraseRecording
from armoon.screens.state import KeysPageState, PageName, Screens
from armoon.settings.preferences import MAX_VOLUME, PREFERENCES
from armoon.values import acts, replace
from armoon.values.choices import CameraWay
from armoon.values.page import GAP, REST, FlexPart, Rect, WidgetKind, columns, grid, rows

#: Maximum number of webcams on a page.
MAX_WEBCAMS = 4
#: Offered lengths of a table's near side: paper sizes, then usual tables.
SIDES_M = (0.210, 0.297, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 1.00, 1.20, 1.40, 1.60)


def camera_page(screens: Screens) -> layout.Plan:
    state, tall = screens.camera, screens.is_tall
    note, rest = rows(layout.body_area(tall), 0.2, REST, gap=GAP[1])
    described: list[tuple[str, str, str, str]] = []
    for webcam, found in state.webcams[:MAX_WEBCAMS]:
        words, about = text("screens.camera.webcam", number=webcam), found or text("screens.camera.unnamed")
        described.append((f"webcam {webcam}", webcam, words, about))
    for way in (CameraWay.NONE, CameraWay.DEMO):
        described.append((way, way, text(f"screens.camera.{way}"), text(f"screens.camera.{way}_about")))
    cards = [
        layout.card(
            name, words, about, layout.emit(Ask(Request.USE_CAMERA, source)), chosen=state.source == source
        ).change(photo=dict(state.pictures).get(source, ""))
        for name, source, words, about in described
    ]
    across = 1 if tall else 2 if len(cards) <= 4 else 3
    items = (
        *layout.texts(note, (state.error or text("screens.camera.about"),), "note", 1.0),
        *layout.arrange(cards, grid(rest, len(cards), across, 0.22 if tall else 0.36, (0.03, 0.03))),
    )
    look = layout.button("look", text("screens.camera.look"), layout.emit(Request.FIND_CAMERAS))
    title, first = text("screens.camera.heading"), described[0][0]
    return layout.page(screens, title, items, layout.back_button(), look, veil=0.80, first=first)


open_camera_page = layout.go_to(PageName.CAMERA, Request.FIND_CAMERAS)


def find_table_page(screens: Screens) -> layout.Plan:
    search, tall = screens.table, screens.is_tall
    foot = layout.foot_area(tall)
    notes = replace(foot, y=0.155 if tall else 0.17, height=0.11)
    half, _, other = columns(replace(foot, y=foot.y - 0.13, height=0.10), 0.49, 0.02, REST)
    if search.is_pointing:
        ways = (
            layout.button("take_back", text("screens.find.take_back"), layout.emit(Request.UNDO_CORNER)),
            layout.button("look_again", text("screens.find.look_again"), layout.emit(Request.SEARCH_AGAIN)),
        )
    else:
        side_m = SIDES_M[screens.table_width_index]
        side, point = text("screens.find.metres", metres=number(side_m, 2)), Request.POINT_AT_CORNERS
        step_side = layout.step_number("table_width_index", len(SIDES_M))
        ways = (
            layout.choice("side", text("screens.find.side"), side, step_side),
            layout.button("corners", text("screens.find.corners"), layout.emit(Ask(point, side_m))),
        )
    return layout.page(
        screens,
        text("screens.find.heading"),
        (
            *layout.texts(notes, (search.hint, search.error), "note", 0.05),
            *layout.arrange(ways, (half, other)),
        ),
        layout.button("back", text("screens.back"), leave_search),
        layout.button("accept", text("screens.find.accept"), _accept_table, enabled=not search.is_pointing),
        veil=0.0,
        leave=leave_search,
        first="accept",
    )


def leave_search(screens: Screens) -> layout.Reply:
    return replace(screens.reset_to(PageName.TITLE), in_game=False), (Request.LEAVE_GAME,)


def _accept_table(screens: Screens) -> layout.Reply:
    return replace(screens.reset_to(PageName.TABLE), in_game=True), (Request.TABLE_ACCEPTED,)


#: Rows of each group of settings.
_SETTINGS = {
    "look": ("language", "text_size", "contrast", "seeing"),
    "sound": ("captions", "speech", "volume", "hearing"),
    "play": ("playing", "ways", "depth", "camera"),
}
#: Pictures on the page of the paper kit.
_KIT_PICTURES = ("cut", "fold", "hold", "let_go")


def settings_page(screens: Screens) -> layout.Plan:
    rows = {row.widget.name: row for row in option_rows(screens, PageId.SETTINGS)}
    pages = {
        "seeing": layout.go_to(PageName.SEEING),
        "hearing": layout.go_to(PageName.HEARING),
        "playing": layout.go_to(PageName.PLAYING),
        "ways": layout.go_to(PageName.WAY),
        "depth": layout.go_to(PageName.DEPTH),
        "camera": open_camera_page,
    }
    rows |= {name: layout.button(name, text(f"screens.setting.{name}"), go) for name, go in pages.items()}
    groups = [
        (text(f"screens.setting.group.{group}"), [rows[name] for name in names], ())
        for group, names in _SETTINGS.items()
    ]
    leave = layout.button("quit", text("screens.setting.quit"), layout.go_to(PageName.QUIT))
    foot = (layout.back_button(),) if screens.in_game else (leave, layout.back_button())
    listed = layout.arrange_groups(screens, layout.body_area(screens.is_tall), groups)
    return layout.page(screens, text("screens.setting.heading"), listed, *foot, main="back")


def hearing_page(screens: Screens) -> layout.Plan:
    title, about = text("screens.setting.hearing"), (text("screens.setting.hearing_about"),)
    own = layout.button("own phrases", text("screens.phrases.heading"), layout.go_to(PageName.PHRASES))
    items = option_rows(screens, PageId.HEARING)
    return layout.list_page(screens, title, about, items, layout.back_button(), own)


def phrases_page(screens: Screens) -> layout.Plan:
    now = screens.phrases
    name = text("screens.phrases.call" if now.asked == acts.CALL else acts.BY_PHRASE[now.asked].text_key)
    sentence = text("screens.phrases.say", phrase=name, done=now.sample_count, of=acts.SAMPLES)
    about = (text("screens.phrases.about"), sentence)
    items = [layout.button("next", text("screens.phrases.next"), layout.change(phrases=now.next_phrase()))]
    forget = layout.change(phrases=PhraseRecording(should_delete=True))
    delete = layout.button("forget", text("screens.phrases.forget"), forget, enabled=bool(now.sample_counts))
    title = text("screens.phrases.heading")
    return layout.list_page(screens, title, about, items, layout.back_button(), delete, first="next")


def depth_page(screens: Screens) -> layout.Plan:
    way = text(f"screens.setting.depth_help_{screens.preferences.depth_help}")
    title, about = text("screens.setting.depth"), (text("screens.setting.depth_about"), way)
    paper = layout.button("kit", text("screens.kit.heading"), layout.go_to(PageName.KIT, picture=""))
    items = option_rows(screens, PageId.DEPTH)
    return layout.list_page(screens, title, about, items, layout.back_button(), paper, veil=0.60)


def kit_page(screens: Screens) -> layout.Plan:
    about, _, shown, _, rest = rows(layout.body_area(screens.is_tall), 0.18, 0.02, 0.52, 0.02, REST)
    areas = grid(shown, len(_KIT_PICTURES), 2 if screens.is_tall else 4, gap=(0.02, 0.03))
    pictures = draw_captioned_pictures({name: text(f"kit.how.{name}") for name in _KIT_PICTURES}, areas, 0.64)
    listed = layout.arrange_compactly(screens, option_rows(screens, PageId.KIT), rest)
    words = layout.texts(about, (screens.picture or text("screens.kit.about"),), "about", 1.0)
    foot = [layout.back_button()]
    for paper, name in (("a4", "A4"), ("letter", "Letter")):
        write = layout.emit(Ask(Request.WRITE_KIT, paper))
        foot.append(layout.button(f"write {paper}", text("screens.kit.write", paper=name), write))
    return layout.page(screens, text("screens.kit.heading"), (*words, *pictures, *listed), *foot, veil=0.80)


def draw_captioned_pictures(
    captions: Mapping[str, str], areas: Sequence[Rect], share: float
) -> Iterator[layout.Item]:
    """Yield drawings of the paper kit with captions below; ``share``: the drawing's share of an area's height."""
    for (name, words), area in zip(captions.items(), areas, strict=True):
        picture, caption = rows(area, share, REST)
        yield layout.label(name, WidgetKind.PICTURE, picture, drawing=draw_picture(name))
        yield from layout.texts(caption, (words,), f"{name} said", 1.0)


def seeing_page(screens: Screens) -> layout.Plan:
    shown, rest = rows(layout.body_area(screens.is_tall), 0.3 if screens.is_tall else 0.42, REST, gap=0.03)
    items: list[layout.Item] = []
    areas = grid(shown, len(COLOURS), 2 if screens.is_tall else 3, 0.11)
    for k, (area, name, colour) in enumerate(zip(areas, COLOUR_NAMES, COLOURS, strict=True)):
        words = text(f"screens.colour.{name}")
        items.append(layout.label(f"colour {k}", WidgetKind.SCORE, area, words, swatches=(colour,)))
    items += layout.arrange_compactly(screens, option_rows(screens, PageId.SEEING), rest)
    return layout.page(screens, text("screens.setting.seeing"), items, layout.back_button())


def option_rows(screens: Screens, where: PageId) -> list[layout.Item]:
    return [option_row(screens, preference) for preference in PREFERENCES if preference.page is where]


def option_row(screens: Screens, option: Option) -> layout.Item:
    """Return a setting's row; a volume has a level bar and is disabled while sound is muted."""
    now = getattr(screens.preferences, option.name)
    volume = option.name.endswith("volume")

    def adjust(screens: Screens, step: int) -> layout.Reply:
        value = next_offer(option.offers, getattr(screens.preferences, option.name), step)
        return layout.set_preference(screens, option.name, value)

    return layout.choice(
        option.name,
        option.label,
        f"{now * 10} %" if volume else option.format_value(now),
        adjust,
        enabled=not (volume and screens.preferences.muted),
        level=now / MAX_VOLUME if volume else None,
        now=now,
        offers=option.offers,
    )


def next_offer(offers: Sequence[Any], value: Any, step: int) -> Any:
    """Return the value ``step`` positions on; the values wrap around, so that one arrow reaches all of them."""
    # A number from the settings file may lie between two offers.
    index = offers.index(value) if value in offers else bisect(offers, value) - (step > 0)
    return offers[(index + step) % len(offers)]


_GROUPS = tuple(acts.GROUPS)
_KEY_HAND = next(preference for preference in PREFERENCES if preference.name == "key_hand")


def keys_page(screens: Screens) -> layout.Plan:
    state, body = screens.keys, layout.body_area(screens.is_tall)
    group = _GROUPS[state.group]
    row = 0.06 if screens.is_tall else 0.09
    across = 1 if screens.is_tall else 2
    chosen = FlexPart(2.0 * row + 0.008 if screens.is_tall else row)
    above, note, rest = rows(body, chosen, FlexPart(row), REST, gap=0.008)
    first, second = grid(above, 2, across, gap=(GAP[0], 0.008))
    label, named = text("screens.keys.group"), text(f"screens.keys.of.{group}")
    items = (
        layout.choice("group", label, named, _change_group).change(rect=first),
        option_row(screens, _KEY_HAND).change(rect=second),
        layout.label("note", WidgetKind.TEXT, note, _describe_keys(screens, group)),
        *layout.arrange_compactly(screens, [_key_row(screens, act) for act in acts.GROUPS[group]], rest),
    )
    is_changed = bool(screens.preferences.keys or screens.preferences.pad)
    usual = layout.button("usual", text("screens.keys.usual"), _restore_keys, enabled=is_changed)
    return layout.page(screens, text("screens.keys.heading"), items, layout.back_button(), usual)


def assign_key(screens: Screens, name: str, *, pad: bool = False) -> layout.Reply:
    """Assign a pressed key or button to the act that waits for one; reserved keys cancel."""
    state = screens.keys
    if not state.waiting_act or pad != (_GROUPS[state.group] in acts.PAD_GROUPS):
        return screens, ()
    kept = acts.KEPT_BUTTONS if pad else acts.KEPT_KEYS
    if name in kept:
        return replace(screens, keys=KeysPageState(state.group)), ()
    other = acts.find_word(name, _get_current_keys(screens, state.group))
    if other not in ("", state.waiting_act) and state.taken_key != name:
        return replace(screens, keys=replace(state, taken_key=name)), ()
    return _move_key(screens, state.waiting_act, name)


def _key_row(screens: Screens, act: str) -> layout.Item:
    is_waiting = screens.keys.waiting_act == act
    now = _get_current_keys(screens, screens.keys.group)
    shown = text("screens.keys.press") if is_waiting else key_name((now[act],))
    item = layout.choice(act, text(acts.get_act(act).text_key), shown, _adjust_key(act)).change(
        chosen=is_waiting or None
    )
    wait = layout.change(keys=KeysPageState(screens.keys.group, act))
    return item if screens.preferences.uses_switch else replace(item, press=wait)


def _describe_keys(screens: Screens, group: str) -> str:
    state = screens.keys
    if state.taken_key:
        other = acts.find_word(state.taken_key, _get_current_keys(screens, state.group))
        act = text(acts.get_act(other).text_key)
        return text("screens.keys.taken", named=key_name((state.taken_key,)), act=act)
    if state.waiting_act:
        act = text(acts.get_act(state.waiting_act).text_key)
        return text(
            "screens.keys.waiting_pad" if group in acts.PAD_GROUPS else "screens.keys.waiting", act=act
        )
    return text("screens.keys.about")


def _get_current_keys(screens: Screens, group: int) -> acts.Layout:
    preferences = screens.preferences
    pad = _GROUPS[group] in acts.PAD_GROUPS
    return acts.get_buttons(preferences.pad) if pad else acts.get_keys(preferences.key_hand, preferences.keys)


def _adjust_key(act: str) -> Callable[[Screens, int], layout.Reply]:
    """Return a handler for an act's arrows that assigns the next unused key."""

    def adjust(screens: Screens, step: int) -> layout.Reply:
        now = _get_current_keys(screens, screens.keys.group)
        pad = _GROUPS[screens.keys.group] in acts.PAD_GROUPS
        # Gamepads have no unused buttons, so two acts swap buttons.
        every = tuple(acts.PAD.values()) if pad else (*acts.KEYS.values(), *acts.MORE_KEYS)
        free = [key for key in dict.fromkeys(every) if pad or key == now[act] or not acts.find_word(key, now)]
        index = free.index(now[act]) if now[act] in free else 0
        return _move_key(screens, act, free[(index + step) % len(free)])

    return adjust


def _move_key(screens: Screens, act: str, key: str) -> layout.Reply:
    screens = replace(screens, keys=KeysPageState(screens.keys.group))
    name = "pad" if _GROUPS[screens.keys.group] in acts.PAD_GROUPS else "keys"
    before: acts.KeyMap = getattr(screens.preferences, name)
    return layout.set_preference(
        screens, name, _list_changed_keys(screens, (*before, (act, key)), pad=name == "pad")
    )


def _list_changed_keys(screens: Screens, moved: acts.KeyMap, *, pad: bool) -> acts.KeyMap:
    hand = screens.preferences.key_hand
    if not pad and len(moved) <= len(acts.KEYS):
        return moved
    usual, wanted = (
        (acts.PAD, acts.get_buttons(moved)) if pad else (acts.get_keys(hand, ()), acts.get_keys(hand, moved))
    )
    return tuple((act, key) for act, key in wanted.items() if key != usual[act])


def _restore_keys(screens: Screens) -> layout.Reply:
    screens, keys = layout.set_preference(screens, "keys", ())
    screens, pad = layout.set_preference(screens, "pad", ())
    return replace(screens, keys=KeysPageState(screens.keys.group)), (*keys, *pad)


def _change_group(screens: Screens, step: int) -> layout.Reply:
    return replace(screens, keys=KeysPageState((screens.keys.group + step) % len(_GROUPS))), ()
