"""The command `dissensus`: its list of commands, and how errors are told.

Nothing heavy is imported here or at the top of a command's module: `dissensus --help`
answers before scikit-learn could be loaded.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

import dissensus
from dissensus.utils._printable import printable

# Command -> its module, in the order of the list that --help shows.
COMMANDS = {
    "demo": "_demo",
    "compare": "_compare",
    "curve": "_curve",
    "bias-variance": "_bias_variance",
    "fit": "_fit",
    "predict": "_predict",
    "explain": "_explain",
    "show": "_show",
    "run": "_run",
    "report": "_report",
    "datasets": "_datasets",
    "reproduce": "_reproduce",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """List the commands in our order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"dissensus.cli.{COMMANDS[cmd_name]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; a typing error gets the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from dissensus.cli._words import nearest

            raise click.UsageError(
                f"there is no command {args[0]!r}. {nearest(args[0], COMMANDS)}"
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Help for a command: dissensus COMMAND --help",
)
@click.version_option(dissensus.__version__, prog_name="dissensus")
def cli() -> None:
    """Classifiers that disagree on purpose: compare, fit, explain, predict."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code.

    Parameters
    ----------
    arguments : sequence of str, default=None
        The arguments; those of the process if None.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code.

    0 is success, 2 an error in what was given, 1 work that failed, 130 Ctrl-C.
    """
    debug = "--debug" in arguments
    try:
        cli.main(arguments, prog_name="dissensus", standalone_mode=False)
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as error:
        return _tell(_usage_words(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort) as stopped:
        # click puts an Abort without words in the place of what was raised.
        return _tell(str(stopped) or str(stopped.__cause__ or "") or "stopped.", 130)
    except SystemExit:
        # What click makes of a broken pipe: whoever read our output has seen enough.
        # Nothing is left to be flushed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug:
            raise
        return _explain(error)
    return 0


def _explain(error: Exception) -> int:
    """Write what went wrong; errors in what was given are told from others."""
    from dissensus.cli._words import as_options

    ours = any(kind.__module__.startswith("dissensus.") for kind in type(error).__mro__)
    if ours or isinstance(error, ValueError | OSError):
        return _tell(as_options(_words_of(error)), 2)
    return _tell(f"{type(error).__name__}: {error} (--debug shows where)", 1)


def _words_of(error: Exception) -> str:
    """Return the words of an error in what was given."""
    mistakes = getattr(error, "mistakes", ())
    if len(mistakes) > 1:
        return " ".join(f"{i}) {words}" for i, words in enumerate(mistakes, 1))
    if mistakes:
        return str(mistakes[0])
    if isinstance(error, OSError) and error.filename:
        return (
            f"{error.filename}: {error.strerror}. Check the path and its permissions."
        )
    return str(error)


def _tell(words: str, code: int) -> int:
    """Write an error as one line."""
    click.echo(f"Error: {printable(' '.join(words.split()))}", err=True)
    return code


def _usage_words(error: click.ClickException) -> str:
    words = error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return words
    words = words if words.endswith((".", "?")) else f"{words}."
    return f"{words} Try '{context.command_path} --help'."
