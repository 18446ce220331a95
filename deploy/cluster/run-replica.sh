#!/usr/bin/env bash
# Follows the primary. An empty volume is filled with a copy of its files first.
# To make it the primary: stop the service primary, run "pg_ctl promote" here, and name this service in LOREDEX_STORE (replica:5432). Never start the old primary on its old volume again.
# It has no standby then. For a new one: select pg_create_physical_replication_slot('replica') here, and start a service like this one on an empty volume, with --host replica below.
# Then set synchronous_standby_names = 'replica' (ALTER SYSTEM).
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
