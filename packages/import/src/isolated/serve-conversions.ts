import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { bounded } from "../convert/bounded.ts";
import { ConversionError } from "../convert/conversion.ts";
import type { Converters } from "../convert/converters.ts";
import { reasonOf } from "../files/user-files.ts";
import type { FileToConvert, FromProgram, ToProgram } from "./messages.ts";

/** Numbers of the pipes between the host program and this one, beside the message channel. */
const LIFELINE = 0;
export const LAST_WORD = 4;

/** Makes the process convert files one by one, as messages arrive. Its arguments are the memory limit, and the time limit of each file. */
export function serveConversions(converters: Partial<Converters>): void {
  const memoryBytesMax = Number(process.argv[2]);
  const secondsMax = Number(process.argv[3]);
  if (process.send === undefined || !(memoryBytesMax > 0) || !(secondsMax > 0)) {
    throw new Error("This file is the program of a process that converts files.");
  }
  // Signals to the whole process group, as Ctrl-C, are for the host program.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  const workerData = { memoryBytesMax, secondsMax, lifeline: LIFELINE, lastWord: LAST_WORD };
  const watcher = new Worker(watcherProgram(import.meta.url), { workerData, execArgv: [] });
  // A library's rejection that nothing awaits any more is no reason to end.
  process.on("unhandledRejection", () => undefined);
  // No file is touched before the watcher runs.
  const ready = once(watcher, "online").then(() => say({ kind: "ready" }));
  process.on("message", (message: ToProgram) => {
    void ready
      .then(() => {
        watcher.postMessage(true);
        return answer(message, converters);
      })
      .then((said) => {
        watcher.postMessage(false);
        tell(said);
      });
  });
}

/** @param moduleUrl a parameter: if `new URL` names a thread's file beside `import.meta.url`, bundlers bundle that file */
function watcherProgram(moduleUrl: string): URL {
  return new URL("./watcher.js", moduleUrl);
}

function say(message: FromProgram): void {
  process.send?.(message);
}

/** Sends the answer, or the reason why it cannot be sent: the waiting caller gets one of them. */
function tell(said: FromProgram): void {
  try {
    say(said);
  } catch (error) {
    if (said.kind !== "converted") throw error;
    say({ kind: "refused", id: said.id, message: inWords(error), memoryBytes: said.memoryBytes });
  }
}

async function answer({ id, file }: ToProgram, converters: Partial<Converters>): Promise<FromProgram> {
  try {
    const load = converters[file.kind];
    if (load === undefined) throw new ConversionError(`files of the kind ${file.kind} cannot be converted`);
    const convert = await load();
    const { name, kind, charset, url, type } = file;
    const given = {
      name,
      kind,
      ...(charset === undefined ? {} : { charset }),
      ...(url === undefined ? {} : { url }),
      ...(type === undefined ? {} : { type }),
    };
    const conversion = bounded(await convert({ ...given, bytes: await bytesOf(file) }));
    return { kind: "converted", id, conversion, memoryBytes: process.memoryUsage.rss() };
  } catch (error) {
    const line = error instanceof ConversionError && error.line !== undefined ? { line: error.line } : {};
    return { kind: "refused", id, message: inWords(error), ...line, memoryBytes: process.memoryUsage.rss() };
  }
}

async function bytesOf(file: FileToConvert): Promise<Uint8Array> {
  return "bytes" in file ? file.bytes : readFile(file.path);
}

/** An error of a converter without a message for the owner is a fault of the file, or of the library that reads it. */
function inWords(error: unknown): string {
  if (error instanceof ConversionError) return error.message;
  if (error instanceof RangeError) {
    return /call stack/i.test(error.message)
      ? "it is nested too deeply to be read"
      : "it is too large to be read; divide it into several";
  }
  if (error instanceof Error && "syscall" in error) return reasonOf(error);
  return `it cannot be read: ${error instanceof Error && error.message !== "" ? error.message : "its reader failed"}`;
}
