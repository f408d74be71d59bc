"""What a theme, paper and larger letters make of a page: its words stand out, and none is cut."""

import re

import pytest
from test_browser import PATIENCE, RISK, open_lab
from test_layout import CUT, TYPE

pytestmark = pytest.mark.browser
# Contrast of the words on what can be pressed, by WCAG's formula; the nearest background that is not clear counts.
CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = (node) => {
    const colours = [], {top, bottom} = node.getBoundingClientRect();
    for (let above = node; above; above = above.parentElement) {
      const box = above.getBoundingClientRect();
      const beside = bottom <= box.top + 1 || top >= box.bottom - 1;
      if (beside && box.height < bottom - top) continue; // a slider's number stands above its knob, not on it
      const [r, g, b, a = 1] = numbers(getComputedStyle(above).backgroundColor);
      colours.push([r, g, b, a]);
      if (a === 1) break;
    }
    const over = (under, [r, g, b, a]) => [r, g, b].map((c, at) => a * c + (1 - a) * under[at]);
    return colours.reverse().reduce(over, [255, 255, 255]);
  };
  const ours = '.featdash-command button:not([aria-disabled=true]) > :is(span, kbd)';
  const words = `button:not(:disabled) :is(p, kbd), ${ours}, [data-testid=stSliderThumbValue], label p`;
  return [...document.querySelectorAll(`.st-key-room :is(${words})`)]
    .filter((node) => node.checkVisibility()).map((node) => {
      const [a, b] = [light(numbers(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a);
      return [node.innerText, (a + 0.05) / (b + 0.05)];
    }).filter(([words]) => words);
}"""


PAPER = "([chart, colour]) => document.querySelector(chart)._fullLayout.paper_bgcolor === colour"
INK = "(colour) => getComputedStyle(document.documentElement).getPropertyValue('--featdash-ink') === colour"


def check_contrast(tab):
    found = tab.evaluate(CONTRAST)
    assert "Run race" in dict(found)
    assert len(found) > 10
    assert {words: ratio for words, ratio in found if ratio < 4.5} == {}


def choose_the_dark_theme(tab):
    tab.get_by_test_id("stMainMenu").locator("button").first.click()
    tab.get_by_role("menuitemradio", name="Dark").click()
    tab.wait_for_function(PAPER, arg=[RISK, "#0E1117"], timeout=PATIENCE)  # without another click
    tab.wait_for_function(INK, arg="#F2F2F2", timeout=PATIENCE)  # pictures go ahead of their page
    tab.keyboard.press("Escape")
    check_contrast(tab)


def print_the_page(tab):
    """A dark page is printed in black on white, without its controls."""
    tab.evaluate("""() => {
        const stage = document.querySelector('.featdash-stage');
        const note = () => { window.sheet = [stage.clientWidth, stage.style.zoom]; };
        window.addEventListener('beforeprint', note);
    }""")
    tab.pdf(format="A4")
    width, zoom = tab.evaluate("() => window.sheet")
    assert 600 < width * float(zoom) < 700, "as wide as a sheet of A4, whatever the window"
    assert tab.evaluate("() => document.querySelector('.featdash-stage').style.zoom") == "", "on the screen as before"
    tab.emulate_media(media="print")
    seen = "(words) => [...document.querySelectorAll(words)].filter((node) => node.checkVisibility()).length"
    assert tab.evaluate(seen, ".st-key-room :is(button, input, [role=slider])") == 0
    assert tab.evaluate(seen, ".featdash-frame") == 6
    colours = (
        "(words) => [...new Set([...document.querySelectorAll(words)].map((node) => getComputedStyle(node).color))]"
    )
    assert tab.evaluate(colours, ".st-key-room :is(h1, p, li)") == ["rgb(0, 0, 0)"]
    assert (
        tab.evaluate("() => getComputedStyle(document.querySelector('.stApp')).backgroundColor") == "rgb(255, 255, 255)"
    )
    tab.emulate_media(media="screen")


def choose_larger_text(tab):
    """It is large everywhere, and its word is in the link."""
    tab.get_by_text("Larger text", exact=True).click()
    tab.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '18px'", timeout=PATIENCE)
    tab.wait_for_url(re.compile("text=large"), timeout=PATIENCE)
    tab.wait_for_function(f"() => ({TYPE})()[0] >= 18")
    tab.reload()
    tab.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)
    tab.wait_for_function(f"() => ({TYPE})()[0] >= 18")
    assert tab.evaluate(CUT) == []


def test_words_stand_out_in_both_themes_and_on_paper_and_larger_text_is_large_everywhere(new_tab, server):
    open_lab(new_tab, server)
    check_contrast(new_tab)
    choose_the_dark_theme(new_tab)
    print_the_page(new_tab)
    choose_larger_text(new_tab)
