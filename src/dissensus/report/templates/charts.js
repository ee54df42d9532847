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
  // Charts follow the width of the paper, too.
  for (const moment of ["beforeprint", "afterprint"])
    addEventListener(moment, () => dispatchEvent(new Event("resize")));
}
