import { CONNECTIONS_MAX } from "@loredex/core";
import { DRAIN_MS_MAX } from "../configuration/drain.ts";
import type { Options } from "../configuration/option.ts";
import { EMBEDDER_NAMES } from "../embedders.ts";
import { LOG_FORMATS, LOG_LEVEL_DEFAULT, LOG_LEVELS } from "../log/server-log.ts";

export const PORT_DEFAULT = 8_080;
export const HOST_DEFAULT = "127.0.0.1";
const PORT_MAX = 65_535;

export const SERVE_OPTIONS = {
  host: {
    kind: "text",
    value: "HOST",
    help: "address to listen on",
    default: `${HOST_DEFAULT}: this machine only`,
    setting: true,
  },
  port: {
    kind: "count",
    value: "PORT",
    max: PORT_MAX,
    help: "port to listen on; 0 picks a free one",
    default: PORT_DEFAULT,
    setting: true,
  },
  memory: {
    kind: "bytes",
    value: "SIZE",
    help: "about what open bots may take, for example 4g",
    default: "by the machine",
    setting: true,
  },
  "open-bots-max": {
    kind: "count",
    value: "N",
    min: 1,
    help: "bots that are open at once",
    default: "by the files that may be open",
    setting: true,
  },
  embedders: {
    kind: "list",
    value: "NAMES",
    choices: EMBEDDER_NAMES,
    help: `those that may be used, with commas between them: of ${EMBEDDER_NAMES.join(", ")}`,
    default: "all",
    setting: true,
  },
  "search-deadline": {
    kind: "duration",
    value: "TIME",
    help: "a longer search is given up",
    default: "10s",
    setting: true,
  },
  "body-max": { kind: "bytes", value: "SIZE", help: "largest request body", default: "1m", setting: true },
  "requests-max": {
    kind: "count",
    value: "N",
    min: 1,
    help: "requests worked on at once",
    default: 256,
    setting: true,
  },
  "bot-requests-max": {
    kind: "count",
    value: "N",
    min: 1,
    help: "requests of one bot worked on at once",
    default: 16,
    setting: true,
  },
  "wait-max": {
    kind: "duration",
    value: "TIME",
    help: "a request that has waited for its turn for longer is refused",
    default: "2s",
    setting: true,
  },
  "connections-max": {
    kind: "count",
    value: "N",
    min: 1,
    help: "open connections",
    default: `by the files that may be open, at most ${CONNECTIONS_MAX}`,
    setting: true,
  },
  log: {
    kind: "choice",
    value: "FORMAT",
    choices: LOG_FORMATS,
    help: `the log as ${LOG_FORMATS.join(" or ")}`,
    default: "text for a terminal, else json",
    setting: true,
  },
  "log-level": {
    kind: "choice",
    value: "LEVEL",
    choices: LOG_LEVELS,
    help: `from what on it is logged: ${LOG_LEVELS.join(", ")}`,
    default: LOG_LEVEL_DEFAULT,
    setting: true,
  },
  drain: {
    kind: "duration",
    value: "TIME",
    min: 0,
    max: DRAIN_MS_MAX,
    help: "on SIGTERM it goes on for so long, not ready",
    default: "1s",
    setting: true,
  },
  "health-port": {
    kind: "count",
    value: "PORT",
    max: PORT_MAX,
    help: "another port for /health and /ready, and /metrics if there are metrics; 0 picks a free one",
    default: "none",
    setting: true,
  },
  "health-host": {
    kind: "text",
    value: "HOST",
    help: "address to listen on for them",
    default: `${HOST_DEFAULT}: this machine only`,
    setting: true,
  },
  "metrics-port": {
    kind: "count",
    value: "PORT",
    max: PORT_MAX,
    help: "port of the metrics for Prometheus, at /metrics; 0 picks a free one",
    default: "none",
    setting: true,
  },
  "metrics-host": {
    kind: "text",
    value: "HOST",
    help: "address to listen on for them",
    default: `${HOST_DEFAULT}: this machine only`,
    setting: true,
  },
} as const satisfies Options;
