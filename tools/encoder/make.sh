#!/usr/bin/env bash
# Makes packages/minilm/model and the table of test vectors, from nothing: make.sh DOCS_DIRECTORY...
# Needs Python 3.11, a Debian system (apt, dpkg) and its package indexes (apt-get update). See the README beside this file.
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: $0 DOCS_DIRECTORY...   (directories of markdown; the README says which were used)" >&2
  exit 2
fi
docs=()
for directory in "$@"; do docs+=("$(realpath -e "$directory")"); done

cd "$(dirname "$0")"
work=$PWD/.tmp
package=$PWD/../../packages/minilm
mkdir -p "$work"

if [ ! -x "$work/venv/bin/python" ]; then python3.11 -m venv "$work/venv"; fi
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt

wordnet=$work/wordnet/usr/share/dictd/wn.dict.dz
if [ ! -f "$wordnet" ]; then
  (cd "$work" && apt-get download dict-wn=1:3.0-37 && dpkg-deb -x dict-wn_*.deb wordnet)
fi
echo "325e0547e216aee7f71c6f4130c3717e4b1a0a2ecb905e5c116f5bd6a285cae9  $wordnet" | sha256sum --check --quiet
apt-cache dumpavail | sed -n 's/^Description: //p' > "$work/summaries.txt"

# One thread and no cached bytecode: the same sums in the same order, and a clean tree.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
"$work/venv/bin/python" -m english.build \
  --work "$work" --out "$package/model" --fixture "$package/test/vectors.jsonl" \
  --wordnet "$wordnet" --summaries "$work/summaries.txt" --docs "${docs[@]}"

# The signs of its tokens, by the package as it is now.
exec ./make-signs.sh minilm "${docs[@]}"
