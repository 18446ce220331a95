#!/usr/bin/env bash
# Follows the primary. An empty volume is filled with a copy of its files first.
# To make it the primary: pg_ctl promote, then let the nodes' address lead to it, and never start the old primary on its old volume again.
set -euo pipefail

if [ ! -f "$PGDATA/PG_VERSION" ]; then
  # A copy that was interrupted is made again, from nothing.
  rm -rf "$PGDATA" "$PGDATA.copy"
  PGPASSWORD=$(cat /run/secrets/replica)
  export PGPASSWORD
  pg_basebackup --host primary --username replica --no-password --pgdata "$PGDATA.copy" --wal-method stream --slot replica --write-recovery-conf
  mv "$PGDATA.copy" "$PGDATA"
fi

# By this name the primary knows it.
exec postgres -c cluster_name=replica
