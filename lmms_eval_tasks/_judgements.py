"""What a run does about its judge: it is checked first, asked side by side, and its tokens told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import wraps
from itertools import chain, islice
from types import ModuleType
from typing import Any

from loguru import logger

from lmms_eval_tasks._seam import Seam, put_in
from lmms_eval_tasks_core.judging.completion import Usage
from lmms_eval_tasks_core.judging.configured import on_judge_usage

_at_once: dict[str, int] = {}


def prepare(task: Any) -> None:  # noqa: ANN401 - lmms-eval ships no types
    """Get the judge or matcher of a task ready, before the first request to the model.

    Nothing happens for a task that needs none. lmms-eval takes the scorer away under
    ``--predict_only``: then no judge is needed.

    Raises:
        JudgeUnavailableError: It is not configured, or does not answer.
        SettingError: A setting has a value that cannot be used.
    """
    scorer = task.config.process_results
    if not callable(getattr(scorer, "preflight", None)):
        return
    on_judge_usage(_tell_lmms_eval)
    scorer.preflight()
    _at_once[task.config.task] = scorer.at_once()
    # Not at registration: lmms-eval may be in the middle of importing this module then.
    evaluator = sys.modules.get("lmms_eval.evaluator")
    if evaluator is not None:
        install(evaluator)


def install(evaluator: ModuleType) -> None:
    """Put the seam for judging into the module `lmms_eval.evaluator`."""
    put_in(evaluator, (_SIDE_BY_SIDE,))


def _side_by_side(scored: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Score as many documents of our tasks at once as their judge is asked for at once.

    lmms-eval strips the reasoning off a response at the very moment of scoring. Judging any
    earlier, in ``apply_filters``, would have to guess at what it strips, and a wrong guess would
    pay for every verdict twice.
    """

    @wraps(scored)
    def thread_map_ordered(
        function: Callable[..., Any],
        items: Iterable[Any],
        max_workers: int,
        on_complete: Callable[[], object] | None = None,
    ) -> list[Any]:
        documents = iter(items)
        first = list(islice(documents, 1))
        documents = chain(first, documents)
        at_once = max([0, *map(_wanted, first)])
        if at_once <= max_workers:
            return scored(function, documents, max_workers, on_complete)
        return _mapped(function, documents, at_once, on_complete or (lambda: None))

    return thread_map_ordered


def _mapped(
    function: Callable[..., Any],
    documents: Iterable[Any],
    at_once: int,
    on_complete: Callable[[], object],
) -> list[Any]:
    """What lmms-eval does, for documents without media, which need not be fetched little by little.

    lmms-eval's own way looks at everything pending whenever something is done, which with 64
    answers in flight takes as long as asking for them.
    """
    with ThreadPoolExecutor(at_once, thread_name_prefix="lmms-process-results") as pool:
        scored = [pool.submit(function, document) for document in documents]
        try:
            for document in as_completed(scored):
                document.result()
                on_complete()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [document.result() for document in scored]


def _wanted(document: Any) -> int:  # noqa: ANN401 - a document's id, its row and its requests
    try:
        requests: Sequence[Any] = document[2]
        return _at_once.get(requests[0].task_name, 1)
    except (AttributeError, IndexError, KeyError, TypeError):
        return 1


def _tell_lmms_eval(usage: Usage) -> None:
    """Have the tokens of judges stand in the summary of the run, beside those of the model."""
    try:
        from lmms_eval.models.model_utils.usage_metrics import log_usage  # noqa: PLC0415 - loaded
    except ImportError:
        logger.debug("This lmms-eval counts no tokens; the metrics of the tasks do.")
        return
    log_usage(
        model_name=usage.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        source="judge",
    )


_SIDE_BY_SIDE = Seam(
    "",
    "_thread_map_ordered",
    ("function", "items", "max_workers", "on_complete"),
    _side_by_side,
    "Answers are judged --process-docs-parallel at a time: raise it to judge faster.",
)
