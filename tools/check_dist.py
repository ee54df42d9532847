"""Build the sdist and the wheel, install each in a fresh environment, try both.

The sdist is made from the files as they stand, committed or not: meson archives a
repository's last commit, so the files are copied to a scratch repository first.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What an sdist must hold beside the modules to be built, tested and understood.
NEEDED = (
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "meson.options",
    "tests/conftest.py",
)


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command; show what it said and stop if it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode:
        words = " ".join(map(str, command))
        sys.exit(f"{done.stdout}\nThis command failed: {words}")
    return done.stdout


def copy_files(target: Path) -> None:
    """Commit the project's files, without what git ignores, to a scratch repository."""
    identity = ("-c", "user.name=dissensus", "-c", "user.email=dissensus@localhost")
    listed = run(
        *("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
    )
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    run("git", "init", "--quiet", cwd=target)
    run("git", "add", "--all", "--force", cwd=target)
    run("git", *identity, "commit", "--quiet", "--message", "scratch", cwd=target)


def build(scratch: Path) -> list[Path]:
    """Build the distributions in isolation: an sdist, and a wheel from that sdist."""
    dist = scratch / "dist"
    source, kinds = scratch / "source", list[str]()
    source.mkdir()
    if shutil.which("git") and (ROOT / ".git").exists():
        copy_files(source)
    else:
        print("Not a git checkout: only the wheel is built, for meson archives by git.")
        source, kinds = ROOT, ["--wheel"]
    run(sys.executable, "-m", "build", *kinds, "--outdir", dist, source, cwd=scratch)
    return sorted(dist.iterdir())


def check_sdist(path: Path) -> None:
    """Check that the sdist holds what it must."""
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    missing = [name for name in NEEDED if name not in held]
    if missing:
        sys.exit(f"{path.name} lacks {', '.join(missing)}.")


def check_install(path: Path, scratch: Path) -> None:
    """Install one distribution in a fresh environment and run the smoke test there."""
    home = scratch / f"venv-{path.name}"
    venv.create(home, with_pip=False)
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "--python", python, "install", path, cwd=scratch)
    said = run(python, "-W", "error", ROOT / "tools" / "smoke.py", cwd=scratch)
    print(f"{path.name}: {said.strip()}")


def main() -> None:
    """Build, look inside, install and try."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for path in build(scratch):
            if path.name.endswith(".tar.gz"):
                check_sdist(path)
            check_install(path, scratch)


if __name__ == "__main__":
    main()
