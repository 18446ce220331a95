import { EmbedderError, type LogEvent, LoredexError } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLog } from "../../src/log/json-log.ts";
import { serverLog } from "../../src/log/server-log.ts";
import { CapturedTerminal } from "../support/captured-terminal.ts";

const REQUEST = { level: "info", event: "request", message: "answered 200", botId: "b1" } as const;

/** What a log as JSON says of one event. */
function told(event: LogEvent): string {
  const terminal = new CapturedTerminal();
  jsonLog(terminal, () => new Date(0))(event);
  return terminal.errors;
}

describe("a log as JSON", () => {
  it("has the event's own names, a time and a level, and nothing of the machine", () => {
    expect(told({ ...REQUEST, ...{ status: 200, durationMs: 1.5, requestId: "r" } })).toBe(
      '{"level":"info","time":"1970-01-01T00:00:00.000Z","event":"request","botId":"b1","status":200,"durationMs":1.5,"requestId":"r","message":"answered 200"}\n',
    );
  });

  it.each([
    new LoredexError("DISK_FULL", "The disk is full.", { cause: new Error("ENOSPC") }),
    new EmbedderError("EMBEDDER_UNAVAILABLE", "The server does not answer."),
    Object.assign(new Error("EACCES: no"), { code: "EACCES", syscall: "open" }),
  ])("tells a known fault, %s, in its words and by its code, without a stack", (error) => {
    const { error: said } = JSON.parse(
      told({ level: "error", event: "snapshotFailed", message: "Not written.", error }),
    );
    expect(said).toEqual({ code: error.code, message: error.message });
  });

  it("tells where else a fault comes from", () => {
    const error = new TypeError("x is not a function");
    const { error: said } = JSON.parse(told({ level: "error", event: "indexFailed", message: "Failed.", error }));
    expect(said).toEqual({ name: "TypeError", message: error.message, stack: error.stack });
    const thrown = JSON.parse(
      told({ level: "error", event: "indexFailed", message: "Failed.", error: { apiKey: "lx_" } }),
    );
    expect(thrown).not.toHaveProperty("error");
  });

  it("is one line of JSON whatever was sent, which no terminal is steered by", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (message, botId) => {
        const line = told({ ...REQUEST, message, botId });
        expect(line.indexOf("\n")).toBe(line.length - 1);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
        expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(JSON.parse(line)).toMatchObject({ message: message.toWellFormed(), botId: botId.toWellFormed() });
      }),
    );
  });
});

describe("the log of a server", () => {
  const lines = async (isTerminal: boolean, choices: Parameters<typeof serverLog>[1]): Promise<string[]> => {
    const terminal = new CapturedTerminal(false, isTerminal);
    const log = await serverLog(terminal, choices);
    for (const level of ["debug", "info", "warn", "error"] as const) log({ level, event: "request", message: "m" });
    return terminal.errors.split("\n").slice(0, -1);
  };

  it("is readable on a terminal and JSON elsewhere, unless something else is wanted", async () => {
    const isJson = async (...given: Parameters<typeof lines>) => (await lines(...given))[0]?.startsWith("{");
    expect(await isJson(true, {})).toBe(false);
    expect(await isJson(false, {})).toBe(true);
    expect(await isJson(true, { format: "json" })).toBe(true);
    expect(await isJson(false, { format: "text" })).toBe(false);
  });

  it.each([
    [undefined, 3],
    ["debug", 4],
    ["info", 3],
    ["warn", 2],
    ["error", 1],
    ["silent", 0],
  ] as const)("with the level %s has %i of four lines", async (level, count) => {
    for (const format of ["json", "text"] as const) expect(await lines(false, { format, level })).toHaveLength(count);
  });
});
