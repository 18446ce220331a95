#!/usr/bin/env bash
# Makes the database and its roles, once, on an empty volume. The image runs it before the server listens for others.
# One role owns the tables and uses them. docs/postgres.md has two, which is safer.
set -euo pipefail
# The replica does not follow yet, so no commit may wait for it.
export PGOPTIONS="-c synchronous_commit=local"

# Through standard input, so that no password is seen in the list of processes.
psql --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres <<SQL
create role loredex login password '$(cat /run/secrets/loredex)';
create role replica login replication password '$(cat /run/secrets/replica)';
create database loredex owner loredex;
select pg_create_physical_replication_slot('replica');
SQL

echo "host replication replica all scram-sha-256" >> "$PGDATA/pg_hba.conf"
