"""Buckets that empty with each request and fill again, by network address."""

from featdash.classroom.limits import REMEMBERED, RateLimit, network


def test_an_address_is_counted_by_its_network():
    assert network("192.0.2.1") != network("192.0.2.2")
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")
    assert network("::ffff:192.0.2.1") == "192.0.2.1"
    assert network("x" * 100) == "x" * 60


def test_a_limit_lets_a_burst_through_and_then_a_rate_and_forgets():
    now = [0.0]
    limit = RateLimit(3, 2, lambda: now[0])
    assert [limit.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert limit.take("b")
    assert not limit.allows("a")
    now[0] += 0.5
    assert [limit.take("a") for _ in range(2)] == [True, False]
    now[0] += 1000
    assert [limit.take("a") for _ in range(4)] == [True, True, True, False]
    for number in range(REMEMBERED + 10):
        limit.take(number)
    assert len(limit._buckets) == REMEMBERED
