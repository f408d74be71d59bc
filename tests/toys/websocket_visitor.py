"""A visitor without a browser, who speaks to the server through the websocket of its pages by hand."""

from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

LONG = 90.0  # seconds; far beyond what anything here takes on a busy machine


class Visitor:
    """A websocket of Streamlit's, spoken by hand."""

    def __init__(self, socket):
        self.socket = socket

    def send(self, **message):
        self.socket.send(BackMsg(**message).SerializeToString())

    def draw(self):
        """Ask for the page and wait for all of it."""
        self.send(rerun_script=ClientState())
        while True:
            told = ForwardMsg.FromString(self.socket.recv(timeout=LONG))
            if told.WhichOneof("type") == "script_finished":
                return


@contextmanager
def visit(server):
    options = {"subprotocols": ["streamlit"], "max_size": None, "ping_interval": None}
    with connect(f"ws://127.0.0.1:{server.port}/_stcore/stream", **options) as socket:
        yield Visitor(socket)
