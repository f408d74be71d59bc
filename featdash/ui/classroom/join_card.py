"""How a phone comes into a class: the address, the code and the QR code of both."""

from __future__ import annotations

import re
import socket
from html import escape
from ipaddress import ip_address
from urllib.parse import urlsplit

import psutil
import segno
import streamlit as st

ERRORS = "m"  # 15 % of the squares may be lost to a bad projector
QUIET = 3  # squares of paper around the code; a camera wants some
STYLE = """
.featdash-join {text-align: center; line-height: 1.15;}
.featdash-join img {display: block; margin: 0 auto 0.4rem; width: 100%; max-width: var(--featdash-qr); height: auto;
  border-radius: 6px; image-rendering: pixelated;}
.featdash-join p {font-size: clamp(18px, 1.8vw, 34px); margin: 0;}
.featdash-join .address {font-size: var(--featdash-address); overflow-wrap: break-word;}
.featdash-join .code {font-size: var(--featdash-code); font-weight: 700; letter-spacing: 0.12em;
  padding-left: 0.12em;}
"""


def join_address(page: str, code: str = "") -> str:
    """Where phones go: this server's `join`, with the code if there is one.

    page : the whole address of any page of the app, with or without a query.
    """
    base = page.partition("?")[0].rpartition("/")[0]
    return f"{base}/join/{code}" if code else f"{base}/join"


def is_alone(page: str) -> bool:
    """Whether the address can be reached from this computer alone."""
    name = host_of(page)
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def own_addresses() -> list[str]:
    """The addresses under which other computers in the network reach this one."""
    every = [one for each in psutil.net_if_addrs().values() for one in each if one.family == socket.AF_INET]
    return [one.address for one in every if not ip_address(one.address).is_loopback]


def host_of(page: str) -> str:
    """The host name, or the number, in an address."""
    return urlsplit(page).hostname or ""


def qr_code(address: str) -> str:
    """A QR code of the address, as a data URI of an SVG that is dark on white in every theme."""
    return segno.make(address, error=ERRORS, micro=False).svg_data_uri(border=QUIET, dark="#000", light="#fff", scale=8)


def join_card(code: str, how: str = "") -> None:
    """A sentence, and below it a QR code, the address and the code; the container around them sets the sizes."""
    page = str(st.context.url or "")
    whole, short = join_address(page, code), join_address(page).partition("//")[2]
    image = f'<img src="{qr_code(whole)}" alt="QR code of {escape(whole)}">'
    breakable = re.sub(r"(?<=[./:-])", "<wbr>", escape(short))  # a long address may break between its words
    lines = f'<p class="address">{breakable}</p><p class="code">{escape(code)}</p>'
    above = f"<p>{escape(how)}</p>" if how else ""
    st.html(f'<style>{STYLE}</style><div class="featdash-join">{image}{above}{lines}</div>')
