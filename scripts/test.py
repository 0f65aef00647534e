"""Run all tests, setting the project up the first time: `python3 scripts/test.py`.

Arguments go to pytest, which runs in the project's folder: `python3 scripts/test.py -k analogy`.
"""

import sys

# An old Python must be able to read this file as far as here, to say so: hence no modern syntax in it.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Python 3.11 or newer is needed, and this is {}.{}.".format(*sys.version_info))

import os
from pathlib import Path

# Python does not add a script's own folder under -P, -I or PYTHONSAFEPATH.
sys.path.insert(0, str(Path(__file__).resolve().parent))

import environment

if __name__ == "__main__":
    os.chdir(environment.ROOT)
    sys.exit(environment.main("test", "python", "-m", "pytest", *sys.argv[1:]))
