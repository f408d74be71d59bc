"""The certificates of a cluster that speaks TLS, which Dask reads from its own configuration."""

from __future__ import annotations

from distributed import Security


def check_certificates(address: str, role: str) -> None:
    """ValueError, one sentence, if a tls:// scheduler is to be reached as "client" or "worker" without certificates.

    Whether the scheduler trusts them is for the scheduler to say.
    """
    if not address.startswith("tls://"):
        return
    try:
        reason = "they are not set" if Security().get_connection_args(role)["ssl_context"] is None else ""
    except OSError as error:  # no such file, or no certificate in it
        reason = error.strerror or type(error).__name__
    if reason:
        rule = f"distributed.comm.tls must name ca-file, {role}.cert and {role}.key to reach {address}"
        raise ValueError(f"{rule}, got: {reason}; set them to PEM files in Dask's configuration")
