// Draw the charts; what they look like stands in the page as data.
{
  const { config, specs } = JSON.parse(document.getElementById("charts").textContent);
  for (const [id, spec] of Object.entries(specs)) {
    const choice = document.getElementById(id.replace(/-\d+$/, "-choice"));
    vegaEmbed(document.getElementById(id), spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config,
      bind: choice ?? undefined,
      tooltip: { disableDefaultStyle: true },
    });
  }
  // Charts are drawn anew for the width of the paper, with letters of the usual size.
  const width = (words) => {
    document.body.style.width = words;
    dispatchEvent(new Event("resize"));
  };
  addEventListener("beforeprint", () => width("17.5cm"));
  addEventListener("afterprint", () => width(""));
}
