"""What lessons' tests share: quick limits on threads, small heads, and summaries that are kept.

With FEATDASH_KEEP_SUMMARIES the session keeps the summaries that its tests ask for, and no other.
"""

import functools
import os
import sys

import pytest
import threadpoolctl
from trial_runs import KEEP, remove_unasked

LOOK = threadpoolctl.ThreadpoolController


@functools.cache
def controller_of(modules):  # noqa: ARG001  one for each number of loaded modules
    return LOOK()


@pytest.fixture(autouse=True, scope="module")
def one_look_at_the_libraries():
    """Each limit on threads looks through all loaded libraries, for 3 ms and hundreds of times in a run that trains.

    Here it does so where modules have been loaded since.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threadpoolctl, "ThreadpoolController", lambda: controller_of(len(sys.modules)))
        yield


@pytest.fixture(scope="module")
def small_heads():
    """The heads of «More than one step» on fewer samples; no setting of its recipe changes them."""
    sizes = {"RISK_SIZES": {10: 100, 50: 300}, "RISK_HOLDOUT": 200, "RISK_TEST": 400}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in sizes.items():
            patch.setattr(f"featdash.lessons.more_steps.run.{name}", value)
        yield


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Only a session of one process that has run all of them knows which are asked for."""
    config = session.config
    whole = len(config.args) == 1 and config.args[0].rstrip("/").endswith("tests/lessons")
    alone = not config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if KEEP in os.environ and whole and alone and not config.option.keyword:
        remove_unasked()
