import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EncoderModel } from "../src/encoder-model.ts";
import { openEncoder, openWithWorkers } from "../src/process-encoder.ts";
import { EXAMPLE, FakeWorker, soon } from "./fake-worker.ts";
import { writeModel } from "./test-model.ts";

let directory: string;
let model: EncoderModel;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loredex-encoder-"));
  ({ model } = await writeModel(directory));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** An embedder with one worker; the one for questions that find it busy never gets ready. */
async function openFake(its: EncoderModel = model): Promise<{ embedder: Embedder; worker: FakeWorker }> {
  const worker = new FakeWorker();
  const never = new FakeWorker(new Promise(() => undefined));
  let started = 0;
  const startWorker = () => {
    started += 1;
    return started === 1 ? worker : never;
  };
  const embedder = await openWithWorkers(its, { workers: 1 }, startWorker);
  return { embedder, worker };
}

describe("the embedder", () => {
  it("is what its model is", async () => {
    const { embedder } = await openFake({ ...model, weight: 0.7, calibrate: (cosine) => cosine / 2 });
    expect(embedder).toMatchObject({ id: "example", version: "1", dimensions: 4, weight: 0.7 });
    expect(embedder.calibrate?.(0.5)).toBe(0.25);
  });

  it("has texts prepared as its model wants those of questions and of passages", async () => {
    const { embedder, worker } = await openFake({ ...model, prepared: (text, kind) => `${kind}: ${text}` });
    const vectors = [embedder.embedPassages(["a"]), embedder.embedQuery("b")];
    for (let text = 0; text < 2; text += 1) {
      await soon();
      await worker.finish();
    }
    await Promise.all(vectors);
    expect(worker.given.sort()).toEqual(["passage: a", "question: b"]);
  });

  it("has nothing encoded by a process that has loaded another model than it was opened with, and says what helps", async () => {
    const workers = ["1", "2", "1"].map((version) => new FakeWorker(Promise.resolve({ ...EXAMPLE, version })));
    const [first, second, third] = workers;
    const waiting = [...workers];
    const embedder = await openWithWorkers(model, { workers: 1 }, () => waiting.shift() ?? new FakeWorker());
    await first?.crash();
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: "the model in @loredex/example was replaced while this program ran: it was example 1, and is example 2",
      mend: "start this program again",
      lasts: true,
    });
    expect([second?.given, second?.closed]).toEqual([[], true]);
    const vector = embedder.embedQuery("a");
    await soon();
    await third?.finish();
    expect(await vector).toHaveLength(1);
    await embedder.close();
  });

  it("refuses a number of workers that makes no sense", async () => {
    for (const workers of [0, -1, 1.5, Number.NaN])
      await expect(openEncoder(model, { workers })).rejects.toThrow(
        "openEncoder: workers must be a whole number from 1",
      );
  });

  it("keeps the order of the passages", async () => {
    const { embedder, worker } = await openFake();
    const vectors = embedder.embedPassages(["1", "22", "333"]);
    for (let text = 0; text < 3; text += 1) {
      await soon();
      await worker.finish();
    }
    expect((await vectors).map((vector) => vector[0])).toEqual([1, 2, 3]);
    await expect(embedder.embedPassages([])).resolves.toEqual([]);
  });

  it("holds at most 64 passages; the others wait with their callers, and each call gets its turn", async () => {
    const { embedder, worker } = await openFake();
    const texts = Array.from({ length: 100 }, (_, at) => `p${at}`);
    const long = embedder.embedPassages(texts);
    await soon();
    const short = embedder.embedPassages(["short"]);
    await soon();
    for (let text = 0; text < 101; text += 1) {
      await worker.finish();
      await soon();
    }
    await expect(short).resolves.toHaveLength(1);
    await expect(long).resolves.toHaveLength(100);
    // 64 were in, one more of the long call waited for a place, then the short call.
    expect(worker.given.indexOf("short")).toBe(65);
  });

  it("refuses a question when 256 wait, and takes questions again when there is room", async () => {
    const { embedder, worker } = await openFake();
    const questions = Array.from({ length: 257 }, (_, at) => embedder.embedQuery(`q${at}`));
    await expect(embedder.embedQuery("one too many")).rejects.toMatchObject({ code: "EMBEDDER_BUSY" });
    await worker.finish();
    questions.push(embedder.embedQuery("again"));
    for (let text = 0; text < 257; text += 1) await worker.finish();
    await expect(Promise.all(questions)).resolves.toHaveLength(258);
  });

  it("ends a whole call when one of its passages fails or its signal aborts", async () => {
    const { embedder, worker } = await openFake();
    const failing = embedder.embedPassages(Array.from({ length: 200 }, () => "a"));
    failing.catch(() => undefined);
    await soon();
    await worker.fail(new Error("broken"));
    await expect(failing).rejects.toThrow("broken");

    const abort = new AbortController();
    const aborted = embedder.embedPassages(
      Array.from({ length: 200 }, () => "b"),
      abort.signal,
    );
    aborted.catch(() => undefined);
    await soon();
    abort.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");

    // All places have come back: as many as ever go in at once.
    const after = embedder.embedPassages(Array.from({ length: 64 }, () => "c"));
    for (let text = 0; text < 66; text += 1) {
      await soon();
      await worker.finish();
    }
    await expect(after).resolves.toHaveLength(64);
    expect(worker.given.filter((text) => text === "b").length).toBeLessThanOrEqual(1);
  });

  it("rejects with CLOSED once it is closed, also callers that wait for a place", async () => {
    const { embedder } = await openFake();
    const waiting = embedder.embedPassages(Array.from({ length: 100 }, () => "a"));
    waiting.catch(() => undefined);
    await soon();
    await embedder.close();
    await embedder.close();
    await expect(waiting).rejects.toMatchObject({ code: "CLOSED" });
    await expect(embedder.embedPassages(["b"])).rejects.toMatchObject({ code: "CLOSED" });
    await expect(embedder.embedQuery("c")).rejects.toMatchObject({ code: "CLOSED" });
  });
});
