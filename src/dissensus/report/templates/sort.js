// Tables are sorted by their headings: once upward, once downward.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  const headings = [...table.tHead.rows[0].cells];
  const compareTexts = new Intl.Collator(undefined, { numeric: true }).compare;
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
  };

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return typeof a === "number" ? -1 : typeof b === "number" ? 1 : compareTexts(a, b);
  }

  function sort(column) {
    const heading = headings[column];
    const down = heading.getAttribute("aria-sort") === "ascending";
    headings.forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].map((row) => [key(row, column), row]);
    // What has no number stays at the end, whichever way the numbers run.
    const isEmpty = (value) => value === "" || value === "-";
    rows.sort(([a], [b]) => isEmpty(a) - isEmpty(b) || (down ? compare(b, a) : compare(a, b)));
    body.append(...rows.map(([, row]) => row));
  }

  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.title = "Sort";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(column));
    heading.append(button);
  });
}
