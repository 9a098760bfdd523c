"""Run every benchmark; one JSON object a line."""

import json
import sys

from tests.bench import relay

for line in relay.bench():
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
