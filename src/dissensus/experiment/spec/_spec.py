"""What a study is: data sets, learners, resampling and measures.

A specification is a record that holds what the caller said; `check` reads all of it,
lists every mistake at once, and gives the plan that is run.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from dissensus.datasets import Loaded
from dissensus.exceptions import SpecError
from dissensus.experiment.plan._jobs import Study
from dissensus.experiment.spec._datasets import DatasetSpec, read_datasets
from dissensus.experiment.spec._learners import LearnerSpec, read_learners
from dissensus.experiment.spec._values import check_values, unknown_keys
from dissensus.store import FOLDS, TEST, Job, Task


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A specification that was checked.

    Attributes
    ----------
    study : Study
        What workers need to run any cell.
    jobs : tuple of Job
        All cells, in the order in which they are run.
    data : tuple of Loaded
        The data sets.
    spec : str
        The specification as JSON, for the record.
    """

    study: Study
    jobs: tuple[Job, ...]
    data: tuple[Loaded, ...]
    spec: str


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentSpec:
    """Which learners are compared on which data sets, and how.

    Parameters
    ----------
    datasets : sequence
        Names or paths, as `load_dataset` takes them; `DatasetSpec`s; data sets from
        `read_table`; or mappings with the fields of a `DatasetSpec`.
    learners : sequence or mapping
        Texts such as "bagging(c45, n_estimators=25)", classifiers, `LearnerSpec`s, or
        mappings with `name` and `learner`; or one mapping from names to learners.
    repeats : int, default=10
        Number of cross-validations, each with folds of its own; or of samples.
    folds : int, default=10
        Number of folds.
    fractions : sequence of float, default=(1.0,)
        Shares of each training fold to learn from; smaller ones are parts of larger.
    noise : sequence of float, default=(0.0,)
        Shares of the training labels that are replaced by wrong ones.
    protocol : {"honest", "paper"}, default="honest"
        "honest": whatever is learnt from data is learnt from training folds. "paper":
        missing values are filled in and numbers discretised over the whole file first.
    measures : sequence of str, default=("accuracy",)
        Scores, by their names in `dissensus.metrics`; others can be computed later.
    seed : int, default=0
        From it and a cell's own identity all seeds are derived.
    title : str, default=""
        A heading.
    data_dir : str or path, default=None
        Folder of files that data sets are looked for in.
    resampling : {"folds", "test", "maclen", "bootstrap"}, default="folds"
        How training and test sets are drawn. "folds": repeated cross-validation.
        "test": each learner is fitted once, on the whole data set, and scored on its
        own test set (`DatasetSpec.test`); `repeats` and `folds` do not count. "maclen"
        and "bootstrap": the protocols of `bias_variance`, one fixed test set and
        `repeats` training sets; `folds` does not count.
    download : bool, default=False
        Ask OpenML for data sets that are found nowhere else.

    See Also
    --------
    run_experiment : Run it.
    compare : A study of one data set in one line.

    Notes
    -----
    All learners see the same folds, the same parts of them and the same wrong labels:
    these depend on `seed`, the name of the data set and the repeat only.

    Examples
    --------
    >>> from dissensus.experiment import ExperimentSpec
    >>> spec = ExperimentSpec(
    ...     datasets=["iris", "wine"],
    ...     learners=["c45", "majority"],
    ...     repeats=2,
    ...     folds=5,
    ... )
    >>> len(spec.check().jobs)
    40
    """

    datasets: Sequence[Any]
    learners: Sequence[Any] | Mapping[str, Any]
    repeats: int = 10
    folds: int = 10
    fractions: Sequence[float] = (1.0,)
    noise: Sequence[float] = (0.0,)
    protocol: str = "honest"
    measures: Sequence[str] = ("accuracy",)
    seed: int = 0
    title: str = ""
    data_dir: str | os.PathLike[str] | None = None
    resampling: str = FOLDS
    download: bool = False

    @property
    def n_folds(self) -> int:
        """Number of test sets in each repeat."""
        return self.folds if self.resampling == FOLDS else 1

    @property
    def n_repeats(self) -> int:
        """Number of repeats that are run."""
        return 1 if self.resampling == TEST else self.repeats

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> ExperimentSpec:
        """Read a specification from a TOML file.

        Parameters
        ----------
        path : str or path
            The file. Its keys are the parameters of this class; files of data are
            looked for beside it first.

        Returns
        -------
        ExperimentSpec
            Not yet checked, but for names of keys.

        Raises
        ------
        SpecError
            If the file cannot be read, or has a key that means nothing.
        """
        file = Path(path)
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            words = "there is no such file. Check the spelling and the folder."
            raise SpecError([f"{file}: {words}"]) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SpecError([f"{file}: it cannot be read ({reason})."]) from None
        except tomllib.TOMLDecodeError as error:
            raise SpecError([f"{file}: it is no TOML: {error}."]) from None
        return cls.from_dict(content, folder=file.parent)

    @classmethod
    def from_dict(
        cls, content: Mapping[str, Any], *, folder: str | os.PathLike[str] = "."
    ) -> ExperimentSpec:
        """Make a specification of plain values, such as those of a TOML file.

        Parameters
        ----------
        content : mapping
            The parameters of this class by name.
        folder : str or path, default="."
            Where files of data are looked for first.

        Returns
        -------
        ExperimentSpec
            Not yet checked, but for names of keys.
        """
        known = [field.name for field in fields(cls)]
        mistakes = unknown_keys(content, known, "")
        mistakes += [
            f"{name} is missing."
            for name in ("datasets", "learners")
            if name not in content
        ]
        if mistakes:
            raise SpecError(mistakes)
        spec = cls(**content)
        return replace(
            spec,
            datasets=_located(spec.datasets, Path(folder)),
            data_dir=_data_dir(spec.data_dir, Path(folder)),
        )

    def check(self) -> Plan:
        """Read the whole specification, data sets included.

        Returns
        -------
        Plan
            What `run_experiment` runs.

        Raises
        ------
        SpecError
            With a sentence for each mistake.
        """
        mistakes = check_values(self)
        sound = not mistakes  # else checks against folds make no sense
        learners = read_learners(self.learners, mistakes)
        found = read_datasets(self, mistakes, check_folds=sound)
        if mistakes:
            raise SpecError(mistakes)
        study = Study(
            seed=int(self.seed),
            n_folds=int(self.n_folds),
            protocol=self.protocol,
            measures=tuple(dict.fromkeys(self.measures)),
            data={source.name: source for source, _ in found},
            learners={learner.text: learner for learner in learners},
            resampling=self.resampling,
        )
        data = tuple(loaded for _, loaded in found)
        return Plan(study, self._jobs(study), data, self._as_json(study))

    def _jobs(self, study: Study) -> tuple[Job, ...]:
        # Learners and data sets change fastest: after any number of cells the work
        # that is left is like the work that was done, so the time left can be told.
        return tuple(
            Job(learner, Task(dataset, repeat, fold, fraction, noise))
            for repeat, fold, fraction, noise, dataset, learner in product(
                range(self.n_repeats),
                range(self.n_folds),
                _ascending(self.fractions),
                _ascending(self.noise),
                study.data,
                study.learners,
            )
        )

    def _as_json(self, study: Study) -> str:
        content = {
            "title": self.title,
            "datasets": {
                source.name: {
                    "places": list(source.places),
                    "data_dir": source.data_dir,
                    "target": source.target,
                    "drop": list(source.drop),
                    "group": source.group,
                    "nominal": list(source.nominal),
                    "test": source.test,
                    "encoding": source.encoding,
                    "fingerprint": source.fingerprint,
                }
                for source in study.data.values()
            },
            "learners": {
                learner.label: {
                    "text": learner.text,
                    "versions": " ".join(learner.versions),
                }
                for learner in study.learners.values()
            },
            "repeats": int(self.n_repeats),
            "folds": study.n_folds,
            "fractions": _ascending(self.fractions),
            "noise": _ascending(self.noise),
            "protocol": self.protocol,
            "measures": list(study.measures),
            "seed": study.seed,
        }
        if self.resampling != FOLDS:
            content["resampling"] = self.resampling
        return json.dumps(content)


def _ascending(numbers: Iterable[float]) -> list[float]:
    return sorted({float(number) for number in numbers})


def _located(datasets: Any, folder: Path) -> Any:
    """Return the data sets of a specification; paths that lie in the folder are its."""
    if isinstance(datasets, str) or not isinstance(datasets, Iterable):
        return datasets  # which `check` complains about
    return [_locate(item, folder) for item in datasets]


def _locate(item: Any, folder: Path) -> Any:
    if isinstance(item, str) and (folder / item).is_file():
        return str(folder / item)
    if not isinstance(item, Mapping):
        return item
    beside = {
        key: str(folder / item[key])
        for key in ("path", "test")
        if isinstance(item.get(key), str) and (folder / item[key]).is_file()
    }
    return {**item, **beside}


def _data_dir(given: Any, folder: Path) -> Any:
    if isinstance(given, str) and not Path(given).is_absolute():
        return str(folder / given)
    return given


__all__ = ["DatasetSpec", "ExperimentSpec", "LearnerSpec", "Plan"]
