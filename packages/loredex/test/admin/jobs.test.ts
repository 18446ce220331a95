import { type LogEvent, LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { JOBS_KEPT_MAX, JOBS_RUNNING_MAX, JOBS_WAITING_MAX, Jobs, type JobWork } from "../../src/admin/jobs.ts";

interface HeldWork {
  readonly work: JobWork;
  readonly begun: () => boolean;
  readonly end: () => void;
}

function heldWork(): HeldWork {
  let begun = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work: JobWork = async (told, signal) => {
    begun = true;
    told({ done: 1, total: 2 });
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await Promise.race([ended, aborted]);
    return [];
  };
  return { work, begun: () => begun, end: () => end() };
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
};

describe("jobs", () => {
  it("run two at once, one of a bot, and the others in their order", async () => {
    const jobs = new Jobs(
      () => 0,
      () => undefined,
    );
    const held = ["a", "a", "b", "c"].map((bot) => {
      const work = heldWork();
      return { bot, ...work, job: jobs.begin(bot, { kind: "import", work: work.work }) };
    });
    const begun = async (): Promise<boolean[]> => {
      await settled();
      return held.map((one) => one.begun());
    };
    expect(JOBS_RUNNING_MAX).toBe(2);
    expect(await begun()).toEqual([true, false, true, false]);
    expect(held.map(({ bot, job }) => jobs.get(bot, job.id)?.message)).toEqual([
      undefined,
      "waits for other jobs",
      undefined,
      "waits for other jobs",
    ]);
    held[2]?.end();
    // The second of `a` waits for the first: the one behind it overtakes.
    expect(await begun()).toEqual([true, false, true, true]);
    held[0]?.end();
    expect(await begun()).toEqual([true, true, true, true]);
    expect(jobs.list("a").map(({ id, state }) => [id, state])).toEqual([
      [held[1]?.job.id, "running"],
      [held[0]?.job.id, "done"],
    ]);
    expect(jobs.get("b", held[0]?.job.id ?? "")).toBeUndefined();
    await jobs.close();
    expect(jobs.list("c")).toMatchObject([{ state: "failed", message: expect.stringContaining("shut down") }]);
    expect(() => jobs.begin("a", { kind: "run", work: async () => "1" })).toThrow(LoredexError);
  });

  it("are refused where too many wait, and remembered up to a bound", async () => {
    const jobs = new Jobs(
      () => 0,
      () => undefined,
    );
    const held = heldWork();
    for (let n = 0; n <= JOBS_WAITING_MAX; n++) jobs.begin("a", { kind: "run", work: held.work });
    let refusal: unknown;
    try {
      jobs.begin("b", { kind: "run", work: held.work });
    } catch (error) {
      refusal = error;
    }
    // A server that is busy is not short of memory.
    expect(refusal).toMatchObject({ code: "OVERLOADED", message: expect.stringContaining("jobs wait already") });
    held.end();
    await settled();
    const again = new Jobs(
      () => 0,
      () => undefined,
    );
    for (let n = 0; n < JOBS_KEPT_MAX + 5; n++) {
      again.begin("a", { kind: "run", work: async () => `${n}` });
      await settled();
    }
    expect(again.list("a").map(({ report }) => report)).toHaveLength(JOBS_KEPT_MAX);
    expect(again.list("a")[0]).toMatchObject({ state: "done", report: `${JOBS_KEPT_MAX + 4}` });
  });

  it("say why they failed, without what only the log may name, and clean up", async () => {
    const told: LogEvent[] = [];
    const jobs = new Jobs(
      () => 1_000,
      (event) => void told.push(event),
    );
    let cleaned = 0;
    const failing = (error: unknown) => ({
      kind: "sync" as const,
      work: () => Promise.reject(error),
      cleanUp: async () => {
        cleaned += 1;
        throw new Error("gone already");
      },
    });
    jobs.begin("a", failing(new LoredexError("DISK_FULL", "The disk is full.")));
    await settled();
    jobs.begin("a", failing(new Error("/secret/path is broken")));
    await settled();
    expect(jobs.list("a").map(({ state, message }) => [state, message])).toEqual([
      ["failed", "It failed by an unexpected error; the log of the server has more."],
      ["failed", "The disk is full."],
    ]);
    expect(jobs.list("a")[0]?.endedAt).toBe("1970-01-01T00:00:01.000Z");
    expect(cleaned).toBe(2);
    const [{ id = "" } = {}] = jobs.list("a");
    const error = expect.objectContaining({ message: "/secret/path is broken" });
    expect(told.filter(({ level }) => level === "error")).toEqual([
      { level: "error", event: "jobFailed", message: expect.stringContaining(id), botId: "a", error },
    ]);
    expect(told.filter(({ event }) => event === "jobNotCleanedUp")).toHaveLength(2);
  });
});
