import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { EncoderModel } from "../src/encoder-model.ts";
import { type EncoderWorker, startEncoderWorker } from "../src/encoder-worker.ts";
import { openWithWorkers } from "../src/process-encoder.ts";
import { installing } from "../src/runtime-check.ts";
import { startProblem } from "../src/start-problem.ts";
import { reinstalling } from "../src/whole-files.ts";
import { encoder, inTemporaryDirectory } from "./runtime.ts";
import { writeModel } from "./test-model.ts";

let directory: string;
/** Its program does what the text says. */
let model: EncoderModel;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loredex-encoder-"));
  ({ model } = await writeModel(directory));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The folder of a dependency, as this file sees it. */
function folderOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  return entry.slice(0, entry.indexOf(name) + name.length);
}

/** From here on waiting takes no time: the test says when a limit is over. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function startedWorker(): Promise<EncoderWorker> {
  const worker = startEncoderWorker(model);
  await worker.ready;
  return worker;
}

describe("a worker process", () => {
  it("says that the runtime is missing, and that is EMBEDDER_UNAVAILABLE", async () => {
    await inTemporaryDirectory(async (directory) => {
      await cp(new URL("../worker", import.meta.url), join(directory, "worker"), { recursive: true });
      await cp(new URL("./module-package.json", import.meta.url), join(directory, "package.json"));
      const program = join(directory, "program.js");
      await writeFile(
        program,
        `import { serveEncoder } from "./worker/index.js";\nserveEncoder("", async () => () => 0);`,
      );
      const worker = startEncoderWorker({ ...model, program: pathToFileURL(program) });
      await expect(worker.ready).rejects.toMatchObject({
        code: "EMBEDDER_UNAVAILABLE",
        message: expect.stringMatching(/onnxruntime-node does not load: Cannot find package 'onnxruntime-node'/),
        // Where it can be found and yet not be loaded, npm has to put it there anew.
        mend: encoder.isMissing ? installing() : reinstalling(folderOf("onnxruntime-node")),
      });
      await worker.ended;
    });
  });

  it("that cannot even start is EMBEDDER_UNAVAILABLE to whoever opens the embedder", async () => {
    const program = new URL("./no-such-program.js", import.meta.url);
    const opening = openWithWorkers(model, { workers: 1 }, () => startEncoderWorker({ ...model, program }));
    await expect(opening).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "its process ended at its start, with code 1",
      mend: expect.stringContaining("error output"),
    });
  });

  it.skipIf(process.platform === "win32")("that is killed at its start says so, and what may help", async () => {
    const opening = openWithWorkers(model, { workers: 1 }, () =>
      startEncoderWorker({ ...model, directory: "SIGKILL" }),
    );
    await expect(opening).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "its process ended at its start, with SIGKILL",
      mend: expect.stringContaining("memory"),
    });
  });

  it("that the system does not start says why, and what may help", () => {
    const problem = (code: string) => startProblem({ error: Object.assign(new Error(`spawn node ${code}`), { code }) });
    expect(problem("EAGAIN")).toMatchObject({
      message: "its process can't be started: spawn node EAGAIN",
      mend: expect.stringMatching(/more processes/),
    });
    expect(problem("ENOENT").mend).toContain("start this program again");
    expect(problem("EIO").mend).toBeUndefined();
  });

  it("that crashes takes only its text's first try with it", async () => {
    let started = 0;
    const startWorker = () => {
      started += 1;
      return startEncoderWorker(model);
    };
    const embedder = await openWithWorkers(model, { workers: 1 }, startWorker);
    await expect(embedder.embedQuery("fine")).resolves.toHaveLength(1);
    await expect(embedder.embedQuery("exit")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await expect(embedder.embedQuery("abort")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await expect(embedder.embedQuery("fine")).resolves.toHaveLength(1);
    expect(started).toBe(5);
    await embedder.close();
  });

  it("that is frozen with a text counts as crashed", async () => {
    holdTime();
    const worker = await startedWorker();
    const encoding = worker.encode("freeze");
    vi.advanceTimersByTime(60_000);
    await expect(encoding).rejects.toMatchObject({
      name: "WorkerCrash",
      cause: { message: expect.stringContaining("said nothing for 60 seconds") },
    });
    await worker.ended;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that is frozen at its start is ended, and that is EMBEDDER_UNAVAILABLE to whoever opens the embedder", async () => {
    holdTime();
    const workers: EncoderWorker[] = [];
    const opening = openWithWorkers(model, { workers: 1 }, () => {
      const worker = startEncoderWorker({ ...model, directory: "freeze" });
      workers.push(worker);
      return worker;
    });
    await vi.waitUntil(() => workers.length === 1);
    vi.advanceTimersByTime(60_000);
    await expect(opening).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "its process said nothing for 60 seconds at its start",
    });
    await workers[0]?.ended;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that is frozen does not keep the embedder from being closed", async () => {
    holdTime();
    const worker = await startedWorker();
    const encoding = expect(worker.encode("freeze")).rejects.toMatchObject({ name: "WorkerCrash" });
    const closed = worker.close();
    vi.advanceTimersByTime(2_000);
    await closed;
    await encoding;
    expect(vi.getTimerCount()).toBe(0);
  });

  it.skipIf(process.platform === "win32")("that is stopped from outside is ended like one that is frozen", async () => {
    holdTime();
    const worker = await startedWorker();
    const [low = 0, high = 0] = (await worker.encode("process")).vector;
    process.kill(low + 65_536 * high, "SIGSTOP");
    const closed = worker.close();
    vi.advanceTimersByTime(2_000);
    await closed;
  });

  it("has its minute for each text, from the last that was heard of it, and none while it has nothing to do", async () => {
    holdTime();
    const worker = await startedWorker();
    for (let text = 0; text < 3; text += 1) {
      expect(vi.getTimerCount()).toBe(0);
      const encoding = worker.encode("fine");
      vi.advanceTimersByTime(59_000);
      await expect(encoding).resolves.toMatchObject({ vector: Float32Array.of(1) });
    }
    await worker.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("runs where the telemetry of runtimes is switched off, without the options of its host", async () => {
    vi.stubEnv("NODE_OPTIONS", "--no-warnings");
    const worker = startEncoderWorker(model);
    vi.unstubAllEnvs();
    await worker.ready;
    await expect(worker.encode("environment ORT_DISABLE_TELEMETRY")).rejects.toThrow("encoded: 1.");
    await expect(worker.encode("environment NODE_OPTIONS")).rejects.toThrow("encoded: undefined.");
    await worker.close();
  });

  it("that reports a failed text goes on with the next", async () => {
    const worker = startEncoderWorker(model);
    await worker.ready;
    await expect(worker.encode("refuse")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await expect(worker.encode("fine")).resolves.toMatchObject({ vector: Float32Array.of(1) });
    await worker.close();
    await expect(worker.encode("late")).rejects.toMatchObject({ name: "WorkerCrash" });
  });
});
