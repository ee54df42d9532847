// Fold and unfold the branches of every tree on the page.
for (const svg of document.querySelectorAll("svg.tree")) {
  const items = [...svg.querySelectorAll('[role="treeitem"]')];
  const edges = [null, ...svg.querySelectorAll(".edge")];
  const parents = items.map((item) => Number(item.dataset.parent));
  const children = items.map(() => []);
  parents.forEach((parent, node) => parent >= 0 && children[parent].push(node));
  const [line, box, margin] = ["line", "box", "margin"].map((name) => Number(svg.dataset[name]));
  const width = items.map((item) => Number(item.dataset.width));
  const isOpen = (node) => items[node].getAttribute("aria-expanded") === "true";
  const isShown = (node) => !items[node].classList.contains("away");

  // Wide: the rule of `place` in _tree_picture.py, a line for each end and parents in
  // the middle. Narrow: a line for each box, indented by its depth.
  function place(narrow) {
    const top = items.map(() => null);
    let lines = 0;
    function visit(node) {
      if (narrow) top[node] = lines++;
      const ends = isOpen(node) ? children[node].map(visit) : [];
      if (!narrow) top[node] = ends.length ? (ends[0] + ends[ends.length - 1]) / 2 : lines++;
      return top[node];
    }
    visit(0);
    return [top.map((at) => (at === null ? null : margin + line * at)), lines];
  }

  function draw() {
    const narrow = svg.parentElement.clientWidth < 600;
    const [top, lines] = place(narrow);
    const level = (node) => Number(items[node].getAttribute("aria-level"));
    const left = items.map((item, node) =>
      narrow ? margin + 14 * (level(node) - 1) : Number(item.dataset.x));
    let right = 0;
    items.forEach((item, node) => {
      const away = top[node] === null;
      item.classList.toggle("away", away);
      if (edges[node]) edges[node].classList.toggle("away", away);
      if (away) return;
      right = Math.max(right, left[node] + width[node] + margin + 8);
      item.setAttribute("transform", `translate(${left[node]} ${top[node]})`);
      if (edges[node]) edges[node].setAttribute("d", curve(parents[node], node));
    });
    const height = 2 * margin + line * (lines - 1) + box;
    svg.setAttribute("width", right);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", `0 0 ${right} ${height}`);

    function curve(parent, node) {
      const middle = top[node] + box / 2;
      if (narrow) return `M${left[parent] + 7} ${top[parent] + box}V${middle}H${left[node]}`;
      const [x, y] = [left[parent] + width[parent], top[parent] + box / 2];
      const half = (x + left[node]) / 2;
      return `M${x} ${y}C${half} ${y} ${half} ${middle} ${left[node]} ${middle}`;
    }
  }

  function setOpen(node, open) {
    if (children[node].length) items[node].setAttribute("aria-expanded", String(open));
  }

  function focus(node) {
    if (node === undefined) return;
    items.forEach((item, other) => item.setAttribute("tabindex", other === node ? 0 : -1));
    items[node].focus();
  }

  function onKey(event) {
    const node = items.indexOf(event.target.closest('[role="treeitem"]'));
    const shown = items.map((_, other) => other).filter(isShown);
    const here = shown.indexOf(node);
    const actions = {
      ArrowDown: () => focus(shown[here + 1]),
      ArrowUp: () => focus(shown[here - 1]),
      Home: () => focus(shown[0]),
      End: () => focus(shown[shown.length - 1]),
      ArrowRight: () => (isOpen(node) ? focus(children[node][0]) : (setOpen(node, true), draw())),
      ArrowLeft: () => {
        if (isOpen(node)) (setOpen(node, false), draw());
        else if (parents[node] >= 0) focus(parents[node]);
      },
      Enter: () => (setOpen(node, !isOpen(node)), draw()),
    };
    actions[" "] = actions.Enter;
    if (node < 0 || !(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  svg.addEventListener("keydown", onKey);
  svg.addEventListener("click", (event) => {
    const node = items.indexOf(event.target.closest('[role="treeitem"]'));
    if (node < 0) return;
    setOpen(node, !isOpen(node));
    draw();
    focus(node);
  });
  const buttons = svg.parentElement.previousElementSibling;
  buttons.hidden = items.length < 2;
  buttons.addEventListener("click", (event) => {
    const wanted = event.target.dataset.tree;
    if (!wanted) return;
    items.forEach((_, node) => setOpen(node, wanted === "unfold" || node === 0));
    draw();
    focus(0);
  });
  new ResizeObserver(draw).observe(svg.parentElement);
}
