"""Pictures that stand in the rows of a data set, found again by the id of the question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from lmms_eval_tasks.report.material.data_on_disk import data_on_disk
from lmms_eval_tasks.report.material.sources import NoPictureError, Source
from lmms_eval_tasks.report.material.thumbnails import LONGEST_SIDE, thumbnail
from lmms_eval_tasks.results.run import Sample
from lmms_eval_tasks_core.columns import distinct
from lmms_eval_tasks_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    from datasets import Dataset


class _FromRows(Source):
    """Takes pictures from the column ``image`` of the task's data set."""

    def key(self, sample: Sample) -> str:
        """Its id: every row has a picture of its own."""
        return sample.id

    def make(self, sample: Sample) -> str:
        """The picture of the row with the sample's id."""
        dataset, positions = self._found
        if sample.id not in positions:
            raise NoPictureError("the data set on this disk has no row of this id")
        return self._thumbnail(dataset[positions[sample.id]]["image"])

    @abstractmethod
    def _ids(self, dataset: Dataset) -> list[str]:
        """The id of each row, as the task's ``process_docs`` gives them."""

    @abstractmethod
    def _thumbnail(self, cell: object) -> str:
        """The picture of a row."""

    @property
    def _found(self) -> tuple[Dataset, Mapping[str, int]]:
        found, trouble = self._loaded
        if found is None:
            raise NoPictureError(trouble)
        return found

    @cached_property
    def _loaded(self) -> tuple[tuple[Dataset, Mapping[str, int]] | None, str]:
        """The data set and the positions of its rows by id; else why it is not there."""
        try:
            dataset = data_on_disk(self._task)
            if "image" not in dataset.column_names:
                return None, "the data set has no pictures"
            ids = self._ids(_undecoded(dataset))
        except DatasetUnavailableError as error:
            return None, error.problem[:1].lower() + error.problem[1:].rstrip(".")
        except Exception as error:  # noqa: BLE001 - foreign rows raise nearly anything
            return None, f"the data set cannot be read ({type(error).__name__})"
        return (_undecoded(dataset), {name: at for at, name in enumerate(ids)}), ""


class Photos(_FromRows):
    """The pictures of WorldBench, whose rows are named by their content."""

    def _ids(self, dataset: Dataset) -> list[str]:
        from lmms_eval_tasks.worldbench.records import question_id  # noqa: PLC0415 - opens Pillow

        return distinct([question_id(row) for row in dataset])

    def _thumbnail(self, cell: object) -> str:
        from lmms_eval_tasks.worldbench.image_files import (  # noqa: PLC0415 - opens Pillow
            UnusableImageError,
            opened,
        )
        from lmms_eval_tasks.worldbench.pixels import (  # noqa: PLC0415
            on_white,
            orientation,
            plain,
            turned_upright,
        )
        from lmms_eval_tasks_core.media import source_bytes  # noqa: PLC0415

        try:
            file = opened(source_bytes(cell))
            stated = orientation(file)
            # A JPEG is decoded at an eighth, a quarter or half of its size where that is enough.
            file.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            return thumbnail(on_white(turned_upright(plain(file), stated)))
        except UnusableImageError as error:
            raise NoPictureError(f"the picture cannot be used ({error.reason.value})") from error
        except Exception as error:
            # Decoders of broken files raise nearly anything.
            raise NoPictureError("the picture cannot be decoded") from error


class Diagrams(_FromRows):
    """The diagrams of GeoQA, whose rows have ids, or their positions in place of them."""

    def make(self, sample: Sample) -> str:
        """The diagram of the row, where the model saw one."""
        if sample.item.get("asked_as_text"):
            raise NoPictureError("asked without a diagram")
        return super().make(sample)

    def _ids(self, dataset: Dataset) -> list[str]:
        if "id" not in dataset.column_names:
            return [str(position) for position in range(len(dataset))]
        return distinct([str(identity) for identity in dataset["id"]])

    def _thumbnail(self, cell: object) -> str:
        from lmms_eval_tasks.geoqa.diagrams import diagram_of  # noqa: PLC0415 - opens Pillow

        diagram = diagram_of(cell)
        if diagram is None:
            raise NoPictureError("the diagram cannot be decoded")
        return thumbnail(diagram)


def _undecoded(dataset: Dataset) -> Dataset:
    from datasets import Image  # noqa: PLC0415 - takes seconds to import

    if isinstance(dataset.features.get("image"), Image):
        return dataset.cast_column("image", Image(decode=False))
    return dataset
