"""The glossary: which words of a text are marked, what stays as it is, and that each explanation is plain."""

import re

import pytest
from trial_runs import PARTS

from featdash.recipes.claim import KINDS, claims_of, limits_of
from featdash.ui.kit.glossary import WORDS, mark_words

# Terms of the theory that a beginner has not met: where an explanation uses one, the glossary has it.
TERMS = """
kernel ridge regression λ holdout Hermite Hessian subspace alignment NTK MDS stress neuron neurons ReLU head width bias
biases exponent risk features feature plateau residual minibatch teacher student parity hinge mass curvature spike bulk
singular cosine correlational tolerance Lipschitz degenerate eigenvalue spectrum covariance regularisation overfitting
interpolation asymptotic minimax manifold smoothing backpropagation logit entropy
"""


def words_of(text):
    return set(re.findall(r"[^\W\d_]+", text))


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_an_explanation_is_one_or_two_sentences_of_known_words(word):
    assert 1 <= len(re.findall(r"\.(?: |$)", word.means)) <= 2
    assert word.means.endswith(".")
    assert len(word.means.split()) <= 45
    explained = words_of(" ".join(form for one in WORDS for form in one.forms))
    assert words_of(word.means) & words_of(TERMS) <= explained


def test_no_form_and_no_anchor_belongs_to_two_words():
    forms = [form for word in WORDS for form in word.forms]
    assert len(set(forms)) == len(forms)
    assert len({word.anchor for word in WORDS}) == len(WORDS)


STUMBLES = """
NTK, MDS, stress, ridge, λ, holdout, excess risk, Hermite degree, principal subspace, alignment, random features,
feature learning, kernel, width, head, ReLU, information exponent, one gradient step, degenerate target
"""


@pytest.mark.parametrize("name", [name.strip() for name in STUMBLES.split(",")])
def test_the_words_that_a_beginner_stumbles_over_are_there(name):
    assert name in {word.name for word in WORDS}


def test_the_first_occurrence_alone_is_a_link():
    assert mark_words("A kernel, two Kernels.") == "A [kernel](#word-kernel), two Kernels."


def test_the_longest_form_is_met_and_a_line_may_break_it():
    assert mark_words("random\nfeatures") == "[random\nfeatures](#word-random-features)"
    assert mark_words("the information exponent") == "the [information exponent](#word-information-exponent)"


@pytest.mark.parametrize(
    "text",
    [
        r"$\text{kernel} \ge$",
        "$$\nkernel\n$$",
        "$a$ and\n$b\nkernel$",
        "`kernel`",
        "```\nkernel\n```",
        "[the kernel](kernels)",
        "##### A kernel",
        "sub-kernel, kernel_2, λ₁, ntk, ntkernel",
        ":material/head:",
        r"\λ",
    ],
)
def test_what_is_no_running_text_stays_as_it_is(text):
    assert mark_words(text) == text


def test_no_html_is_made():
    assert mark_words("<b>kernel</b>") == "<b>[kernel](#word-kernel)</b>"  # which Streamlit shows letter by letter


def test_bold_words_and_badges_keep_their_marks():
    assert mark_words("**Neurons**: x") == "**[Neurons](#word-neuron)**: x"
    assert mark_words(":green-badge[ridge]") == ":green-badge[[ridge](#word-ridge)]"


TEXTS = [
    *((name, part.text.reading) for name, part in PARTS.items()),
    *((name, limits_of(name)) for name in PARTS),
    *((name, claim.text) for name in PARTS for claim in claims_of(name)),
    *((kind, about) for kind, about in KINDS.items()),
]


@pytest.mark.parametrize("text", [text for _, text in TEXTS], ids=[f"{name}-{text[:30]!r}" for name, text in TEXTS])
def test_marks_leave_a_text_that_reads_the_same(text):
    assert re.sub(r"\[([^\]\[]*)\]\(#word-[\w-]+\)", r"\1", mark_words(text)) == text
