import type { LogEvent } from "@loredex/core";
import { API_OPERATIONS, FAILURE_NAMES, type HttpLogEvent } from "@loredex/http";
import { Counter, Histogram, type Registry } from "prom-client";
import { DURATION_BUCKETS } from "./work-metrics.ts";

/** The methods of the API. A client may send others. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** Counts requests, refusals and other log events. */
export function logMetrics(registers: Registry[]): (event: LogEvent | HttpLogEvent) => void {
  const requests = new Counter({
    name: "loredex_http_requests_total",
    help: "Requests that were answered, by method, route and status; status 0: the client left before.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "loredex_http_request_duration_seconds",
    help: "From the end of a request's headers to the end of its answer, by route; slow clients are in it.",
    labelNames: ["route"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: "loredex_refusals_total",
    help: "Requests that were refused or failed, by the code of the reason.",
    labelNames: ["code"],
    registers,
  });
  const events = new Counter({
    name: "loredex_log_events_total",
    help: "Lines of the log that are not of requests, by level and event.",
    labelNames: ["level", "event"],
    registers,
  });
  // Initialised to 0: a counter that appears with its first event hides that event from `rate` and `increase`.
  for (const code of FAILURE_NAMES) refusals.inc({ code }, 0);
  for (const { method, path } of API_OPERATIONS) requests.inc({ method, route: path, status: "200" }, 0);
  return (event) => {
    if (isOfRequest(event)) {
      const { method, route, status, durationMs, code } = event;
      requests.inc({ method: METHODS.has(method) ? method : "other", route, status: String(status) });
      seconds.observe({ route }, durationMs / 1_000);
      if (code !== undefined) refusals.inc({ code });
      return;
    }
    if (isOfConnection(event)) refusals.inc({ code: event.code });
    events.inc({ level: event.level, event: event.event });
  };
}

type HttpEvent<Name extends HttpLogEvent["event"]> = Extract<HttpLogEvent, { readonly event: Name }>;

function isOfRequest(event: LogEvent | HttpLogEvent): event is HttpEvent<"request"> {
  return event.event === "request";
}

function isOfConnection(event: LogEvent | HttpLogEvent): event is HttpEvent<"connectionRefused"> {
  return event.event === "connectionRefused";
}
