"""A class behind nginx, as the server's README says, and under a path: host, wall and a phone by its address."""

import os
import re
import shutil
import subprocess
import textwrap
from contextlib import contextmanager

import pytest
from real_server import ROOT, Server, answers, free_port
from test_class import PHONE, chosen, opened_room, press, tabs, wall_shows

pytestmark = pytest.mark.browser
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
NO_NGINX = "no nginx on the PATH; install it (Debian: apt-get install nginx-light) to run the proxy's tests"
LOCATION = re.compile(r"For nginx:\n\n(.*?)\n\n(?=\S)", re.DOTALL)
CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    {location}
  }}
}}
"""
__all__ = ["tabs"]  # a fixture


@contextmanager
def behind_nginx(folder, server, path):
    """The address of the proxy before that server; path : the one that the server is told to use."""
    if NGINX is None:
        if os.environ.get("FEATDASH_BROWSER") == "required":
            pytest.fail(NO_NGINX)
        pytest.skip(NO_NGINX)
    location = textwrap.dedent(LOCATION.search((ROOT / "featdash/server/README.md").read_text()).group(1))
    for old, new in (("location / {", f"location {path} {{"), ("127.0.0.1:8501", f"127.0.0.1:{server.port}")):
        assert location.count(old) == 1, f"The block of the server's README has no single {old!r}"
        location = location.replace(old, new)
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, port=port, location=location))
    with subprocess.Popen([NGINX, "-c", configuration, "-e", folder / "error.log"]) as proxy:
        try:
            yield f"http://127.0.0.1:{port}{path}"
        finally:
            proxy.terminate()


@pytest.fixture
def address(tmp_path):
    """Of the app behind the proxy."""
    (tmp_path / "home").mkdir()
    server = Server(tmp_path / "home", FEATDASH_WORKERS="1", STREAMLIT_SERVER_BASE_URL_PATH="course")
    server.url += "/course"
    server.start()
    try:
        with behind_nginx(tmp_path, server, "/course") as proxy:
            assert answers(proxy, tries=100)
            yield proxy
    finally:
        server.stop()


def test_host_wall_and_phone_meet_behind_the_proxy_of_the_readme(address, tabs):
    host = tabs(f"{address}/class")
    code = opened_room(host)
    wall = tabs(f"{address}/class?wall={code}")
    wall.get_by_alt_text(f"QR code of {address}/join/{code}").wait_for()
    phone = tabs(f"{address}/join/{code}", PHONE)
    wall_shows(wall, "^1 joined")
    press(host, "Ask A B C D")
    wall_shows(wall, "^0 of 1")
    chosen(phone, "B")
    wall_shows(wall, "^1 of 1")
    press(host, "Close")
    press(host, "Show me")
    phone.get_by_text("The class's answers are on it.").first.wait_for()
    host.reload()  # the key's cookie comes through the proxy, too
    assert host.locator(".st-key-room-line strong").inner_text() == code
