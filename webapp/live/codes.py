"""The codes that sockets are closed with; docs/protocol.md says what a page does at each.

All are from 4000 on, the private range of RFC 6455: Daphne sends none of the standard's but 1000.
"""

from __future__ import annotations

from typing import Final

PUT_OUT: Final = 4003
TOO_SLOW: Final = 4008
MOVED: Final = 4009
RESTART: Final = 4012
FLOOD: Final = 4029
NOT_SIGNED_IN: Final = 4401
FOREIGN: Final = 4403
NOT_FOUND: Final = 4404
