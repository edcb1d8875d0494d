"""Pages before a game: title, game, options, first player, the camera's seat, and practice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armoon.games import title_of
from armoon.games.news import UnfinishedGame
from armoon.games.shared import FirstBy
from armoon.messages import join_names, text
from armoon.options.option import Option, PageId
from armoon.screens import layout
from armoon.screens.events import COLOURS, Ask, Request, seat_players
from armoon.screens.form import Form
from armoon.screens.pages.measure import set_way, with_device
from armoon.screens.pages.players import describe_needed_players, format_date
from armoon.screens.pages.rulebook import open_rules
from armoon.screens.pages.settings import draw_captioned_pictures
from armoon.screens.pages.table import ICONS, fit_guide
from armoon.screens.pages.trials import (
    COLUMNS,
    MAX_CARD_HEIGHT,
    make_start_trial,
    open_trials,
    trial_at_table,
)
from armoon.screens.state import GuidedGame, PageName, Screens
from armoon.values import replace
from armoon.values.choices import CameraWay, Device, SeatName, Way
from armoon.values.page import GAP, REST, FlexPart, Rect, WidgetKind, columns, grid, rows

#: Text scale above which there is no room for a game's picture.
_MAX_PICTURE_TEXT_SCALE = 1.25
#: Gap between buttons on the title page.
_BUTTON_GAP = 0.014
#: Maximum length of the names on a button of the title page and on a game's card, in letters.
_MAX_LETTERS = 20
#: Maximum length of a folder's path on the title page, in letters.
_MAX_PATH_LETTERS = 24


def title_page(screens: Screens) -> layout.Plan:
    games = screens.unfinished
    heading, motto, resume, start, game_area, low = _title_areas(screens.is_tall, bool(screens.temp_folder))
    cards = (
        layout.button(key, title_of(key), with_device(begin_game(key))).change(photo=key)
        for key in screens.games or (screens.form.game,)
    )
    icons = (
        layout.button(key, text(f"screens.title.{key}"), press).change(drawing=ICONS[key])
        for key, press in (
            ("learn", layout.go_to(PageName.LEARN)),
            ("trials", with_device(open_trials)),
            ("others", layout.go_to(PageName.OTHERS)),
            ("settings", layout.go_to(PageName.SETTINGS)),
        )
    )
    by_hand = screens.must_choose_way or screens.preferences.way is Way.HAND
    words = text("screens.title.motto" if by_hand else "screens.title.motto_any")
    if screens.temp_folder:
        folder = screens.temp_folder  # the terminal shows the whole path
        end = folder if len(folder) <= _MAX_PATH_LETTERS else f"…{folder[1 - _MAX_PATH_LETTERS :]}"
        words = text("screens.title.elsewhere", folder=end)
    about = _describe_next_game(screens)
    play = layout.card("play", text("screens.title.play"), about, with_device(quick_start))
    return layout.Plan(
        (
            layout.label("heading", WidgetKind.HEADING, heading, text("screens.title.name")),
            layout.label("motto", WidgetKind.TEXT, motto, words),
            *layout.arrange(map(_resume_card, games[:1]), (resume,)),
            play.change(rect=start, main=True),
            *layout.arrange(cards, grid(game_area, max(1, len(screens.games)), 2, 1.0, (0.014, _BUTTON_GAP))),
            *layout.arrange(icons, grid(low, 4, 4, 1.0, (0.014, _BUTTON_GAP))),
        ),
        veil=0.82,
        leave=layout.go_to(PageName.QUIT),
        first="resume" if games else "play",
        moon=True,
    )


def _title_areas(tall: bool, has_warning: bool) -> tuple[Rect, ...]:
    """Return the areas of the heading, motto or warning, Continue (even if unused), Play, games and icons."""
    if tall:
        area, button = Rect(0.05, 0.055, 0.90, 0.925), FlexPart(0.082)
        words = FlexPart(0.21 if has_warning else 0.15)
        words_area, resume, play, cards, icons = rows(
            area, words, button, button, REST, FlexPart(0.10), gap=_BUTTON_GAP
        )
        heading, motto = rows(replace(words_area, width=0.5), FlexPart(0.09), REST)
    else:
        low, words = FlexPart(0.20), FlexPart(0.31 if has_warning else 0.20)
        left, _, right = columns(Rect(0.06, 0.045, 0.88, 0.935), 0.60, 0.05, REST)
        words_area, cards, icons = rows(left, words, REST, low, gap=_BUTTON_GAP)
        heading, motto = rows(words_area, FlexPart(0.125), REST)
        _, resume, play = rows(right, REST, FlexPart(0.17), low, gap=_BUTTON_GAP)
    return heading, motto, resume, play, cards, icons


def _resume_card(game: UnfinishedGame) -> layout.Item:
    turn = text("screens.unfinished.game", game=title_of(game.game), turn=game.turn)
    about = f"{turn} · {shorten_names(game.players)}"
    return layout.card("resume", text("screens.title.resume"), about, with_device(resume_saved(game)))


def begin_game(key: str) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that starts the game with its last settings."""
    return lambda screens: quick_start(replace(screens, form=replace(screens.form, game=key).tidy()))


def _describe_next_game(screens: Screens) -> str:
    form = screens.form
    names = shorten_names(tuple(player.name for player in form.players))
    parts = [text("screens.title.next_game", game=title_of(form.game), players=names)]
    parts += [text("screens.title.together")] if form.options.together else []
    parts += [text("screens.title.demo")] if screens.camera.way is CameraWay.DEMO else []
    return " · ".join(parts)


def quick_start(screens: Screens) -> layout.Reply:
    """Start with the last settings, or open the page *More* if the number of players doesn't suit the game."""
    if not screens.form.tidy().is_playable:
        return screens.go_to(PageName.MORE), ()
    return start_game(screens)


def shorten_names(names: tuple[str, ...]) -> str:
    """Return as many names as fit in ``_MAX_LETTERS`` but at least one, and the number of omitted names."""
    count = len(names)
    while count > 1 and len(", ".join(names[:count])) > _MAX_LETTERS:
        count -= 1
    others = len(names) - count
    return f"{', '.join(names[:count])} + {others}" if others else join_names(names)


def quit_page(screens: Screens) -> layout.Plan:
    """Ask for confirmation, because *Quit* is easily pressed instead of the button beside it."""
    about = layout.choose_leaving_text(screens) if screens.in_game and screens.result is None else ""
    return layout.confirmation_page(screens, "quit", about, layout.emit(Request.QUIT))


def start_guide(screens: Screens) -> layout.Reply:
    """Start the guided first game, with the mouse instead of the hand if there is no camera."""
    device = screens.device
    if screens.camera.way is CameraWay.NONE and device is Device.HAND:
        device = Device.MOUSE
    guided = replace(
        screens.reset_to(PageName.GUIDE),
        guide=fit_guide(replace(screens, device=device), GuidedGame()),
        device=device,
        in_game=True,
        practice=True,
        trial=None,
        verdict=None,
    )
    return guided, (Ask(Request.START_PRACTICE, ""),)


def learn_page(screens: Screens) -> layout.Plan:
    return _menu_page(
        screens,
        "learn",
        ("guide", start_guide),
        ("rules", open_rules),
        ("practice", layout.go_to(PageName.PRACTICE)),
        ("book", layout.go_to(PageName.BOOK, Request.OPEN_BOOK, picture="")),
    )


def others_page(screens: Screens) -> layout.Plan:
    return _menu_page(
        screens,
        "others",
        ("more", layout.go_to(PageName.MORE)),
        ("party", layout.go_to(PageName.PARTY)),
        ("far", layout.go_to(PageName.FAR)),
    )


def _menu_page(
    screens: Screens, page: str, *presses: tuple[str, Callable[[Screens], layout.Reply]]
) -> layout.Plan:
    cards = [
        layout.card(
            key, text(f"screens.{page}.{key}"), text(f"screens.{page}.{key}_about"), with_device(press)
        )
        for key, press in presses
    ]
    return _cards_page(screens, page, cards, (0.45, 0.22), presses[0][0])


def _cards_page(
    screens: Screens, page: str, cards: Sequence[layout.Item], max_heights: tuple[float, float], first: str
) -> layout.Plan:
    title, items = text(f"screens.{page}.heading"), layout.arrange_cards(screens, cards, max_heights)
    return layout.page(screens, title, items, layout.back_button(), first=first)


def game_page(screens: Screens) -> layout.Plan:
    now = screens.form.game
    # ``title_of`` must come first, because it loads the game's own texts.
    cards = [
        layout.card(
            key, title_of(key), text(f"screens.game.{key}_about"), choose_game(key), chosen=now == key
        )
        for key in screens.games
    ]
    return _cards_page(screens, "game", cards, (0.58, 0.34), now)


def choose_game(key: str) -> Callable[[Screens], layout.Reply]:
    def choose(screens: Screens) -> layout.Reply:
        before = replace(screens, form=replace(screens.form, game=key).tidy()).go_back()
        return before if before.page is PageName.MORE else before.go_to(PageName.MORE), ()

    return choose


def seat_page(screens: Screens) -> layout.Plan:
    cards = seat_cards(screens, layout.body_area(screens.is_tall))
    title, first = text("screens.seat.heading"), screens.form.seat
    return layout.page(screens, title, cards, layout.back_button(), veil=0.55, first=first)


def seat_cards(screens: Screens, area: Rect) -> tuple[layout.Item, ...]:
    if screens.camera.way is not CameraWay.REAL:
        return ()
    now = screens.form.seat
    cards = [
        layout.card(
            key,
            text(f"screens.seat.{key}"),
            text(f"screens.seat.{key}_about"),
            layout.change(form=replace(screens.form, seat=key)),
            chosen=now == key,
        )
        for key in SeatName
    ]
    return layout.arrange_cards(screens, cards, (0.50, 0.30), area)


def start_game(screens: Screens) -> layout.Reply:
    form: Form = screens.form.tidy()
    if not form.is_playable:
        return screens, ()
    return _game_screens(screens, form), (form.start_game(screens.seed),)


def unfinished_page(screens: Screens) -> layout.Plan:
    tall, games = screens.is_tall, screens.unfinished
    areas = grid(layout.body_area(tall), len(games), COLUMNS[tall], MAX_CARD_HEIGHT[tall], (GAP[0], 0.008))
    items: list[layout.Item] = []
    for number, (area, game) in enumerate(zip(areas, games, strict=True), 1):
        if game.drawing is not None and screens.preferences.text_scale <= _MAX_PICTURE_TEXT_SCALE:
            picture, area = columns(area, 0.32, REST, gap=0.006)
            items.append(layout.label(f"picture {number}", WidgetKind.PICTURE, picture, drawing=game.drawing))
        words = text("screens.unfinished.game", game=title_of(game.game), turn=game.turn)
        about = f"{shorten_names(game.players)} · {format_date(game.played)}"
        items.append(layout.card(f"game {number}", words, about, resume_saved(game)).change(rect=area))
    return layout.page(
        screens, text("screens.unfinished.heading"), items, layout.back_button(), first="game 1"
    )


def resume_saved(game: UnfinishedGame) -> Callable[[Screens], layout.Reply]:
    def resume(screens: Screens) -> layout.Reply:
        actions = (Ask(Request.RESUME_GAME, game),)
        if game.options.trial:
            trial = make_start_trial(screens, game.game, game.options.trial, game.players[0])
            return trial_at_table(screens, trial), actions
        players = seat_players(game.players, screens.form.known_players)
        form = replace(screens.form, game=game.game, players=players).with_options(game.options, game.game)
        return _game_screens(screens, form), actions

    return resume


def _game_screens(screens: Screens, form: Form) -> Screens:
    return replace(
        screens.cleared_for(PageName.TABLE),
        form=form,
        in_game=True,
        practice=False,
        trial=None,
        party=tuple(player.name for player in form.players),
    )


def practice_page(screens: Screens) -> layout.Plan:
    about, cards = rows(layout.body_area(screens.is_tall), 0.32, REST, gap=GAP[1])
    words = layout.texts(about, (text("screens.practice.about"),), "about", 1.0)
    start = layout.button("start", text("screens.practice.start"), start_practice)
    title, items = text("screens.practice.heading"), (*words, *seat_cards(screens, cards))
    return layout.page(screens, title, items, layout.back_button(), start, veil=0.70, first="start")


def start_practice(screens: Screens, figure: str = "") -> layout.Reply:
    started = replace(screens.cleared_for(PageName.TABLE), in_game=True, practice=True, trial=None, party=())
    return started, (Ask(Request.START_PRACTICE, figure),)


#: Steps of a turn with the paper ladder, each with a drawing and a caption.
CARD_STEPS = ("aim", "carry", "leave")


def card_page(screens: Screens) -> layout.Plan:
    about, _, shown = rows(layout.body_area(screens.is_tall), 0.20, 0.02, REST)
    areas = grid(shown, len(CARD_STEPS), 1 if screens.is_tall else len(CARD_STEPS), gap=(0.03, 0.02))
    captions = {name: text(f"screens.card.{name}") for name in CARD_STEPS}
    items = (
        *layout.texts(about, (text("screens.card.about"),), "about", 1.0),
        *draw_captioned_pictures(captions, areas, 0.70),
    )
    leave, practise = _with_card_saved(layout.go_back), _with_card_saved(layout.go_to(PageName.PRACTICE))
    buttons = (
        layout.button("back", text("screens.back"), leave),
        layout.button("practice", text("screens.learn.practice"), practise),
        layout.button("kit", text("screens.card.print"), layout.go_to(PageName.KIT)),
    )
    return layout.page(screens, text("screens.card.heading"), items, *buttons, veil=0.80, leave=leave)


def _with_card_saved(press: Callable[[Screens], layout.Reply]) -> Callable[[Screens], layout.Reply]:
    """Return a press handler that first saves the paper ladder as the way to play if the player has chosen it."""

    def save_and_press(screens: Screens) -> layout.Reply:
        saved, first = set_way(screens, Way.CARD) if screens.preferences.way is Way.CARD else (screens, ())
        after, actions = press(saved)
        return after, (*first, *actions)

    return save_and_press


open_scores = layout.go_to(PageName.SCORES, Request.OPEN_SCORES)
#: Share of the body's height for the explanation of the focused row.
_MEANING_SHARE = 0.16


# The More page -------------------------------------------------------------------------------------------------------


def more_page(screens: Screens) -> layout.Plan:
    playable = screens.form.is_playable
    start = layout.button("start", text("screens.more.start"), start_game, enabled=playable)
    return layout.list_page(
        screens,
        text("screens.more.heading"),
        (describe_needed_players(screens.form) or text("screens.more.about"),),
        _more_rows(screens),
        layout.back_button(),
        start,
        words="note",
        veil=0.76,
        first="start" if playable else "players",
    )


def _more_rows(screens: Screens) -> list[layout.Item]:
    form, options = screens.form, screens.form.options
    names = tuple(player.name for player in form.players)
    more = [("game", title_of(form.game), PageName.GAME), ("players", shorten_names(names), PageName.PLAYERS)]
    if options.list_page_options(PageId.GAME):
        first = options.list_page_options(PageId.GAME)[0]
        more.append(("edition", options.describe_value(first, len(names)), PageName.EDITION))
    if options.list_page_options(PageId.HOUSE):
        changed = options != options.reset_house_rules()
        more.append(("options", text(f"screens.more.{'own' if changed else 'printed'}"), PageName.OPTIONS))
    if len(names) > 1:
        begins = form.first_player(screens.seed).seat
        more.append(("first", names[begins], PageName.FIRST))
    if screens.camera.way is CameraWay.REAL:
        more.append(("seat", text(f"screens.seat.{form.seat}"), PageName.SEAT))
    items = [
        layout.button(key, text(f"screens.more.{key}", value=value), layout.go_to(to))
        for key, value, to in more
    ]
    if screens.unfinished:
        saved = text("screens.more.saved")
        items.append(layout.button("saved", saved, layout.go_to(PageName.UNFINISHED)))
    return [*items, layout.button("scores", text("screens.more.scores"), open_scores)]


# Games' own options ---------------------------------------------------------------------------------------------


def edition_page(screens: Screens) -> layout.Plan:
    options = screens.form.options
    offered = options.list_page_options(PageId.GAME)
    upper, _, about, _ = rows(layout.body_area(screens.is_tall), 0.54, 0.02, REST, _MEANING_SHARE)
    items = (
        *_list_rows(screens, offered, upper),
        *layout.texts(about, options.describe_rules(), "about", 0.075),
        *_explain_focused(screens, offered),
    )
    return layout.page(screens, text("screens.edition.heading"), items, layout.done_button(), veil=0.74)


def options_page(screens: Screens) -> layout.Plan:
    options = screens.form.options
    offered = options.list_page_options(PageId.HOUSE)
    usual = options.reset_house_rules()
    restore = layout.change(form=screens.form.with_options(usual).tidy())
    reset = layout.button("reset", text("screens.options.reset"), restore, enabled=options != usual)
    (upper,) = rows(layout.body_area(screens.is_tall), 0.98 - _MEANING_SHARE)
    items = (*_list_rows(screens, offered, upper), *_explain_focused(screens, offered))
    return layout.page(screens, text("screens.options.heading"), items, reset, layout.done_button())


def _explain_focused(screens: Screens, offered: Sequence[Option]) -> tuple[layout.Item, ...]:
    """Explain the focused row, or the first; nothing with very large text, where each row has its explanation."""
    if screens.has_large_text:
        return ()
    _, area = rows(layout.body_area(screens.is_tall), REST, _MEANING_SHARE)
    shown = next((option for option in offered if option.name == screens.focus), offered[0])
    meaning = text("list.meaning", label=shown.label, meaning=shown.help)
    return layout.texts(area, (meaning,), "meaning", 1.0)


def _list_rows(screens: Screens, offered: Sequence[Option], area: Rect) -> tuple[layout.Item, ...]:
    items: list[layout.Item] = []
    listed = layout.arrange_compactly(screens, [_make_row(screens, option) for option in offered], area)
    for option, item in zip(offered, listed, strict=True):
        items.append(item)
        if screens.has_large_text:
            items += layout.texts(item.widget.rect, (option.help,), f"{option.name} means", 1.0)
    return tuple(items)


def _make_row(screens: Screens, option: Option) -> layout.Item:
    options, players = screens.form.options, len(screens.form.players)
    value, offers = options.describe_value(option, players), options.list_offered_values(option, players)
    now, adjust = options.collect_values()[option.name], _adjust_option(option)
    is_live = len(offers) > 1 and options.is_changeable(option, players)
    return layout.choice(option.name, option.label, value, adjust, enabled=is_live, now=now, offers=offers)


def _adjust_option(option: Option) -> Callable[[Screens, int], layout.Reply]:
    def adjust(screens: Screens, step: int) -> layout.Reply:
        options = screens.form.options
        values = options.list_offered_values(option, len(screens.form.players))
        now = options.collect_values()[option.name]
        index = values.index(now) if now in values else -1
        value = values[(index + step) % len(values)]
        form = screens.form.with_options(options.with_values(**{option.name: value}))
        return replace(screens, form=form.tidy()), ()

    return adjust


# The first player -----------------------------------------------------------------------------------------------


def first_page(screens: Screens) -> layout.Plan:
    """Return the page with the methods of choosing the first player (ruling M3) and the result."""
    tall, form = screens.is_tall, screens.form
    body = layout.body_area(tall)
    method, begins = form.first_by, form.first_player(screens.seed)
    words = [text(f"first.why.{begins.why}", player=form.players[begins.seat].name)] if begins.why else []
    if form.options.first_note:
        words.append(form.options.first_note)
    note_height = 0.15 if len(words) < 2 else 0.22
    grid_place, note, buttons = rows(body, 0.40 if tall else 0.46, note_height, REST, gap=body.height * 0.02)
    areas = grid(grid_place, 4, 1 if tall else 2, 0.075 if tall else 0.13, (0.03, 0.014 if tall else 0.022))
    across, high = (2, 0.075) if tall else (min(3, len(form.players)), 0.095)
    players = grid(buttons, len(form.players), across, high, (0.018, 0.016))
    names = {way: text(f"screens.first.{way.value}") for way in FirstBy}
    if (usual := form.options.default_first_by) is not FirstBy.CHOSEN:
        names[usual] = text("screens.first.usual", way=names[usual])
    ways = (
        layout.button(
            way.value, name, layout.change(form=replace(form, first_rule=way)), chosen=method is way
        )
        for way, name in names.items()
    )
    # Names, with the first player's highlighted; pressing a name chooses that player.
    named = (
        layout.button(
            f"player {seat}",
            player.name,
            layout.change(form=replace(form, first_rule=FirstBy.CHOSEN, chosen_first=seat)),
            chosen=seat == begins.seat,
        ).change(swatches=(COLOURS[player.colour],))
        for seat, player in enumerate(form.players)
    )
    items = (
        *layout.arrange(ways, areas),
        *layout.texts(note, words, "why", 1.0),
        *layout.arrange(named, players),
    )
    return layout.page(
        screens, text("screens.first.heading"), items, layout.done_button(), veil=0.74, first="done"
    )
