"""A group of commands that are imported when they are called, and fail in words."""

from __future__ import annotations

import difflib
import errno
import importlib
from collections.abc import Mapping
from typing import IO, Any, NamedTuple, NoReturn

import click

from lmms_eval_tasks_core.errors import TasksError
from lmms_eval_tasks_core.judging.secrets import redacted

_INTERRUPTED = 130


class Lazy(NamedTuple):
    """A command that is imported when it is called.

    Attributes:
        target: Where it is: ``module:attribute``.
        help: What it does, in one line of the group's help.
    """

    target: str
    help: str


class LazyGroup(click.Group):
    """Commands by name, each imported when it is called; its help needs none of them.

    Expected errors end in one sentence, unexpected ones in one that says how to report them; the
    group's ``--debug``, where it has that option, shows the traceback of either.

    Args:
        *arguments: As for `click.Group`.
        lazily: The commands by their names.
        **settings: As for `click.Group`.
    """

    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - click's own
        lazily: Mapping[str, Lazy],
        **settings: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **settings)
        self._lazily = lazily

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *self._lazily})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported if need be."""
        lazy = self._lazily.get(cmd_name)
        if lazy is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = lazy.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command), lazy.target  # noqa: S101 - our own table
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that arguments name; for one that is not there, those that sound like it."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            close = " or ".join(difflib.get_close_matches(name, known))
            meant = f"Did you mean {close}?" if close else f"There are: {', '.join(known)}."
            ctx.fail(f"There is no command {name!r}. {meant}")
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands, without importing any."""
        helps = {name: command.get_short_help_str(100) for name, command in self.commands.items()}
        helps |= {name: lazy.help for name, lazy in self._lazily.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(helps.items()))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command, and say in words what goes wrong."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            raise _StoppedError from None
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:
            if ctx.params.get("debug") or _is_broken_pipe(error):
                raise
            _say(error)


class _StoppedError(click.ClickException):
    """The user has stopped a command."""

    exit_code = _INTERRUPTED

    def __init__(self) -> None:
        super().__init__("Stopped.")

    def show(self, file: IO[Any] | None = None) -> None:
        # The line break ends the line on which a terminal shows ^C.
        click.echo(f"\n{self.message}", file=file, err=True)


def _say(error: Exception) -> NoReturn:
    words = redacted(str(error), ())
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        words = f"{where}{error.strerror}."
    elif not isinstance(error, (TasksError, OSError)):
        words = (
            f"{type(error).__name__}: {words.rstrip('.') or 'no more is known'}. This is a fault "
            "of lmms-eval-tasks: run `lmms-eval-tasks --debug …` again for the traceback, and "
            "please report it."
        )
    raise click.ClickException(words) from error


def _is_broken_pipe(error: Exception) -> bool:
    """Whether nobody reads any more what a command writes; click ends quietly then."""
    return isinstance(error, OSError) and error.errno == errno.EPIPE
