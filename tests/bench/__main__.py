"""Run every benchmark; one JSON object a line."""

import json
import sys
from itertools import chain

from tests.bench import edits, past, relay

for line in chain(edits.bench(), past.bench(), relay.bench()):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
