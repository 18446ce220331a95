#!/bin/sh
# Installs Debian's Chromium where there is none and packages can be installed. Tests in a browser are skipped by name without one.
[ -x "${CHROMIUM:-}" ] && exit 0
command -v chromium || command -v chromium-browser || command -v google-chrome && exit 0
command -v apt-get > /dev/null || { echo "no Chromium, and no apt-get to install one"; exit 1; }
[ "$(id -u)" -eq 0 ] || { echo "no Chromium, and no right to install one"; exit 1; }
export DEBIAN_FRONTEND=noninteractive
# A mirror that does not answer may not hold up the whole check.
timeout 120 apt-get -q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 update
timeout 300 apt-get -q -y -o Acquire::Retries=1 -o Acquire::http::Timeout=20 install --no-install-recommends chromium
