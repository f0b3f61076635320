#!/bin/sh
# Makes a virtual environment with Numba for peer-numba: numba_install.sh FOLDER, the folder of the peers. With SciPy,
# so that its Python runs check.py as well.
set -eu
test $# = 1 || { echo "usage: numba_install.sh FOLDER" >&2; exit 2; }
test -x "$1/numba/bin/python" || /usr/bin/python3 -m venv "$1/numba"
"$1/numba/bin/python" -c 'import numba, scipy' 2>/dev/null || "$1/numba/bin/python" -m pip install --quiet numba scipy
