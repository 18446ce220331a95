/** A program of a process that converts files, whose converters do what the file says. */
import type { JsonValue } from "@loredex/core";
import { ConversionError, type RawFile } from "../../src/convert/conversion.ts";
import { serveConversions } from "../../src/isolated/serve-conversions.ts";

const kept: unknown[] = [];
/** Whether it answers its first file again when it gets another. */
let isDoubling = false;

serveConversions({
  markdown:
    async () =>
    async ({ bytes, name }: RawFile) => {
      const text = Buffer.from(bytes).toString();
      await act(text);
      const metaData = { title: name, ...(text === "nest" ? { nested: nested(100_000) } : {}) };
      return { page: { type: "DOCUMENT", metaData, content: [{ md: text }] }, faqs: [], notes: [] };
    },
});

async function act(text: string): Promise<void> {
  const [word, argument = ""] = text.split(" ");
  if (word === "loop") for (;;);
  // Nothing that could wake it is left, but nothing ends it either.
  if (word === "wait") await new Promise(() => undefined);
  if (word === "buffers") for (;;) kept.push(Buffer.alloc(8 * 1_048_576, 1));
  if (word === "objects") for (let at = 0; ; at += 1) kept.push({ at, text: [at] });
  if (word === "keep") kept.push(Buffer.alloc(Number(argument) * 1_048_576, 1));
  if (word === "kill") process.kill(process.pid, "SIGKILL");
  if (word === "exit") process.exit(0);
  if (word === "abort") process.abort();
  if (word === "refuse") throw new ConversionError("it is encrypted; save it without a password", 7);
  if (word === "throw") throw { no: "error" };
  if (word === "nothing") throw undefined;
  if (word === "fault") throw new TypeError("x is not a function");
  if (word === "deep") deep(0);
  if (word === "long") "x".repeat(2 ** 30);
  if (word === "later") setImmediate(() => Promise.reject(new Error("nobody listens")));
  // Waits as a process does that gets no processor.
  if (word === "idle") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument));
  if (word === "compute") compute(Number(argument) * 1_000);
  if (isDoubling) process.send?.({ kind: "refused", id: 1, message: "again", memoryBytes: 0 });
  if (word === "twice") isDoubling = true;
  if (word === "large") text.concat("x");
  if (word === "environment") throw new ConversionError(`${process.env[argument]}`);
  if (word === "process") throw new ConversionError(`${process.pid}`);
}

function nested(levels: number): JsonValue {
  let value: JsonValue = "deep";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function compute(microseconds: number): void {
  const before = process.cpuUsage();
  for (let spent = 0; spent < microseconds; ) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
}

function deep(level: number): number {
  return deep(level + 1) + 1;
}
