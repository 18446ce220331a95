import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { IsolatedConverter, type IsolationOptions } from "../../src/isolated/convert-isolated.ts";
import type { FileToConvert } from "../../src/isolated/messages.ts";
import { sourceProgram } from "../../src/isolated/program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const HOSTILE = sourceProgram(fileURLToPath(new URL("./hostile-program.ts", import.meta.url)));
const LITTLE = { memoryBytesMax: 256 * 1_048_576, program: HOSTILE };

/** On a busy machine a process waits for long until it has computed what it may: it is what it computes that ends it, or nothing. */
const PATIENT = { waitSecondsMax: 3_600 };

function converter(options: IsolationOptions = LITTLE): IsolatedConverter {
  const isolated = new IsolatedConverter(options);
  onTestFinished(() => isolated.close());
  return isolated;
}

/** One whose processes are as those before have left them. */
const shared = new IsolatedConverter(LITTLE);
afterAll(() => shared.close());

const file = (text: string): FileToConvert => ({ bytes: Buffer.from(text), name: "a.md", kind: "markdown" });

describe("a file that is as others are", () => {
  it("is converted, one after the other in the same process", async () => {
    const isolated = converter();
    const { page } = await isolated.convert(file("A text."));
    expect(page).toEqual({ type: "DOCUMENT", metaData: { title: "a.md" }, content: [{ md: "A text." }] });
    const first = await isolated.convert(file("process")).catch(String);
    expect(await isolated.convert(file("process")).catch(String)).toBe(first);
  });

  it("is read where it lies", async () => {
    const path = join(await temporaryDirectory(), "a.md");
    await writeFile(path, "From the disk.");
    const isolated = converter();
    expect((await isolated.convert({ path, name: "a.md", kind: "markdown" })).page?.content).toEqual([
      { md: "From the disk." },
    ]);
    const gone = isolated.convert({ path: `${path}x`, name: "a.md", kind: "markdown" });
    await expect(gone).rejects.toThrow("there is no such file or folder");
  });

  it("is converted by the real program", async () => {
    const isolated = converter({});
    expect((await isolated.convert(file("# Title\n"))).page?.metaData.title).toBe("Title");
  });
});

describe("a hostile file is refused in words, and the next one is converted", () => {
  it.each([
    ["takes memory in buffers", "buffers", /^it needs more memory than 256 MiB/],
    ["takes memory in objects", "objects", /^it needs more memory than 256 MiB/],
    ["kills its process", "kill", /^it cannot be read: the program that converts it ended$/],
    ["ends its process", "exit", /^it cannot be read: the program that converts it ended$/],
    ["is refused by its converter", "refuse", /^it is encrypted; save it without a password$/],
    ["makes its reader throw what is no error", "throw", /^it cannot be read: its reader failed$/],
    ["makes its reader throw nothing", "nothing", /^it cannot be read: its reader failed$/],
    ["finds a fault in its reader", "fault", /^it cannot be read: x is not a function$/],
    ["is nested too deeply", "deep", /^it is nested too deeply to be read$/],
    ["becomes what is nested too deeply to be handed over", "nest", /^its metadata is more than 64 levels deep$/],
    ["is a text without end", "long", /^it is too large to be read/],
  ])("which %s", async (_, text, message) => {
    await expect(shared.convert(file(text))).rejects.toThrow(message);
    expect((await shared.convert(file("next"))).page?.content).toEqual([{ md: "next" }]);
  });

  it("with the line where it goes wrong", async () => {
    await expect(shared.convert(file("refuse"))).rejects.toMatchObject({ name: "ConversionError", line: 7 });
  });

  it.each([
    [
      "computes without end",
      "loop",
      { secondsMax: 0.2, ...PATIENT },
      "it was not read within 0.2 seconds of computing",
    ],
    ["waits for what never comes", "wait", { waitSecondsMax: 1 }, "it was not read within 1 second; read it again"],
  ])("which %s", async (_, text, limits, message) => {
    const isolated = converter({ ...LITTLE, ...limits });
    await expect(isolated.convert(file(text))).rejects.toThrow(message);
    await expect(isolated.convert(file(text))).rejects.toThrow(message);
  });

  it.each(["later", "twice"])("which goes on when it is done: %s", async (text) => {
    const isolated = converter();
    await isolated.convert(file(text)).catch(() => undefined);
    for (const next of ["one", "two"]) {
      expect((await isolated.convert(file(next))).page?.content).toEqual([{ md: next }]);
    }
  });

  it("also where all are given at once", async () => {
    const texts = ["a", "buffers", "b", "kill", "c", "fault", "d"];
    const all = await Promise.allSettled(texts.map((text) => shared.convert(file(text))));
    expect(all.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true, false, true]);
  });
});

describe("the time of a file", () => {
  it("is what its process computes, not what it waits for a busy machine", async () => {
    const isolated = converter({ ...LITTLE, ...PATIENT, secondsMax: 0.3 });
    expect((await isolated.convert(file("idle 450"))).page?.content).toEqual([{ md: "idle 450" }]);
  });

  it("is its own: what files before it took does not count", async () => {
    const isolated = converter({ ...LITTLE, ...PATIENT, secondsMax: 0.3 });
    const pids = new Set<string>();
    for (let at = 0; at < 4; at += 1) {
      await isolated.convert(file("compute 100"));
      pids.add(await isolated.convert(file("process")).then(String, String));
    }
    expect(pids.size).toBe(1);
  });
});

describe("what a file leaves", () => {
  it("is not held against the next one", async () => {
    const isolated = converter();
    for (let at = 0; at < 4; at += 1) await isolated.convert(file("keep 100"));
  });

  it("goes with a process that ended under a file that was not its first", async () => {
    const isolated = converter();
    await isolated.convert(file("a"));
    await expect(isolated.convert(file("kill"))).rejects.toThrow("the program that converts it ended");
    expect((await isolated.convert(file("next"))).page?.content).toEqual([{ md: "next" }]);
  });
});

describe("the process", () => {
  it("has nothing of the environment that could change a document, and no keys", async () => {
    process.env.LOREDEX_SECRET = "key";
    onTestFinished(() => {
      delete process.env.LOREDEX_SECRET;
    });
    const isolated = converter();
    await expect(isolated.convert(file("environment LOREDEX_SECRET"))).rejects.toThrow("undefined");
    await expect(isolated.convert(file("environment TZ"))).rejects.toThrow("UTC");
  });

  it("that cannot be started is told", async () => {
    const program = { path: "/nowhere/at/all.js", execArgv: [], environment: {} };
    await expect(converter({ program }).convert(file("a"))).rejects.toThrow(
      "the program that converts files cannot be started",
    );
  });

  it("is gone when the converter is closed, and what it had is refused", async () => {
    const isolated = converter();
    const pid = Number(/\d+/.exec(String(await isolated.convert(file("process")).catch(String)))?.[0]);
    const running = isolated.convert(file("wait")).catch(String);
    expect(() => process.kill(pid, 0)).not.toThrow();
    await isolated.close();
    expect(await running).toContain("the import was stopped");
    expect(() => process.kill(pid, 0)).toThrow();
    await expect(isolated.convert(file("a"))).rejects.toThrow("the import was stopped");
  });
});
