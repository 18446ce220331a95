#!/usr/bin/env bash
# install.sh SOURCE TARGET: builds the checkout SOURCE, packs its packages as they would be published, and installs them in the empty
# directory TARGET, without what only other platforms need. The container is built with it, and a test runs it.
set -euo pipefail
source=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

cd "$source"
# The tools of the build need no scripts; the installation below has its own.
npm ci --ignore-scripts --no-audit --no-fund
npm run build
npm pack --workspaces --pack-destination "$packed"

cd "$target"
npm init --yes >/dev/null
npm install --omit=dev --no-audit --no-fund "$packed"/*.tgz
node "$source/deploy/other-platforms.mjs" node_modules
# An image in which something is missing is not made.
checked=$(mktemp -d)
node_modules/.bin/loredex doctor --data "$checked"
rm -rf "$checked"
