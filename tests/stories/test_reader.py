"""Story files: what a good one becomes, and that a bad one is told every mistake with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featdash.stories.reader import read_story
from featdash.stories.story import StoryError

WORDS = "One hidden direction decides the label and nine others are noise. " * 4

GOOD = f"""# What can one step learn?
```story
lesson = "race"
minutes = 6
goal = "See one network turn to the hidden direction."
```

## The puzzle
```scene
settings = {{ n = 1000 }}
show = ["risk", "neurons"]
controls = ["n"]
```
{WORDS}

The target is $f^*(x) = g(u \\cdot x)$.

```ask
kind = "number"
prompt = "Where will the NTK end?"
answer = "methods.ntk.excess_risk"
says = ["The NTK ends at {{answer}}."]
on = "risk"
low = 0.01
high = 2
log = true
because = "It learns the quadratic half alone."
```
### Notes
Usual wrong answer: near zero.

## Who wins
```scene
show = ["risk"]
```
{WORDS}
```ask
kind = "order"
prompt = "Who ends lowest?"
answer = "order methods.*.excess_risk"
options = [{{ name = "ntk", text = "the NTK" }}, {{ name = "algorithm1", text = "Algorithm 1" }}]
says = ["From below: {{answer}}."]
because = "Only one of them turns its neurons."
```
"""


def mistakes(text):
    with pytest.raises(StoryError) as caught:
        read_story(text)
    return caught.value.mistakes


def test_a_story_is_read_whole():
    story = read_story(GOOD)
    assert (story.title, story.lesson, story.minutes) == ("What can one step learn?", "race", 6)
    first, second = story.scenes
    assert (first.title, first.settings, first.show, first.controls) == (
        "The puzzle",
        {"n": 1000},
        ("risk", "neurons"),
        ("n",),
    )
    assert first.words.startswith("One hidden")
    assert first.words.endswith("$f^*(x) = g(u \\cdot x)$.")
    assert "Notes" not in first.words
    assert "kind" not in first.words
    assert first.notes == "Usual wrong answer: near zero."
    assert (first.question.low, first.question.high, first.question.log) == (0.01, 2, True)
    assert [option.name for option in second.question.options] == ["ntk", "algorithm1"]
    assert second.notes == ""
    assert second.lesson == "race"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("minutes = 6", "minutes = 600", 1, "minutes must be from 1 to 180"),
        ("minutes = 6", 'minutes = "six"', 4, "minutes must be a whole number, got 'six'"),
        ("minutes = 6", "minuets = 6", 4, "'minuets' is not known here; known are lesson, minutes, goal"),
        ('lesson = "race"\nminutes = 6', 'lesson = "lecture"', 1, "a lecture must say its minutes"),
        ("minutes = 6", "minutes 6", 4, "a block must be TOML"),
        ("## The puzzle", "# The puzzle", 8, "a story must have one title"),
        ('show = ["risk", "neurons"]', "show = [1]", 8, "show must be a list of names"),
        ('show = ["risk", "neurons"]', 'show = "risk"', 11, "show must be a list such as"),
        ('kind = "number"', 'kind = "essay"', 18, "kind must be choice, order or number, got 'essay'"),
        ("high = 2", "high = 0.001", 18, "low must be below high"),
        ("low = 0.01", "low = 0", 18, "above 0 on a log axis"),
        ("methods.ntk.excess_risk", "lowest methods.ntk.excess_risk", 18, "answer must have one star exactly where"),
        ("methods.ntk.excess_risk", "best methods.*.x", 18, "answer must be a path such as"),
        ("order methods", "lowest methods", 37, "order must stand before the path of an order"),
        ('{ name = "ntk", text = "the NTK" }', '{ text = "the NTK" }', 37, "each option must have a name where"),
        ('{ name = "ntk", text = "the NTK" }, ', "", 37, "must have 2 to 6 different options"),
        ('says = ["The NTK ends at {answer}."]\n', "", 18, "says must have one sentence, got 0"),
        ('says = ["The NTK ends at {answer}."]', "says = []", 18, "says must have one sentence, got 0"),
        ("The NTK ends at {answer}.", "The NTK ends at {answer}", 22, "says must be sentences of at most 160"),
        ("The NTK ends at {answer}.", "The NTK ends at 0.45.", 22, "must not be typed into says, got '0.4'"),
        ("The NTK ends at {answer}.", "The NTK ends low.", 22, "says must tell the answer"),
        ("The NTK ends at {answer}.", "The NTK ends at {answer}, {so.", 22, "braces must hold a place"),
        ("It learns the quadratic half", "It learns {answer:2}", 22, "because has no places of the summary"),
        ("## Who wins", "## The puzzle", 32, "titles of scenes must differ"),
        ("Usual wrong answer", "<b>Usual</b> wrong answer", 30, "a story must not hold HTML"),
        ("The target is", "![x](http://a.b/c.png) The target is", 16, "a story must not load images"),
        ('goal = "', 'goal = "![x](http://a.b/c.png) ', 5, "a story must not load images"),
        ('prompt = "', 'prompt = "![x](http://a.b/c.png) ', 20, "a story must not load images"),
        ('prompt = "', 'prompt = "<img src=x> ', 20, "a story must not hold HTML"),
        ('text = "the NTK"', 'text = "![x](http://a.b/c.png)"', 41, "a story must not load images"),
        ("The target is", "word " * 90 + "The target is", 8, "a scene must have 20 to 90 words"),
    ],
)
def test_a_mistake_is_told_with_its_line_its_rule_and_a_remedy(old, new, line, said):
    assert GOOD.count(old) >= 1
    found = mistakes(GOOD.replace(old, new, 1))
    assert any(said in str(one) for one in found), [str(one) for one in found]
    assert line in {one.line for one in found if said in str(one)}, [str(one) for one in found]
    assert all(one.rule and one.remedy for one in found)


def test_a_number_with_thousands_stays_on_one_line():
    scene = read_story(GOOD.replace("## The puzzle", "## With 10 000 samples, 3 times")).scenes[0]
    assert scene.title == "With 10\u202f000 samples, 3 times"


def test_all_mistakes_are_told_at_once():
    bad = GOOD.replace("minutes = 6", "minutes = 0").replace('kind = "order"', 'kind = "ordre"')
    assert len(mistakes(bad)) == 2


def test_an_empty_file_and_a_huge_one_are_told_what_a_story_is():
    assert any("must begin with a title" in str(one) for one in mistakes(""))
    assert "at most 200000 characters" in str(mistakes("x" * 200_001)[0])


@given(st.text(max_size=300) | st.lists(st.sampled_from(GOOD.splitlines()), max_size=60).map("\n".join))
def test_whatever_the_file_holds_it_is_a_story_or_mistakes(text):
    try:
        story, found = read_story(text), []
    except StoryError as error:
        story, found = None, error.mistakes
    assert all(one.line >= 1 and one.rule and one.remedy for one in found)
    assert bool(found) != bool(story and story.scenes)


def test_a_choice_asks_for_a_sentence_for_each_option():
    options = 'options = [{ text = "low", below = 0.2 }, { text = "high" }]'
    text = GOOD.replace('kind = "number"', f'kind = "choice"\n{options}')
    (one,) = mistakes(text)
    assert (one.line, one.rule) == (23, "says must have one sentence for each of the 2 options, got 1")
    assert one.remedy
    says = 'says = ["It is low.", "It is high."]'
    read = read_story(text.replace('says = ["The NTK ends at {answer}."]', says))
    assert read.scenes[0].question.says == ("It is low.", "It is high.")
