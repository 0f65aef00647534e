"""Run the command as `python -m playground`."""

import sys

from playground.cli import main

sys.exit(main())
