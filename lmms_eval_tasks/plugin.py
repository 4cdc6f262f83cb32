"""The only room that touches lmms-eval's internals.

lmms-eval loads the entry-point group ``lmms_eval.models`` whenever its models are imported. From
there this module puts a few seams into lmms-eval: our tasks join its index, and for our tasks
alone data sets that fail say so in one sentence, a judge is checked before the first request,
responses no file can hold are made valid, and pictures reach a server as they are. A seam that does
not fit a future lmms-eval is left out and named in one line; nothing here ever raises into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from loguru import logger
from tenacity import retry_if_exception_type, retry_if_not_exception_type, stop_after_attempt

from lmms_eval_tasks._import_hook import when_imported
from lmms_eval_tasks._pass_through import StandIns
from lmms_eval_tasks._seam import Seam, put_in
from lmms_eval_tasks._unavailable import unavailable
from lmms_eval_tasks_core.errors import TasksError
from lmms_eval_tasks_core.media import data_to_download
from lmms_eval_tasks_core.responses import valid_unicode
from lmms_eval_tasks_core.settings import registration_disabled

PACKAGE = "lmms_eval_tasks"
_taken_over: set[str] = set()


def tasks_folder() -> Path:
    """The folder with the YAML files of our tasks, as ``--include_path`` takes it."""
    return Path(__file__).parent


def manifests() -> Iterable[object]:
    """Entry point of the group ``lmms_eval.models``: register tasks and models.

    Returns:
        The manifests of the models the pack brings; none where registration is switched off.
    """
    try:
        if registration_disabled():
            return []
        when_imported("lmms_eval.tasks", install)
        if find_spec("lmms_eval.protocol") is None:
            _say_once(f"lmms-eval-tasks finds no lmms_eval.protocol. {_ENCODED_ANEW}")
        when_imported("lmms_eval.protocol", install_pass_through)
        return _model_manifests()
    except Exception as trouble:  # noqa: BLE001 - a plugin that raises disables every later one
        logger.warning(f"lmms-eval-tasks could not register itself: {trouble!r}. {_INCLUDE_PATH}")
        return []


def install(tasks: ModuleType) -> None:
    """Put the seams for our tasks into the module `lmms_eval.tasks`."""
    put_in(tasks, SEAMS)


def install_pass_through(protocol: ModuleType) -> None:
    """Put the seams for our pictures into the module `lmms_eval.protocol`."""
    put_in(protocol, PICTURE_SEAMS)


def _join_index(initialize: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Our tasks win over built-in ones of the same name, and a user's own win over ours."""

    @wraps(initialize)
    def initialize_tasks(
        self: Any,  # noqa: ANN401 - lmms-eval ships no types
        include_path: str | list[str] | None = None,
        include_defaults: bool = True,  # noqa: FBT002 - lmms-eval's signature
    ) -> dict[str, Any]:
        index = initialize(self, include_path, include_defaults)
        if not include_defaults:
            return index
        users = initialize(self, include_path, False) if include_path else {}  # noqa: FBT003 - lmms-eval's signature
        ours = self._get_task_and_group(str(tasks_folder()))
        for name, entry in ours.items():
            if name in index and name not in users and name not in _taken_over:
                _taken_over.add(name)
                logger.info(
                    f"`{name}` comes from lmms-eval-tasks; the tasks of lmms-eval's own `{name}` "
                    "stay under their own names."
                )
            index[name] = users.get(name, entry)
        return index

    return initialize_tasks


def _explain_failure(download: Callable[..., None]) -> Callable[..., None]:
    """One sentence for a data set of ours that cannot be had, and no retry of what cannot pass."""

    @wraps(download)
    def download_or_explain(self: Any, dataset_kwargs: Any = None) -> None:  # noqa: ANN401
        if not _is_ours(self):
            download(self, dataset_kwargs)
            return
        try:
            _patiently(download, self, data_to_download(dataset_kwargs))
        except TasksError as error:
            raise error from None
        except (OSError, ValueError) as trouble:
            raise unavailable(self.config, trouble) from None
        except Exception as trouble:
            raise unavailable(self.config, trouble) from trouble
        self.config.metadata = {**(self.config.metadata or {}), **_provenance(self)}

    return download_or_explain


def _patiently(download: Callable[..., None], task: Any, dataset_kwargs: Any) -> None:  # noqa: ANN401
    """Download with lmms-eval's own waiting, once more, and only after failures that may pass.

    The client of the Hub has retried each request by then.

    Each try gets settings of its own: lmms-eval takes entries out of them as it goes.
    """
    policy = getattr(download, "retry", None)
    plain = getattr(download, "__wrapped__", None)
    if policy is None or plain is None:
        download(task, dataset_kwargs)
        return
    lasting = retry_if_not_exception_type((TasksError, OSError, LookupError, TypeError, ValueError))
    passing = retry_if_exception_type((ConnectionError, TimeoutError))
    retrying = policy.copy(retry=lasting | passing, stop=stop_after_attempt(2), reraise=True)
    retrying(lambda: plain(task, deepcopy(dataset_kwargs)))


def _check_judge(build: Callable[..., None]) -> Callable[..., None]:
    """See to the judge before the first request of a run that needs it, and to its report."""

    @wraps(build)
    def build_all_requests(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        if _is_ours(self):
            # Here, as registering must stay cheap.
            from lmms_eval_tasks import _judgements, _report_at_end  # noqa: PLC0415

            _report_at_end.prepare()
            _judgements.prepare(self)
        build(self, *args, **kwargs)

    return build_all_requests


def _keep_loggable(apply: Callable[..., Any]) -> Callable[..., Any]:
    """Make responses valid Unicode: one lone surrogate would lose the file of logged samples."""

    @wraps(apply)
    def apply_filters(self: Any) -> Any:  # noqa: ANN401
        if _is_ours(self):
            for instance in self.instances or []:
                instance.resps = [
                    valid_unicode(response) if isinstance(response, str) else response
                    for response in instance.resps
                ]
        return apply(self)

    return apply_filters


def _send_sources(render: Callable[..., Any]) -> Callable[..., Any]:
    """A picture that carries its file is sent as that file, whatever other pictures become."""

    @wraps(render)
    def to_messages(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        rendered = None
        try:
            stand_ins = StandIns()
            stood_in = [
                {"role": message.role, "content": stand_ins.instead_of(message.content)}
                for message in self.messages
            ]
            if stand_ins:
                rendered = render(type(self)(messages=stood_in), *args, **kwargs)
                stand_ins.put_back(rendered)
        except Exception as trouble:  # noqa: BLE001 - lmms-eval's own way is always open
            rendered = None
            words = f"ChatMessages.{render.__name__} raised {type(trouble).__name__}"
            _say_once(f"{words} over a picture of ours. {_ENCODED_ANEW}")
        return render(self, *args, **kwargs) if rendered is None else rendered

    return to_messages


@cache
def _say_once(words: str) -> None:
    logger.warning(words)


def _is_ours(task: Any) -> bool:  # noqa: ANN401
    hook = getattr(task.config, "process_docs", None)
    return getattr(hook, "__module__", "").startswith(f"{PACKAGE}.")


def _provenance(task: Any) -> Mapping[str, object]:  # noqa: ANN401
    """What a result must cite beside the numbers, as the scorer states it."""
    state = getattr(task.config.process_results, "provenance", None)
    return state() if callable(state) else {}


def _model_manifests() -> list[object]:
    from lmms_eval.models.registry_v2 import ModelManifest  # noqa: PLC0415 - lmms-eval imports us

    return [
        ModelManifest(model_id="replay", chat_class_path=f"{PACKAGE}.models.replay.Replay"),
        ModelManifest(model_id="chance", chat_class_path=f"{PACKAGE}.models.chance.Chance"),
    ]


_INCLUDE_PATH = 'Add --include_path "$(lmms-eval-tasks path)" to the command.'
_ENCODED_ANEW = "Pictures are sent as lmms-eval encodes them, within their pixel bounds only."
_RUN_ON = "Tasks still run; `lmms-eval-tasks` may have a newer version that fits."

SEAMS = (
    Seam(
        "TaskManager",
        "initialize_tasks",
        ("include_path", "include_defaults"),
        _join_index,
        _INCLUDE_PATH,
    ),
    Seam("ConfigurableTask", "download", ("dataset_kwargs",), _explain_failure, _RUN_ON),
    Seam("Task", "build_all_requests", ("limit",), _check_judge, _RUN_ON),
    Seam("ConfigurableTask", "apply_filters", (), _keep_loggable, _RUN_ON),
)
PICTURE_SEAMS = tuple(
    Seam("ChatMessages", method, ("video_kwargs",), _send_sources, _ENCODED_ANEW)
    for method in ("to_openai_messages", "to_qwen3_vl_openai_messages")
)
