"""Run benchmarks and write what they measured into their pages of the documentation.

    python -m benchmarks.write_pages                      all of them: an hour or two
    python -m benchmarks.write_pages tree bayes           some of them
    python -m benchmarks.write_pages tree --quick         options go to the benchmark

Each page begins with what is compared and how; what stands below the line that says
where the measurements begin is replaced. A benchmark that fails leaves its page alone.
"""

import argparse
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "benchmarks"
PAGES = {
    "tree": "bench_tree",
    "bayes": "bench_bayes",
    "ensembles": "bench_ensembles",
    "maclen": "bench_maclen",
    "cascade": "bench_cascade",
    "local-cascade": "bench_local_cascade",
    "runner": "bench_runner",
}
MARK = "<!-- Measurements: what stands below is written by benchmarks.write_pages. -->"


def with_measurements(page: str, measured: str, day: str) -> str:
    """Return a page with new measurements below its mark."""
    head, mark, _ = page.partition(MARK)
    if not mark:
        raise ValueError(f"The page has no line '{MARK}'.")
    return f"{head}{MARK}\n\nMeasured on {day}. {measured.strip()}\n"


def write_page(name: str, options: list[str]) -> bool:
    """Run one benchmark and write its page; tell whether it went well."""
    module = f"benchmarks.{PAGES[name]}"
    print(f"== {module}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", module, "--markdown", *options]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0 or not run.stdout.strip():
        print(f"{module} failed; its page is as it was", file=sys.stderr)
        return False
    path = FOLDER / f"{name}.md"
    day = datetime.now(UTC).date().isoformat()
    path.write_text(with_measurements(path.read_text(), run.stdout, day))
    return True


def main(arguments: list[str]) -> int:
    """Write the pages that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.write_pages")
    parser.add_argument("pages", nargs="*", metavar="page", help=", ".join(PAGES))
    chosen, options = parser.parse_known_args(arguments)
    unknown = [name for name in chosen.pages if name not in PAGES]
    if unknown:
        parser.error(f"there is no page {unknown[0]!r}; there are {', '.join(PAGES)}")
    went_well = [write_page(name, options) for name in chosen.pages or PAGES]
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
