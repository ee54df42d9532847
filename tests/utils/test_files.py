"""A file that is written whole is the old one or the new one, never half of one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dissensus.utils import _files
from dissensus.utils._files import write_whole


@pytest.fixture(params=["without a name", "under a part's name"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write in the way of each system."""
    if request.param == "under a part's name":
        monkeypatch.setattr(_files, "_without_name", _files._under_part_name)


@pytest.mark.usefixtures("way")
def test_new_content_replaces_the_old_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"old", b"new"):
        before = path.read_bytes() if path.exists() else None
        with write_whole(path) as file:
            file.write(content)
            file.flush()
            assert (path.read_bytes() if path.exists() else None) == before
        assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.usefixtures("way")
def test_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(TypeError), write_whole(path, "w") as file:
        file.writelines(["half of the ne", None])
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.usefixtures("way")
def test_text_is_written_as_open_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with write_whole(path, "w", encoding="latin-1", newline="\r\n") as file:
        file.write("é\n")
    assert path.read_bytes() == b"\xe9\r\n"


@pytest.mark.usefixtures("way")
def test_rights_are_those_of_any_new_file(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        with write_whole(tmp_path / "file") as file:
            file.write(b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


@pytest.mark.usefixtures("way")
def test_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    with write_whole(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.usefixtures("way")
def test_folder_and_absent_folder_are_refused_by_the_system(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "absent" / "file"):
        with pytest.raises(OSError, match=r".+"), write_whole(path) as file:
            file.write(b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_device_is_written_to_directly(tmp_path: Path) -> None:
    with write_whole("/dev/null") as file:
        file.write(b"x")
    assert not Path("/dev/null").is_file()


KILLED = """
import os, signal, sys
from pathlib import Path
from dissensus.utils._files import write_whole
with write_whole(Path(sys.argv[1])) as file:
    file.write(b"x" * 100_000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="no files without a name")
def test_killed_writer_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode < 0
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_part_of_a_killed_writer_goes_an_hour_later(tmp_path: Path) -> None:
    old, new, other = (
        tmp_path / name for name in (".file.1.part", ".file.2.part", ".else.1.part")
    )
    for part in (old, new, other):
        part.write_bytes(b"half")
    for part in (old, other):
        os.utime(part, (time.time() - 4000,) * 2)
    with write_whole(tmp_path / "file") as file:
        file.write(b"x")
    assert {p.name for p in tmp_path.iterdir()} == {"file", new.name, other.name}


def test_content_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(number: int) -> None:
        calls.append("sync")
        real_sync(number)

    def replace(part: Path, target: Path) -> Path:
        calls.append("replace")
        return real_replace(part, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    with write_whole(tmp_path / "file") as file:
        file.write(b"x")
    assert calls == ["sync", "replace", "sync"]
