#!/usr/bin/env bash
# Makes what the signs of tokens need, the mean and the weights of pieces, by the models as they are shipped:
#   make-signs.sh minilm DOCS_DIRECTORY... | make-signs.sh multilingual
# Needs Python 3.11, Node.js, a Debian system (apt, dpkg) and its package indexes (apt-get update). See the README beside this file.
set -euo pipefail

which=${1:-}
if [ "$which" != minilm ] && [ "$which" != multilingual ] || { [ "$which" = minilm ] && [ $# -lt 2 ]; }; then
  echo "usage: $0 minilm DOCS_DIRECTORY... | $0 multilingual   (the README says which directories were used)" >&2
  exit 2
fi
shift
docs=()
for directory in "$@"; do docs+=("$(realpath -e "$directory")"); done

cd "$(dirname "$0")"
work=$PWD/.tmp
mkdir -p "$work/texts"
export PYTHONDONTWRITEBYTECODE=1

if [ "$which" = minilm ]; then
  wordnet=$work/wordnet/usr/share/dictd/wn.dict.dz
  if [ ! -f "$wordnet" ]; then
    (cd "$work" && apt-get download dict-wn=1:3.0-37 && dpkg-deb -x dict-wn_*.deb wordnet)
  fi
  echo "325e0547e216aee7f71c6f4130c3717e4b1a0a2ecb905e5c116f5bd6a285cae9  $wordnet" | sha256sum --check --quiet
  # The standard library is all that it needs.
  python3.11 -m english.signs --wordnet "$wordnet" --docs "${docs[@]}" > "$work/signs-minilm.jsonl"
else
  if [ ! -x "$work/venv/bin/python" ]; then python3.11 -m venv "$work/venv"; fi
  "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
  (
    cd "$work/texts"
    while read -r checksum name version; do
      file=(${name}_*.deb)
      if [ ! -f "${file[0]}" ]; then apt-get download -q "$name=$version"; fi
      echo "$checksum  $(echo "${name}"_*.deb)" | sha256sum --check --quiet
    done < ../../multilingual/texts.txt
  )
  "$work/venv/bin/python" -m multilingual.signs --work "$work" --packages "$work/texts" > "$work/signs-multilingual.jsonl"
fi
exec npx tsx signs/main.ts "$which" "$work/signs-$which.jsonl"
