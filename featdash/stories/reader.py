"""Story file -> Story: Markdown and TOML, never HTML, never code; every mistake is reported with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from featdash.stories.answer import ANSWER, PLACE, parts_of
from featdash.stories.reading_time import minutes_aloud
from featdash.stories.story import LECTURE, Mistake, Option, Question, Scene, Story, StoryError

NOTES = "Notes"
MOST_SCENES, FEWEST_WORDS, MOST_WORDS = 20, 20, 90
LONGEST = 200_000  # characters of a file
LONGEST_WALL, LONGEST_ANSWER = 200, 160  # characters
SAYS = 'write says = ["The error ends at {answer}."]'
BLOCKS = ("story", "scene", "ask")
STORY_KEYS: dict[str, type] = {"lesson": str, "minutes": int, "goal": str, "learned": str}
SCENE_KEYS: dict[str, type] = {"settings": dict, "show": list, "controls": list, "view": dict, "lesson": str}
SCENE_KEYS |= {"story": str, "wall": str, "lines": bool, "until": float, "formerly": list}
ASK_KEYS: dict[str, type] = {"kind": str, "prompt": str, "answer": str, "because": str, "options": list, "on": str}
ASK_KEYS |= {"says": list, "hide": list, "axis": str, "low": float, "high": float, "log": bool, "unit": str}
TEXTS = (
    "goal",
    "learned",
    "wall",
    "prompt",
    "because",
    "unit",
    "options",
    "says",
)  # the keys whose values are Markdown
TYPES = {str: "text in quotes", int: "a whole number", float: "a number", bool: "true or false"}
TYPES |= {list: 'a list such as ["a", "b"]', dict: "a table such as { n = 1000 }"}
THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")  # the space in 10 000
DECIMAL = re.compile(r"\d[.,]\d")
PARSER = MarkdownIt("commonmark", {"html": True})  # HTML is recognised, so that it can be refused


@dataclass
class Section:
    """A heading of level 1 or 2 and what stands below it, up to the next."""

    title: str
    line: int
    tokens: list[Token] = field(default_factory=list)


def read_story(text: str) -> Story:
    """The story that a file tells; StoryError with every mistake, if there is one."""
    return Reader(text).story()


def count_words(text: str) -> int:
    """How many words a scene has; a formula counts as one."""
    return len(re.findall(r"\w+", re.sub(r"\$[^$]*\$", "formula", text)))


class Reader:
    """Reads one file; mistakes are collected, so that an author sees all of them at once."""

    def __init__(self, text: str) -> None:
        self.text = THOUSANDS.sub("\u202f", text)  # a number stays on one line
        self.lines, self.mistakes = self.text.splitlines(), list[Mistake]()

    def story(self) -> Story:
        if len(self.text) > LONGEST:
            raise StoryError([Mistake(1, f"a story must have at most {LONGEST} characters", "split it into two files")])
        sections = list(self._sections(PARSER.parse(self.text)))
        head, scene_sections = sections[0], sections[1:]
        values = self._table(head, "story", STORY_KEYS, mandatory=("lesson", "goal"))
        if not head.title:
            self._add(1, "a story must begin with a title", "write # and the title in the first line")
        if not 1 <= values.get("minutes", 1) <= 180:
            self._add(head.line, "minutes must be from 1 to 180", "say how long it takes with a class")
        if values.get("lesson") == LECTURE and "minutes" not in values:
            self._add(head.line, "a lecture must say its minutes", "write how long it takes with a class: minutes = 45")
        if not 1 <= len(scene_sections) <= MOST_SCENES:
            self._add(
                head.line,
                f"a story must have 1 to {MOST_SCENES} scenes, got {len(scene_sections)}",
                "begin each with ##",
            )
        scenes = [self._scene(section, values.get("lesson", "")) for section in scene_sections]
        self._distinct(scene_sections)
        if self.mistakes:
            raise StoryError(self.mistakes)
        learned = values.get("learned", "")
        minutes = values.get("minutes") or minutes_aloud(scenes, learned)
        return Story(head.title, values["lesson"], minutes, values["goal"], tuple(scenes), learned)

    def _sections(self, tokens: list[Token]) -> Iterator[Section]:
        """The head of the file, then a section for each heading of level 2."""
        section, titles, skip = Section("", 1), 0, 0
        for index, token in enumerate(tokens):
            self._refuse_html(token)
            if skip:
                skip -= 1
            elif token.type == "heading_open" and token.tag in ("h1", "h2"):
                title, line = tokens[index + 1].content.strip(), _line(token)
                skip = 2
                if token.tag == "h2":
                    yield section
                    section = Section(title, line)
                elif titles := titles + 1:
                    if titles > 1:
                        self._add(line, "a story must have one title", "begin a scene with ##")
                    section.title, section.line = title, line
            else:
                section.tokens.append(token)
        yield section

    def _refuse_html(self, token: Token, line: int | None = None) -> None:
        """Refuse HTML and images; line : of the token, if it does not come from the Markdown of the file itself."""
        inline = [child.type for child in token.children or ()]
        line = _line(token) if line is None else line
        if token.type == "html_block" or "html_inline" in inline:
            self._add(line, "a story must not hold HTML", "write Markdown; a < before a letter as \\<")
        if "image" in inline:
            self._add(line, "a story must not load images", "show a panel of the lesson")

    def _scene(self, section: Section, lesson: str) -> Scene:
        table = self._table(section, "scene", SCENE_KEYS, mandatory=())
        if "story" in table:
            if set(table) > {"story"}:
                self._add(section.line, "a scene of another story must name that story alone", "remove the other keys")
            return Scene(section.title, "", "", (), story=table["story"], line=section.line)
        if not table.get("show"):
            self._add(section.line, "show is missing", "name a picture of the lesson, or the story of the scene")
        cut = next((i for i, token in enumerate(section.tokens) if self._is_notes(section.tokens, i)), None)
        words = self._source(section.tokens[:cut])
        count = count_words(words)
        if not FEWEST_WORDS <= count <= MOST_WORDS:
            rule = f"a scene must have {FEWEST_WORDS} to {MOST_WORDS} words, got {count}"
            self._add(section.line, rule, "split it" if count > MOST_WORDS else "say what to look at, and why")
        for key in ("show", "controls", "formerly"):
            if not all(isinstance(name, str) for name in table.get(key, [])):
                self._add(section.line, f"{key} must be a list of names", f'write {key} = ["a", "b"]')
        if not section.title:
            self._add(section.line, "a scene must have a title", "write it after ##")
        if len(table.get("wall", "")) > LONGEST_WALL:
            rule = f"wall must have at most {LONGEST_WALL} characters, got {len(table['wall'])}"
            self._add(section.line, rule, "say what the pictures show, in one or two sentences")
        return Scene(
            title=section.title,
            words=words,
            lesson=table.get("lesson", lesson),
            show=tuple(table.get("show", ())),
            settings=table.get("settings", {}),
            view=table.get("view", {}),
            controls=tuple(table.get("controls", ())),
            wall=table.get("wall", ""),
            lines=table.get("lines", False),
            until=table.get("until"),
            formerly=tuple(table.get("formerly", ())),
            question=self._question(section),
            notes="" if cut is None else self._source(section.tokens[cut + 3 :]),
            line=section.line,
        )

    @staticmethod
    def _is_notes(tokens: list[Token], index: int) -> bool:
        token = tokens[index]
        return token.type == "heading_open" and token.tag == "h3" and tokens[index + 1].content.strip() == NOTES

    def _source(self, tokens: list[Token]) -> str:
        """The Markdown of these tokens as the author wrote it, without the blocks."""
        spans = [
            token.map
            for token in tokens
            if token.map and token.level == 0 and not (token.type == "fence" and token.info.strip() in BLOCKS)
        ]
        return "\n\n".join("\n".join(self.lines[first:last]).strip() for first, last in spans).strip()

    def _table(
        self, section: Section, kind: str, keys: Mapping[str, type], mandatory: tuple[str, ...]
    ) -> dict[str, Any]:
        """The values in the one block of that kind in a section, with their types checked."""
        blocks = [token for token in section.tokens if token.type == "fence" and token.info.strip() == kind]
        if len(blocks) != 1:
            rule = f"{'a story' if kind == 'story' else 'a scene'} must have one block ```{kind}, got {len(blocks)}"
            self._add(section.line, rule, f"write ```{kind} and {', '.join(mandatory)} below it")
            return {}
        return self._toml(blocks[0], keys, mandatory)

    def _toml(self, token: Token, keys: Mapping[str, type], mandatory: tuple[str, ...]) -> dict[str, Any]:
        line = _line(token)
        try:
            table = tomllib.loads(token.content)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"line (\d+)", str(error))
            reason = str(error).partition(" (at")[0][:1].lower() + str(error).partition(" (at")[0][1:]
            at = line + (int(place[1]) if place else 0)
            self._add(at, f"a block must be TOML, but {reason}", "write name = value, text in quotes")
            return {}
        values = {}
        for name, value in table.items():
            at = line + _row(token.content, name)
            if name not in keys:
                self._add(at, f"{name!r} is not known here", f"known are {', '.join(keys)}")
            elif not _fits(value, keys[name]):
                self._add(at, f"{name} must be {TYPES[keys[name]]}, got {value!r}", "change it")
            else:
                values[name] = value
                for text in _texts_in(value) if name in TEXTS else ():
                    for part in PARSER.parse(text):
                        self._refuse_html(part, at)
        for name in mandatory:
            if name not in table:
                self._add(line, f"{name} is missing", f"add {name} = {TYPES[keys[name]]}")
        return values

    def _question(self, section: Section) -> Question | None:
        blocks = [token for token in section.tokens if token.type == "fence" and token.info.strip() == "ask"]
        if len(blocks) > 1:
            self._add(_line(blocks[1]), "a scene must ask at most one question", "begin another scene with ##")
        if not blocks:
            return None
        line = _line(blocks[0])
        table = self._toml(blocks[0], ASK_KEYS, ("kind", "prompt", "answer", "because"))
        kind = table.get("kind", "number")
        options = tuple(self._options(table.pop("options", []), line))
        table["hide"] = tuple(map(str, table.get("hide", ())))
        table["says"] = tuple(map(str, table.get("says", ())))
        question = Question(
            **{"kind": kind, "prompt": "", "answer": "", "because": "", **table}, options=options, line=line
        )
        self._check_kind(question, line)
        self._check_says(question, line + (_row(blocks[0].content, "says") if question.says else 0))
        return question

    def _options(self, values: list[Any], line: int) -> Iterator[Option]:
        for value in values:
            entry = value if isinstance(value, dict) else {}
            extra = set(entry) - {"text", "name", "below"}
            if extra or not isinstance(entry.get("text"), str):
                remedy = 'write { name = "ntk", text = "the NTK" } or { text = "near 0", below = 0.2 }'
                self._add(line, f"each of options must be a table with a text, got {value!r}", remedy)
            elif not _fits(entry.get("below", 0.0), float) or not isinstance(entry.get("name", ""), str):
                self._add(line, f"name must be text and below a number, got {value!r}", "change it")
            else:
                yield Option(**entry)

    def _check_kind(self, question: Question, line: int) -> None:
        """Check what each kind of question must have."""
        add, options = lambda rule, remedy: self._add(line, rule, remedy), question.options
        if question.kind not in ("choice", "order", "number"):
            add(f"kind must be choice, order or number, got {question.kind!r}", "choose one of them")
            return
        try:
            way, _ = parts_of(question.answer)
        except ValueError as error:
            add(*str(error).rsplit("; ", 1))
            return
        if question.axis not in ("x", "y"):
            add(f"axis must be x or y, got {question.axis!r}", "choose one of them")
        if question.kind == "number":
            if way or options:
                add("a number must have a path without a star as its answer, and no options", "write low and high")
            if not question.low < question.high or (question.log and question.low <= 0):
                add("low must be below high, and above 0 on a log axis", f"got {question.low} and {question.high}")
            return
        if not 2 <= len(options) <= 6 or len({option.text for option in options}) < len(options):
            add(f"a {question.kind} must have 2 to 6 different options", "change the list")
        if (question.kind == "order") != (way == "order"):
            add(
                "order must stand before the path of an order, and of nothing else", "write order methods.*.excess_risk"
            )
        if way and not all(option.name for option in options):
            add("each option must have a name where the answer has a star", 'write { name = "ntk", text = "the NTK" }')
        limits = [option.below for option in options if option.below is not None]
        last = bool(options) and options[-1].below is None and len(limits) == len(options) - 1
        if question.on and (way or question.kind != "choice"):
            add("on must be of a number, or of a choice of ranges", "remove on")
        if not way and (not last or limits != sorted(limits)):
            add("options must rise by below, and the last have none", 'write { text = "near 0", below = 0.2 } first')

    def _check_says(self, question: Question, line: int) -> None:
        """Check that the answer is in whole sentences, and that no measured number is typed into them."""
        count = len(question.options) if question.kind == "choice" else 1
        if question.kind in ("choice", "order", "number") and len(question.says) != count:
            rule = "says must have one sentence" + (f" for each of the {count} options" if count > 1 else "")
            remedy = (
                SAYS if count == 1 else 'write says = ["…", "…"], the answer where each option is right, in their order'
            )
            self._add(line, f"{rule}, got {len(question.says)}", remedy)
        if places := [one[0] for one in PLACE.finditer(question.because) if one[1] is not None]:
            self._add(line, f"because has no places of the summary, got {places[0]!r}", "say it in says, or in words")
        for sentence in question.says:
            plain = PLACE.sub("", sentence)
            if not sentence.endswith((".", "!", "?")) or len(sentence) > LONGEST_ANSWER:
                rule = f"says must be sentences of at most {LONGEST_ANSWER} characters, got {sentence!r:.60}"
                self._add(line, rule, "write what the answer is, with a full stop at its end")
            if match := DECIMAL.search(plain):
                rule = f"a measured number must not be typed into says, got {match[0]!r} in {sentence!r:.60}"
                self._add(line, rule, "write {answer} in its place, or a path of the summary in braces")
            if "{" in plain or "}" in plain:
                self._add(line, f"braces must hold a place of the summary, got {sentence!r:.60}", SAYS)
            if question.kind != "choice" and f"{{{ANSWER}" not in sentence:
                self._add(line, f"says must tell the answer, got {sentence!r:.60}", SAYS)

    def _distinct(self, scenes: list[Section]) -> None:
        titles = set[str]()
        for section in scenes:
            if section.title in titles:
                self._add(section.line, f"titles of scenes must differ, got {section.title!r} twice", "rename one")
            titles.add(section.title)

    def _add(self, line: int, rule: str, remedy: str) -> None:
        self.mistakes.append(Mistake(line, rule, remedy))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _texts_in(value: Any) -> Iterator[str]:
    """Every text in a value of a block, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(one)


def _row(content: str, name: str) -> int:
    """The line of a name inside a block, from 1."""
    rows = (row for row, text in enumerate(content.splitlines(), 1) if re.match(rf'"?{re.escape(name)}"?\s*[.=]', text))
    return next(rows, 1)


def _fits(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
