"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

Decorator = Callable[[Any], Any]


class Command(click.Command):
    """A command whose help ends with examples.

    Parameters
    ----------
    *args, **options
        As for `click.Command`.
    examples : sequence of str
        Lines to type.
    """

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.examples = tuple(examples)

    def format_epilog(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the examples, unwrapped."""
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class LearnerText(click.types.StringParamType):
    """A learner as text, such as "decorate(c45)"; names are completed."""

    name = "learner"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        param: click.Parameter,  # noqa: ARG002 - click's
        incomplete: str,
    ) -> list[CompletionItem]:
        """List the names that begin like the last word of the text."""
        from dissensus.learners import LEARNERS

        head, word = incomplete, ""
        while head and (head[-1].isalnum() or head[-1] == "_"):
            head, word = head[:-1], head[-1] + word
        return [
            CompletionItem(head + entry.name, help=entry.about)
            for entry in LEARNERS.values()
            if entry.name.startswith(word)
        ]


class DatasetName(click.Path):
    """A file of data, or the name of a data set."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """List data sets that come with the package, and files."""
        from dissensus.datasets import EMBEDDED

        names = [CompletionItem(n) for n in EMBEDDED if n.startswith(incomplete)]
        return names + super().shell_complete(ctx, param, incomplete)


class Size(click.ParamType):  # type: ignore[type-arg]
    """A number of bytes, such as 500MB."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read the size."""
        from dissensus.experiment import read_size

        try:
            return read_size(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def memory_option(about: str) -> Decorator:
    """Return the option for a limit of memory."""
    return click.option("--memory-limit", metavar="SIZE", type=Size(), help=about)


def together(*decorators: Decorator) -> Decorator:
    """Return several options as one decorator, in this order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, help="Show where an error comes from."
)
quiet_option = click.option("--quiet", is_flag=True, help="No notes, only results.")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write results as JSON."
)
seed_option = click.option(
    "--seed", default=0, show_default=True, help="Seed of all that is random."
)
data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False),
    help="Folder of files that data sets are looked for in by name.",
)
download_option = click.option(
    "--download",
    is_flag=True,
    help="Ask OpenML for a name that is found nowhere else.",
)
encoding_option = click.option(
    "--encoding",
    default="utf-8",
    show_default=True,
    help="Encoding of text files, such as latin-1.",
)

# A table with a target, as `fit` and `compare` read it.
table_options = together(
    click.argument("file", type=DatasetName()),
    click.option("--target", metavar="COLUMN", help="The column to predict."),
    click.option(
        "--drop",
        metavar="COLUMN",
        multiple=True,
        help="A column to leave out, such as an identifier; may be repeated.",
    ),
    click.option(
        "--nominal",
        metavar="COLUMN",
        multiple=True,
        help="A column whose numbers are labels; may be repeated.",
    ),
    data_dir_option,
    download_option,
    encoding_option,
)
common_options = together(quiet_option, debug_option)
