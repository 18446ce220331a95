import { readFileSync } from "node:fs";
import { LoredexError, QuotaExceededError, RateExceededError, ValidationError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { ERROR_TABLE, failureOf, HttpError } from "../src/errors.ts";
import { OPENAPI_DOCUMENT } from "../src/openapi/document.ts";
import { resolved } from "./support/described.ts";

const text = (error: unknown) => [...failureOf(error).reply.slices].join("");

/** The rows `| status | code | ...` of the tables of errors in the references. */
function documented(): string[] {
  const pages = ["http-api.md", "admin-api.md"];
  const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
  const reference = pages.map(page).join("\n");
  return [...reference.matchAll(/^\| (\d{3}) \| (\d+|none) \|/gm)].map(([, status, code]) => `${status} ${code}`);
}

function tabled(): string[] {
  const rows = Object.values(ERROR_TABLE).map(({ status, number }) => `${status} ${number ?? "none"}`);
  return [...new Set(rows)];
}

describe("the table of errors", () => {
  it("agrees with the reference in both directions", () => {
    expect(documented().sort()).toEqual(tabled().sort());
  });

  it("is documented once a row", () => {
    expect(new Set(documented()).size).toBe(documented().length);
  });

  it("has no number for two statuses", () => {
    const statuses = new Map<number | undefined, number>();
    for (const { status, number } of Object.values(ERROR_TABLE)) {
      expect(statuses.get(number) ?? status).toBe(status);
      statuses.set(number, status);
    }
  });

  it("is described: each code under its status by some operation", () => {
    const described = new Set<string>();
    for (const [path, item] of Object.entries(OPENAPI_DOCUMENT.paths)) {
      for (const operation of Object.values(item)) {
        for (const [status, answer] of Object.entries("responses" in operation ? operation.responses : {})) {
          for (const [code] of JSON.stringify(resolved(answer)).matchAll(/\b\d{4,5}\b/g))
            described.add(`${status} ${code}`);
          if (path.endsWith("/batch") && status === "200") described.add("409 20006");
        }
      }
    }
    // What is said where there is no such path or method has no operation, and a 429 has no code.
    const elsewhere = new Set(["404 20002", "405 20003", "429 none"]);
    expect(tabled().filter((row) => !described.has(row) && !elsewhere.has(row))).toEqual([]);
    expect(described).toContain("503 50005");
  });

  it("has every status of the OpenAPI description", () => {
    const statuses = Object.values(OPENAPI_DOCUMENT.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => ("responses" in operation ? Object.keys(operation.responses) : [])),
    );
    const known = new Set(["200", "202", "304", ...Object.values(ERROR_TABLE).map(({ status }) => String(status))]);
    expect([...new Set(statuses)].filter((status) => !known.has(status))).toEqual([]);
  });
});

describe("failureOf", () => {
  it("tells every violation in the shape of a 400", () => {
    const violations = [
      { message: "title is required", field: "title", type: "required" },
      { message: "body is required", field: "body", type: "required" },
    ];
    expect(JSON.parse(text(new ValidationError(violations)))).toEqual({
      message: "title is required; body is required",
      code: 1001,
      status: 400,
      data: { result: violations },
    });
  });

  it("sums up many violations and still lists them all", () => {
    const violations = Array.from({ length: 2_000 }, (_, index) => {
      return { message: `${"x".repeat(400)}\u{1F600}${index}`, field: `f${index}`, type: "unknownField" };
    });
    const { reply } = failureOf(new ValidationError(violations));
    const slices = [...reply.slices];
    expect(slices.length).toBeGreaterThan(1);
    const body = JSON.parse(slices.join(""));
    expect(body.data.result).toEqual(violations);
    expect(body.message).toMatch(/… ?; and 1995 more$/);
    expect(body.message.length).toBeLessThan(1_100);
  });

  it("passes on the text of a full quota", () => {
    const { reply } = failureOf(new QuotaExceededError(5, 995, 1_000));
    expect(reply.status).toBe(422);
    const body = JSON.parse(text(new QuotaExceededError(5, 995, 1_000)));
    expect(body).toEqual({ success: false, error: { message: expect.any(String), code: 30001, status: 422 } });
    expect(body.error.message).toMatch(/\b5\b.*\b995\b.*\b1000\b/);
  });

  it.each([
    [1, "1"],
    [1_000, "1"],
    [1_001, "2"],
    [59_999.5, "60"],
  ])("rounds %d ms up to whole seconds", (milliseconds, seconds) => {
    const { reply } = failureOf(new RateExceededError(10, 100, milliseconds));
    expect(reply.status).toBe(429);
    expect(reply.headers).toEqual({ "content-type": "text/plain; charset=utf-8", "retry-after": seconds });
    expect([...reply.slices].join("")).toMatch(/^Character rate limit exceeded.*try again later/);
  });

  it("promises nothing for a write that never fits", () => {
    const { reply } = failureOf(new RateExceededError(20_000, 15_000, undefined));
    expect(reply.headers).not.toHaveProperty("retry-after");
    expect([...reply.slices].join("")).toMatch(/20000.*15000/);
  });

  it.each([
    new Error("secret at /data/bot"),
    new TypeError("x is undefined"),
    "a string",
    undefined,
    new LoredexError("STORAGE_FAILED", "secret at /data/bot"),
    new LoredexError("TOO_MANY_OPEN_FILES", "secret at /data/bot"),
  ])("keeps what is inside to itself: %s", (error) => {
    const { reply, isFault } = failureOf(error);
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(isFault).toBe(true);
    expect(text(error)).not.toMatch(/secret|undefined|string"/);
  });

  it.each(["CORRUPT", "UNSUPPORTED_FORMAT", "BOT_INACCESSIBLE", "READ_ONLY", "NO_ACCESS", "DISK_FULL"] as const)(
    "leaves it to the engine to tell of %s, once and not for each request",
    (code) => {
      const error = new LoredexError(code, "secret at /data/bot");
      expect(failureOf(error)).toMatchObject({ isFault: false });
      expect(failureOf(error).reply.status).toBeGreaterThanOrEqual(503);
      expect(text(error)).not.toMatch(/secret/);
    },
  );

  it("does not call it a fault when the server is only busy or closing", () => {
    for (const error of [
      new HttpError("OVERLOADED"),
      new HttpError("SHUTTING_DOWN"),
      new LoredexError("CLOSED", "x"),
    ]) {
      expect(failureOf(error)).toMatchObject({
        isFault: false,
        reply: { status: 503, headers: { "retry-after": "1" } },
      });
    }
  });
});
