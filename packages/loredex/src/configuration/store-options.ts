import type { Options } from "./option.ts";

export const CONNECTIONS_DEFAULT = 10;
export const STORE_TIMEOUT_MS_DEFAULT = 2_000;

/** Options of every command: the database that stands instead of a data directory. */
export const STORE_OPTIONS = {
  store: {
    kind: "text",
    value: "URL",
    help: "a PostgreSQL database instead of --data, which several nodes may use: postgres://USER@HOST:PORT/DATABASE",
    default: "none",
    setting: true,
  },
  "store-password-file": {
    kind: "path",
    value: "FILE",
    help: "a file with the password of its role",
    default: "the URL, or PGPASSWORD",
    setting: true,
    needs: "store",
  },
  "store-connections": {
    kind: "count",
    value: "N",
    min: 1,
    max: 1_000,
    help: "connections to the database at once",
    default: CONNECTIONS_DEFAULT,
    setting: true,
    needs: "store",
  },
  "store-timeout": {
    kind: "duration",
    value: "TIME",
    help: "a database that has not answered for this time counts as unreachable",
    default: "2s",
    setting: true,
    needs: "store",
  },
  "no-migrate": {
    kind: "switch",
    help: 'never make or change the tables of the database: "loredex store migrate" does',
    setting: true,
    needs: "store",
  },
} as const satisfies Options;
