"""Before a run: the list of models is asked once and shortly, and a shutdown date is told."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.shutdown import is_near, shutdown_day
from lmms_eval_tasks_core.judging.store import VerdictStore
from tests.support.judges import CORRECT, INQUIRY, judge_at
from tests.support.openai_server import Fault, OpenAIServer

TODAY = datetime.now(timezone.utc).date()
NOON = datetime(2026, 12, 31, 12, tzinfo=timezone.utc).timestamp()


def listing(shutdown: object, name: str = "test-model") -> dict:
    other = {"id": "other", "object": "model", "created": 0, "shutdown_date": "2001-01-01"}
    model = {"id": name, "object": "model", "created": 0, "shutdown_date": shutdown}
    return {"object": "list", "data": [other, model]}


def bought_before(server: OpenAIServer, path) -> Purchases:
    judge_at(server, purchases=Purchases(VerdictStore(path))).grade(INQUIRY)
    return Purchases(VerdictStore(path))


@pytest.mark.parametrize("is_trusted", [True, False], ids=["trusted", "untrusted"])
@pytest.mark.parametrize("days", [-400, 0, 29])
def test_a_shutdown_that_is_near_or_past_is_told_once(tmp_path, caplog, is_trusted, days):
    day = TODAY + timedelta(days=days)
    with OpenAIServer(CORRECT, listing=listing(day.isoformat())) as server:
        purchases = bought_before(server, tmp_path / "verdicts.sqlite") if is_trusted else None
        before = len(server.requests)
        judge = judge_at(server, purchases=purchases)
        judge.preflight()
        judge.preflight()
    assert len(server.requests) - before == (0 if is_trusted else 1)
    assert server.paths.count("/v1/models") == 1
    told = [record for record in caplog.records if "to be shut down" in record.message]
    assert [day.isoformat() in record.message for record in told] == [True]
    assert "the judge" in caplog.text.lower()


@pytest.mark.parametrize(
    "said",
    [
        (TODAY + timedelta(days=40)).isoformat(),
        None,
        "",
        "soon",
        "2026-13-45",
        True,
        False,
        0,
        1,
        -1,
        1e300,
        10**40,
        [2026, 1, 1],
        {"date": "2001-01-01"},
    ],
)
def test_a_distant_day_and_unknown_forms_are_not(caplog, said):
    with OpenAIServer(CORRECT, listing=listing(said)) as server:
        judge_at(server).preflight()
    assert "shut down" not in caplog.text


def test_another_models_end_is_not_ours(caplog):
    with OpenAIServer(CORRECT, listing=listing("2001-01-01", "third")) as server:
        judge_at(server).preflight()
    assert "shut down" not in caplog.text


@pytest.mark.parametrize(
    "said",
    [
        "2026-12-31",
        " 2026-12-31 ",
        "2026-12-31T12:00:00Z",
        "2026-12-31T12:00:00+00:00",
        "2026-12-31T23:30:00-05:00",
        NOON,
        int(NOON),
        int(NOON * 1000),
        str(int(NOON)),
    ],
)
def test_forms_of_a_day(said):
    expected = date(2027, 1, 1) if "-05:00" in str(said) else date(2026, 12, 31)
    assert shutdown_day(said) == expected


@given(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())
)
def test_no_form_is_an_error(said):
    day = shutdown_day(said)
    assert day is None or isinstance(day, date)


def test_thirty_days_are_near():
    assert is_near(TODAY + timedelta(days=30), TODAY)
    assert not is_near(TODAY + timedelta(days=31), TODAY)


@pytest.mark.parametrize(
    "odd",
    [
        Fault(status=404),
        Fault(status=401),
        Fault(status=500),
        Fault(status=429, headers={"Retry-After": "60"}),
        Fault("body", body=[]),
        Fault("body", body=None),
        Fault("body", body={"data": None}),
        Fault("body", body={"data": ["test-model", 3, None, {"id": None}, {"name": "x"}]}),
        Fault("body", body={"data": {"test-model": {}}}),
        Fault("page"),
        Fault("malformed"),
        Fault("drop"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}-{fault.body}",
)
def test_a_server_without_a_list_is_fine(odd, caplog):
    with OpenAIServer(CORRECT, listing=odd) as server:
        began = time.perf_counter()
        judge_at(server).preflight()
    assert time.perf_counter() - began < 3
    assert (len(server.requests), server.paths.count("/v1/models")) == (1, 1)
    assert not [record for record in caplog.records if record.name.startswith("lmms_eval_tasks")]


@pytest.mark.parametrize("fault", [Fault(latency=60), Fault("drip"), Fault("drip_body")])
def test_a_list_that_never_comes_holds_up_no_run(fault, tmp_path):
    with OpenAIServer(CORRECT, listing=fault) as server:
        purchases = bought_before(server, tmp_path / "verdicts.sqlite")
        began = time.perf_counter()
        judge_at(server, purchases=purchases, patience=3).preflight()
    assert time.perf_counter() - began < 2.5
    assert len(server.requests) == 2
