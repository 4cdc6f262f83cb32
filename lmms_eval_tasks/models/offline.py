"""What models have in common that answer without running anything."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from accelerate import Accelerator
from lmms_eval.api.model import lmms

from lmms_eval_tasks_core.errors import SettingError

_PASSED_TO_EVERY_MODEL = {"batch_size", "max_batch_size", "device"}


class OfflineModel(lmms):  # type: ignore[misc]  # lmms-eval ships no types
    """A chat model of lmms-eval that only generates, on whatever device a run is spread over."""

    is_simple = False

    @cached_property
    def accelerator(self) -> Accelerator:
        """Where lmms-eval gathers the counts of its processes."""
        return Accelerator()

    @property
    def device(self) -> Any:  # noqa: ANN401 - a torch.device
        """The device on which the processes of a run talk to each other."""
        return self.accelerator.device

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        """There are no likelihoods without a model."""
        raise NotImplementedError

    def generate_until_multi_round(self, requests: list[Any]) -> list[str]:
        """There are no rounds without a model."""
        raise NotImplementedError


def refuse_unknown(arguments: Mapping[str, object], known: str) -> None:
    """Stop at an argument that means nothing here: it is a slip of the pen for one that does.

    Args:
        arguments: Those that the model does not know.
        known: Those that it does, in words.

    Raises:
        SettingError: There is one.
    """
    for name in sorted(set(arguments) - _PASSED_TO_EVERY_MODEL):
        raise SettingError(
            "--model_args",
            f"this model knows no {name!r}",
            f"It takes {known}.",
        )
