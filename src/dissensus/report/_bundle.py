"""The script that draws charts: Vega, Vega-Lite and Vega-Embed in one text."""

from __future__ import annotations

from functools import cache

from dissensus.report._html import missing_package

SNIPPET = "window.vegaEmbed = vegaEmbed;"


@cache
def javascript(version: str) -> str:
    """Return the script for this version of Vega-Lite, as vl-convert bundles it.

    Parameters
    ----------
    version : str
        Such as "6.4". Without it in vl-convert, the latest there is.
    """
    try:
        import vl_convert
    except ImportError:
        raise missing_package("vl-convert-python") from None
    known = vl_convert.get_vegalite_versions()
    wanted = version if version in known else known[-1]
    text: str = vl_convert.javascript_bundle(SNIPPET, vl_version=wanted)
    # What would end the script element early; neither occurs in the versions so far.
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
