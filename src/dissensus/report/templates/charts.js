// Draw the charts; what they look like stands in the page as data.
{
  const { config, specs } = JSON.parse(document.getElementById("charts").textContent);
  for (const [id, spec] of Object.entries(specs)) {
    const choice = document.getElementById(id.replace(/-\d+$/, "-choice"));
    const place = document.getElementById(id);
    const drawn = vegaEmbed(place, spec, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config,
      bind: choice ?? undefined,
      tooltip: { disableDefaultStyle: true },
    });
    // Those who hear the page hear what the chart shows, and have a table.
    drawn.then(() => place.querySelector("svg").setAttribute("aria-hidden", "true"));
  }
  // Charts are drawn anew for the width of the paper, with letters of the usual size.
  const width = (words) => {
    document.body.style.width = words;
    dispatchEvent(new Event("resize"));
  };
  addEventListener("beforeprint", () => width("17.5cm"));
  addEventListener("afterprint", () => width(""));
}
