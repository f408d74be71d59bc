"""The page of a phone: small, whole, and nothing from elsewhere."""

import base64
import gzip
import hashlib
import re

from class_rooms import run

from featdash.classroom.routes import PAGE, POLICY

TEXT = PAGE.decode()


def test_the_page_has_at_most_thirty_kilobytes_and_a_phone_reads_nine(site):
    assert len(PAGE) <= 30_000
    _, headers, body, _ = run(site.ask("GET", "/join", accept_encoding="gzip"))
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == PAGE
    assert len(body) <= 9_000


def test_the_page_is_the_same_for_every_code_and_kept_only_with_a_look(site):
    status, headers, body, _ = run(site.ask("GET", "/join/KMXT"))
    assert (status, body) == (200, PAGE)
    assert headers["cache-control"] == "no-cache"
    assert headers["content-security-policy"] == POLICY


def test_the_page_asks_for_nothing_beside_the_room():
    assert not re.findall(r"(?:src|href|url|import|action)\s*[=(]\s*[\"']?(?!data:,)[a-z/.]", TEXT)
    assert "http:" not in TEXT
    assert "https:" not in TEXT
    assert "/*" not in TEXT.split("<style>")[1].split("</style>")[0]  # every part was put in
    assert "phone_inputs" not in TEXT


def test_the_policy_names_the_style_and_the_script_and_allows_no_others():
    for tag in ("style", "script"):
        [inside] = re.findall(f"<{tag}>(.*?)</{tag}>", TEXT, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in POLICY
    assert "unsafe" not in POLICY
    assert not re.findall(r"\son\w+\s*=\s*[\"']|\sstyle\s*=\s*[\"']", TEXT)  # neither would run under it


def test_the_page_says_its_language_and_speaks_to_a_screen_reader():
    assert '<html lang="en">' in TEXT
    assert TEXT.count('aria-live="polite"') == 2
    assert "user-scalable" not in TEXT
