import { EmbedderError } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import type { LoadedModel } from "../src/messages.ts";
import { WorkerPool } from "../src/pool.ts";
import { Task, type TaskKind } from "../src/task.ts";
import { EXAMPLE, FakeWorker, soon } from "./fake-worker.ts";

function requireExample({ version }: LoadedModel): void {
  if (version !== EXAMPLE.version) throw new EmbedderError("EMBEDDER_UNAVAILABLE", `not ${version}`);
}

/** Its rejection may be looked at later. */
function vectorOf(task: Task): Promise<Float32Array> {
  const vector = task.encoded.then((encoded) => encoded.vector);
  vector.catch(() => undefined);
  return vector;
}

/** A pool over workers that the test holds. */
function poolOf(size: number, make: (count: number) => FakeWorker = () => new FakeWorker()) {
  const workers: FakeWorker[] = [];
  const pool = new WorkerPool(
    size,
    () => {
      const worker = make(workers.length);
      workers.push(worker);
      return worker;
    },
    requireExample,
  );
  const addTask = (text: string, kind: TaskKind = "passage") => {
    const task = new Task(text, kind);
    task.encoded.catch(() => undefined);
    pool.add(task);
    return task;
  };
  const add = (text: string, kind?: TaskKind) => vectorOf(addTask(text, kind));
  const worker = (at: number): FakeWorker => {
    const found = workers[at];
    if (found === undefined) throw new Error(`no worker ${at} was started`);
    return found;
  };
  return { pool, workers, worker, add, addTask };
}

/** The start of a worker that takes for ever. */
const never = () => new Promise<never>(() => undefined);
/** The first worker is ready at once, any other never. */
const oneReady = (count: number) => new FakeWorker(count === 0 ? Promise.resolve(EXAMPLE) : never());
const unavailable = () => new EmbedderError("EMBEDDER_UNAVAILABLE", "not here");

describe("the pool", () => {
  it("gives each worker one text at a time, questions before passages", async () => {
    const { pool, worker, add } = poolOf(1, oneReady);
    await pool.open();
    for (const text of ["p1", "p2", "p3"]) void add(text);
    void add("q1", "question");
    void add("q2", "question");
    expect(worker(0).given).toEqual(["p1"]);
    for (let text = 0; text < 4; text += 1) await worker(0).finish();
    expect(worker(0).given).toEqual(["p1", "q1", "q2", "p2", "p3"]);
  });

  it("starts one more worker for questions that find all busy with passages, and gives it no passage", async () => {
    const { pool, workers, worker, add } = poolOf(1);
    await pool.open();
    for (const text of ["p1", "p2"]) void add(text);
    void add("q1", "question");
    void add("q2", "question");
    await soon();
    expect(workers).toHaveLength(2);
    expect(worker(1).given).toEqual(["q1"]);
    await worker(1).finish();
    await worker(1).finish();
    expect(worker(1).given).toEqual(["q1", "q2"]);
    expect(worker(0).given).toEqual(["p1"]);
    await worker(0).finish();
    expect([...worker(0).given, ...worker(1).given].filter((text) => text.startsWith("p"))).toEqual(["p1", "p2"]);
  });

  it("starts further workers only when there is work for them, and never more than its size", async () => {
    const { pool, workers, add } = poolOf(3);
    await pool.open();
    expect(workers).toHaveLength(1);
    void add("a");
    await soon();
    expect(workers).toHaveLength(1);
    for (const text of ["b", "c", "d", "e"]) void add(text);
    await soon();
    expect(workers).toHaveLength(3);
    expect(workers.map((worker) => worker.given)).toEqual([["a"], ["b"], ["c"]]);
  });

  it("resolves each task with its own vector", async () => {
    const { pool, worker, add } = poolOf(1);
    await pool.open();
    const vectors = [add("1"), add("22")];
    await worker(0).finish();
    await worker(0).finish();
    expect(await Promise.all(vectors)).toEqual([Float32Array.of(1), Float32Array.of(2)]);
  });

  it("rejects the text that fails, and goes on", async () => {
    const { pool, worker, add } = poolOf(1);
    await pool.open();
    const [bad, good] = [add("bad"), add("good")];
    await worker(0).fail(new EmbedderError("EMBEDDER_FAILED", "no"));
    await expect(bad).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await worker(0).finish();
    await expect(good).resolves.toBeDefined();
  });

  it("replaces a worker that crashed, and tries its text once more, before those that wait", async () => {
    const { pool, workers, worker, add } = poolOf(1);
    await pool.open();
    const [first, second] = [add("first"), add("second")];
    await worker(0).crash();
    expect(workers).toHaveLength(2);
    expect(worker(1).given).toEqual(["first"]);
    await worker(1).finish();
    await worker(1).finish();
    await expect(Promise.all([first, second])).resolves.toHaveLength(2);
  });

  it("gives a text up when a second worker crashes on it", async () => {
    const { pool, workers, worker, add } = poolOf(1);
    await pool.open();
    const [bad, good] = [add("bad"), add("good")];
    await worker(0).crash();
    await worker(1).crash();
    await expect(bad).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(workers).toHaveLength(3);
    await worker(2).finish();
    await expect(good).resolves.toBeDefined();
  });

  it("replaces a worker that ended while it had nothing to do, without counting that against the next text", async () => {
    const { pool, worker, add } = poolOf(1);
    await pool.open();
    await worker(0).crash();
    const vector = add("a");
    await soon();
    expect(worker(0).given).toEqual([]);
    await worker(1).crash();
    await worker(2).finish();
    await expect(vector).resolves.toBeDefined();
  });

  it("rejects at opening with the worker's own reason", async () => {
    const { pool } = poolOf(1, () => new FakeWorker(Promise.reject(unavailable())));
    await expect(pool.open()).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE", message: "not here" });
  });

  it("rejects what waits when no worker can be started, and tries again for the next task", async () => {
    const { pool, worker, add } = poolOf(1, (count) =>
      count === 1 ? new FakeWorker(Promise.reject(unavailable())) : new FakeWorker(),
    );
    await pool.open();
    await worker(0).crash();
    await expect(add("a")).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    const vector = add("b");
    await soon();
    await worker(2).finish();
    await expect(vector).resolves.toBeDefined();
  });

  it("rejects what waits when the system gives no more processes, and tries again for the next task", async () => {
    let processes = 1;
    const { pool, worker, add } = poolOf(1, () => {
      if (processes-- === 0) throw new Error("spawn EAGAIN");
      return new FakeWorker();
    });
    await pool.open();
    const first = expect(add("p1")).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    await worker(0).crash();
    await first;
    processes = 1;
    const second = add("p2");
    await soon();
    await worker(1).finish();
    expect(await second).toEqual(Float32Array.of(2));
  });

  it("keeps serving with the workers it has when one more cannot be started", async () => {
    const { pool, worker, add } = poolOf(2, (count) =>
      count === 0 ? new FakeWorker() : new FakeWorker(Promise.reject(unavailable())),
    );
    await pool.open();
    const vectors = [add("a"), add("b"), add("c")];
    await soon();
    for (let text = 0; text < 3; text += 1) await worker(0).finish();
    await expect(Promise.all(vectors)).resolves.toHaveLength(3);
  });
});

describe("cancelling", () => {
  it("takes a waiting text out: no worker ever sees it", async () => {
    const { pool, worker, add, addTask } = poolOf(1, oneReady);
    await pool.open();
    void add("running");
    const cancelled = addTask("cancelled", "question");
    expect(pool.questionsWaiting).toBe(1);
    cancelled.reject(new Error("changed my mind"));
    await expect(cancelled.encoded).rejects.toThrow("changed my mind");
    expect(pool.questionsWaiting).toBe(0);
    await worker(0).finish();
    expect(worker(0).given).toEqual(["running"]);
  });

  it("answers at once for a running text, and the worker takes the next one when it is done", async () => {
    const { pool, worker, add, addTask } = poolOf(1);
    await pool.open();
    const cancelled = addTask("running");
    const next = add("next");
    cancelled.reject(new Error("enough"));
    await expect(cancelled.encoded).rejects.toThrow("enough");
    expect(worker(0).given).toEqual(["running"]);
    await worker(0).finish();
    await worker(0).finish();
    await expect(next).resolves.toBeDefined();
  });

  it("of a running text whose worker crashes starts no second try", async () => {
    const { pool, workers, worker, addTask } = poolOf(1);
    await pool.open();
    const cancelled = addTask("running");
    cancelled.reject(new Error("enough"));
    await worker(0).crash();
    expect(workers).toHaveLength(1);
  });

  it("by closing rejects what waits, what runs and what comes later, and ends every worker", async () => {
    const { pool, workers, add } = poolOf(2);
    await pool.open();
    const vectors = ["a", "b", "c"].map((text) => add(text));
    await soon();
    await Promise.all([pool.close(), pool.close()]);
    for (const vector of [...vectors, add("late")]) await expect(vector).rejects.toMatchObject({ code: "CLOSED" });
    expect(workers.every((worker) => worker.closed)).toBe(true);
  });
});

/** A pool whose workers end when the test says that they have been idle for long. */
function idlingPool(size: number, ready: (count: number) => Promise<LoadedModel> = async () => EXAMPLE) {
  const ends = new Set<() => void>();
  const workers: FakeWorker[] = [];
  const startWorker = () => {
    const worker = new FakeWorker(ready(workers.length));
    workers.push(worker);
    return worker;
  };
  const pool = new WorkerPool(size, startWorker, requireExample, (end) => {
    const call = () => {
      ends.delete(call);
      end();
    };
    ends.add(call);
    return () => ends.delete(call);
  });
  const add = (text: string, kind: TaskKind) => {
    const task = new Task(text, kind);
    pool.add(task);
    return vectorOf(task);
  };
  return { pool, workers, add, ends };
}

describe("a worker that has nothing to do for long", () => {
  it("ends, and the next question has another one started", async () => {
    const { pool, workers, add, ends } = idlingPool(1);
    await pool.open();
    const first = add("a", "question");
    expect(ends.size).toBe(0);
    await workers[0]?.finish();
    await first;
    for (const end of ends) end();
    expect(workers.map(({ closed }) => closed)).toEqual([true]);
    const second = add("bb", "question");
    await soon();
    await workers[1]?.finish();
    expect(await second).toEqual(Float32Array.of(2));
    expect(workers.map(({ closed }) => closed)).toEqual([true, false]);
    await pool.close();
    expect([workers.every(({ closed }) => closed), ends.size]).toEqual([true, 0]);
  });

  it("has no other model in its place: whoever begins with one is ended, and what waits is rejected", async () => {
    const other = { ...EXAMPLE, version: "2" };
    const { pool, workers, add, ends } = idlingPool(1, (count) => Promise.resolve(count === 0 ? EXAMPLE : other));
    await pool.open();
    for (const end of ends) end();
    await expect(add("a", "question")).rejects.toMatchObject({ code: "EMBEDDER_UNAVAILABLE" });
    expect(workers.map(({ closed, given }) => [closed, given])).toEqual([
      [true, []],
      [true, []],
    ]);
    await pool.close();
    expect(ends.size).toBe(0);
  });

  it("is waited for by who closes the pool meanwhile", async () => {
    const { pool, workers, ends } = idlingPool(1);
    await pool.open();
    let hasEnded = (): void => undefined;
    const [worker] = workers;
    if (worker !== undefined) worker.close = () => new Promise((resolve) => (hasEnded = resolve));
    for (const end of ends) end();
    let isClosed = false;
    const closed = pool.close().then(() => {
      isClosed = true;
    });
    await soon();
    expect(isClosed).toBe(false);
    hasEnded();
    await closed;
  });

  it("loses no text, whenever it ends", async () => {
    const step = fc.constantFrom("question", "passage", "finish", "finish", "crash", "idle", "turn");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), async (size, steps) => {
        const { pool, workers, add, ends } = idlingPool(size);
        await pool.open();
        const asked: [string, Promise<Float32Array>][] = [];
        const crashed = new Set<FakeWorker>();
        const working = () => workers.filter((worker) => !worker.closed && !crashed.has(worker) && worker.isWorking);
        for (const kind of steps) {
          if (kind === "question" || kind === "passage") {
            const text = "x".repeat(asked.length + 1);
            asked.push([text, add(text, kind)]);
          } else if (kind === "finish") await working()[0]?.finish();
          else if (kind === "crash" && crashed.size === 0) {
            const [worker] = working();
            if (worker === undefined) continue;
            crashed.add(worker);
            await worker.crash();
          } else if (kind === "idle") for (const end of ends) end();
          else await soon();
        }
        for (let i = 0; i < 3 * asked.length + 3; i++) {
          for (const worker of working()) await worker.finish();
          await soon();
        }
        for (const [text, vector] of asked) expect(await vector).toEqual(Float32Array.of(text.length));
        // A worker that is told to end has nothing in hand, and is given nothing more.
        for (const worker of workers) expect(worker.closed && worker.isWorking).toBe(false);
        for (const end of ends) end();
        expect(workers.every((worker) => worker.closed || crashed.has(worker))).toBe(true);
        await pool.close();
      }),
      { numRuns: lawRuns(400) },
    );
  });
});
