#!/usr/bin/env bash
# Makes packages/core/model/static and the table of test vectors, from nothing: make.sh DOCS_DIRECTORY...
# Needs Python 3.11 and a Debian 12 system (apt, dpkg) whose package indexes are there (apt-get update). See the README beside this file.
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: $0 DOCS_DIRECTORY...   (directories of markdown; the README says which were used)" >&2
  exit 2
fi
docs=()
for directory in "$@"; do docs+=("$(realpath -e "$directory")"); done

cd "$(dirname "$0")"
work=$PWD/.tmp
core=$PWD/../../packages/core
mkdir -p "$work"

if [ ! -x "$work/venv/bin/python" ]; then python3.11 -m venv "$work/venv"; fi
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt

# One thread each and no cached bytecode: the same sums in the same order, and a clean tree.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
exec "$work/venv/bin/python" -m static.build \
  --work "$work" --out "$core/model/static" --fixture "$core/test/embedding/static-vectors.jsonl" \
  --threads "${THREADS:-1}" --count "${COUNT:-220000}" --docs "${docs[@]}"
