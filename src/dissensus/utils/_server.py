"""Let the server of workers end with its parent: imported by it, before all else.

What it imports next takes seconds, in which it would not see that its parent is gone.
"""

from __future__ import annotations

import signal
import sys

from dissensus.utils._parent import end_with_parent

# It is started with Ctrl-C blocked: that is how it is recognised.
if sys.platform != "win32" and signal.SIGINT in signal.pthread_sigmask(
    signal.SIG_BLOCK, ()
):
    end_with_parent()
