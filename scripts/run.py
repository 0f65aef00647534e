"""Start the app, setting the project up the first time: `python3 scripts/run.py`.

Arguments go to the `playground` command: `python3 scripts/run.py analogy "king - man + woman"`.
"""

import sys

# An old Python must be able to read this file as far as here, to say so: hence no modern syntax in it.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Python 3.11 or newer is needed, and this is {}.{}.".format(*sys.version_info))

from pathlib import Path

# Python does not add a script's own folder under -P, -I or PYTHONSAFEPATH.
sys.path.insert(0, str(Path(__file__).resolve().parent))

import environment

if __name__ == "__main__":
    sys.exit(environment.main("", "playground", *sys.argv[1:]))
