"""After `pip install`, every way of running lmms-eval knows our tasks and loses none of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lmms_eval_tasks
from lmms_eval_tasks_core.errors import SettingError
from tests.integration.harness import run
from tests.support.untraced import untraced

pytestmark = pytest.mark.slow

OURS = (
    "worldqa",
    "worldqa_open_ended",
    "worldqa_circular",
    "worldbench",
    "geoqa",
    "worldqa_sample",
    "worldbench_sample",
    "geoqa_sample",
)
BUILT_IN = ("worldqa_gen", "worldqa_mc", "worldqa_mc_ppl", "mme")
PACK = Path(lmms_eval_tasks.__file__).parent


@pytest.fixture(scope="module")
def manager_class():
    import lmms_eval.evaluator  # noqa: F401, PLC0415 - heavy: only these tests need it
    from lmms_eval.tasks import TaskManager  # noqa: PLC0415

    return TaskManager


def lists(output: str, name: str) -> bool:
    return f" - {name}\n" in output


@pytest.mark.parametrize(
    "launcher", [None, (sys.executable, "-m", "lmms_eval")], ids=["lmms-eval", "python -m"]
)
def test_the_list_of_tasks_holds_ours_and_all_of_lmms_evals(tmp_path, launcher):
    options = {"launcher": launcher} if launcher else {}
    output = run("--tasks", "list", folder=tmp_path, **options).output
    assert [name for name in OURS + BUILT_IN if not lists(output, name)] == []
    assert output.count("`worldqa` comes from lmms-eval-tasks") == 1


def test_one_variable_switches_the_registration_off(tmp_path):
    output = run(
        "--tasks", "list", folder=tmp_path, environment={"LMMS_EVAL_TASKS_DISABLE": "1"}
    ).output
    assert lists(output, "worldqa_gen")
    assert not lists(output, "geoqa")
    assert not lists(output, "worldqa_circular")


def test_our_worldqa_wins_and_the_built_in_members_stay(manager_class):
    index = manager_class().task_index
    assert Path(index["worldqa"]["yaml_path"]).parent == PACK / "worldqa"
    for name in ("worldqa_gen", "worldqa_mc", "worldqa_mc_ppl"):
        assert PACK not in Path(index[name]["yaml_path"]).parents


def test_a_users_own_task_wins_over_ours_and_the_rest_stays(manager_class, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("group: worldqa\ntask: [mme]\n")
    index = manager_class(include_path=str(tmp_path)).task_index
    assert index["worldqa"]["yaml_path"] == str(own)
    assert set(OURS + BUILT_IN) <= set(index)


def test_our_folder_can_be_named_as_a_path_too(manager_class):
    index = manager_class(include_path=str(PACK)).task_index
    assert Path(index["worldbench"]["yaml_path"]).parent == PACK / "worldbench"
    assert set(OURS + BUILT_IN) <= set(index)


def test_asking_for_no_defaults_gets_none_of_ours(manager_class, tmp_path):
    assert manager_class(include_path=str(tmp_path), include_defaults=False).task_index == {}


def test_no_task_of_ours_but_the_group_takes_a_built_in_name(manager_class):
    manager = manager_class()
    built_in = manager_class.initialize_tasks.__wrapped__(manager, include_defaults=True)
    assert set(built_in) & set(manager._get_task_and_group(str(PACK))) == {"worldqa"}


def test_both_models_are_known(manager_class):
    from lmms_eval.models import get_model  # noqa: PLC0415

    assert {get_model("replay").__name__, get_model("chance").__name__} == {"Replay", "Chance"}


@pytest.mark.parametrize("model", ["replay", "chance"])
def test_a_slip_in_a_models_arguments_is_no_silence(manager_class, model):
    from lmms_eval.models import get_model  # noqa: PLC0415

    get_model(model).create_from_arg_string("", {"batch_size": 1, "device": None})
    with pytest.raises(SettingError, match="this model knows no 'respones'"):
        get_model(model).create_from_arg_string("respones=saved.jsonl", {"batch_size": 1})


PYTHON_API = """
from lmms_eval.evaluator import simple_evaluate
results = simple_evaluate(model="replay", tasks=["geoqa_sample", "worldqa_sample"])["results"]
print("accuracy", results["geoqa_sample"]["accuracy,none"])
print("score", results["worldqa_open_ended_sample"]["open_ended_score,none"])
"""


def test_the_python_api_knows_them_and_scores_reasoning_alike(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PYTHON_API],
        env={**untraced(), "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "accuracy 45.0\n" in done.stdout, done.stderr[-2000:]
    assert "score 38.33" in done.stdout
