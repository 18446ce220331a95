import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedService } from "../../../test/http/service.ts";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { type BatchOperation, type BatchProgress, type BatchResult, LoredexError } from "../src/index.ts";
import { all, clientOf, scripted, thrownBy } from "./service.ts";

const service = sharedService();
const create = (body: string): BatchOperation => ({ op: "create", article: { title: "abc", body } });
const upsert = (id: string, body: string): BatchOperation => ({
  ...{ op: "upsert", by: "id" },
  article: { title: "abc", body, metadata: { id } },
});

const OK = { status: 200, body: { success: true } };
const late = (retryAfter: number) => ({ status: 429, body: "Too fast.", retryAfter });
const answered = (...results: object[]) => Response.json({ success: true, results });
const statuses = (results: readonly BatchResult[]) => results.map(({ status }) => status);
/** The operations of a request. */
async function operationsOf(request: Request): Promise<BatchOperation[]> {
  const { operations } = (await request.json()) as { operations: BatchOperation[] };
  return operations;
}
const sentIn = (requests: readonly Request[]) => Promise.all(requests.map(operationsOf));
const bodyOf = (operation: BatchOperation) => (operation.op === "delete" ? "" : (operation.article.body ?? ""));

describe("a batch that the rate refuses in part", () => {
  it("is finished by the service as its window empties, in the order of its writes", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 100 });
    const progress: BatchProgress[] = [];
    const bodies = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(47));
    const results = await client.batch(bodies.map(create), { onProgress: (now) => progress.push(now) });
    expect(statuses(results)).toEqual([200, 200, 200, 200, 200]);
    expect((await all(client.listArticles())).map(({ body }) => body)).toEqual(bodies);
    expect(progress.map(({ done, total, results }) => [done, total, statuses(results)])).toEqual([
      [2, 5, [200, 200, 429, 429, 429]],
      [3, 5, [200, 200, 200, 429, 429]],
      [4, 5, [200, 200, 200, 200, 429]],
      [5, 5, [200, 200, 200, 200, 200]],
    ]);
    // Two a minute: the second one of a minute is not waited for.
    expect(pace.waits).toHaveLength(2);
    for (const ms of pace.waits) expect(ms).toBeGreaterThanOrEqual(60_000);
  });

  it("keeps the refusals for which waiting does not help, and those that are not of the rate", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 100, quotaCharacters: 1_000 });
    const operations = [create("x".repeat(200)), create("x".repeat(2_000)), create(""), create("fits")];
    expect(statuses(await client.batch(operations))).toEqual([429, 422, 400, 200]);
    expect(pace.waits).toEqual([]);
  });

  it("waits no longer in all than it may, and says what is left", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 50 });
    const operations = ["a", "b", "c", "d"].map((letter) => create(letter.repeat(47)));
    const results = await client.batch(operations, { waitSecondsMax: 130 });
    expect(statuses(results)).toEqual([200, 200, 200, 429]);
    expect(results[3]?.retryAfter).toBe(60);
    expect(pace.waits).toHaveLength(2);
    expect(statuses(await client.batch(operations.slice(3), { waitSecondsMax: 0 }))).toEqual([429]);
  });
});

describe("what is sent again of a batch", () => {
  it("is each refused write alone, after the time that it was told, counted from its own refusal", async () => {
    const { client, requests, pace, waited } = scripted([
      answered(late(10), OK, late(20), late(5)),
      answered(late(3)),
      answered(OK),
      answered(OK),
      answered(OK),
    ]);
    const operations = ["a", "b", "c", "d"].map(create);
    expect(statuses(await client.batch(operations))).toEqual([200, 200, 200, 200]);
    const [a, , c, d] = operations;
    expect(await sentIn(requests)).toEqual([operations, [a], [a], [c], [d]]);
    // Each a twentieth longer than was told, by the randomness of the test.
    expect(pace.waits).toEqual([10_500, 3_150, 21_000 - 13_650]);
    expect(waited.map(([, { message, status, retryAfterSeconds }]) => [message, status, retryAfterSeconds])).toEqual([
      ["Too fast.", 429, 10],
      ["Too fast.", 429, 3],
      ["Too fast.", 429, 20],
    ]);
  });

  it("is no write whose article a later one has changed: it would undo that", async () => {
    const { client, requests } = scripted([
      answered(late(1), OK, late(1), late(1), { status: 400, body: {} }, late(1), OK, late(1)),
      answered(OK),
      answered(OK),
      answered(OK),
    ]);
    const update = (id: string): BatchOperation => ({ op: "update", id, article: { body: "b" } });
    const operations = [
      ...[upsert("1", "old"), upsert("1", "new"), upsert("2", "x")],
      ...[update("i"), update("i"), update("j"), { op: "delete", id: "j" } as const, create("x")],
    ];
    const results = await client.batch(operations);
    expect(statuses(results)).toEqual([429, 200, 200, 200, 400, 429, 200, 200]);
    const sent = await sentIn(requests);
    expect(sent.slice(1)).toEqual([[operations[2]], [operations[3]], [operations[7]]]);
  });

  it("is nothing after as many attempts as the client makes", async () => {
    const { client, requests } = scripted([answered(late(1)), answered(late(1)), answered(late(1))], {
      attemptsMax: 3,
    });
    expect(statuses(await client.batch([create("x")]))).toEqual([429]);
    expect(requests).toHaveLength(3);
    const once = scripted([answered(late(1))], { attemptsMax: 1 });
    expect(statuses(await once.client.batch([create("x")]))).toEqual([429]);
  });

  it("waits with all requests of the call together, the refusals of a whole request included", async () => {
    const busy = Response.json(
      { error: { message: "Busy", code: 4290 } },
      { status: 429, headers: { "retry-after": "40" } },
    );
    const { client, pace } = scripted([busy, answered(late(40)), busy], { waitSecondsMax: 100 });
    const error = await thrownBy(client.batch([create("x")]));
    expect(error instanceof LoredexError && error.code).toBe(4290);
    expect(pace.waits).toEqual([42_000, 42_000]);
  });

  it("ends with an error where no answer comes, and with the signal; onProgress has told the results", async () => {
    const told: (readonly BatchResult[])[] = [];
    const onProgress = ({ results }: BatchProgress) => void told.push(results);
    const { client, requests } = scripted([answered(OK, late(1)), new TypeError("fetch failed")]);
    expect(await thrownBy(client.batch([create("x"), create("y")], { onProgress }))).toBeInstanceOf(LoredexError);
    expect([requests.length, told.map(statuses)]).toEqual([2, [[200, 429]]]);
    const stopped = scripted([answered(OK, late(1))]);
    const stop = new AbortController();
    const stopping = stopped.client.batch([create("x"), create("y")], {
      onProgress: () => stop.abort(new Error("enough")),
      signal: stop.signal,
    });
    expect(await thrownBy(stopping)).toEqual(new Error("enough"));
  });

  it("is nothing of an answer that has not one result for each operation", async () => {
    for (const answer of [answered(OK), Response.json({ success: true }), Response.json({ results: 7 })]) {
      const error = await thrownBy(scripted([answer]).client.batch([create("x"), create("y")]));
      expect(error instanceof LoredexError && error.message).toMatch(/one result for each operation/);
    }
    for (const strange of [{ ...late(1), retryAfter: "\n" }, { status: 429 }, { ...late(1), retryAfter: 1e21 }]) {
      const { client, requests } = scripted([answered(strange)]);
      expect(statuses(await client.batch([create("x")]))).toEqual([429]);
      expect(requests).toHaveLength(1);
    }
  });

  it("is bounded by options that have a maximum", async () => {
    const { client, requests } = scripted([]);
    for (const wrong of [{ waitSecondsMax: 7_201 }, { waitSecondsMax: -1 }, { waitSecondMax: 1 }, { onProgress: 1 }])
      expect(await thrownBy(client.batch([create("x")], wrong as object))).toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });
});

it("whatever is refused for how long, each write is done once, in order, and the waits stay within their bound", async () => {
  const refusal = fc.option(fc.nat({ max: 30 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(refusal, { maxLength: 3 }), { maxLength: 6 }),
      fc.nat(120),
      async (plans, max) => {
        const done: string[] = [];
        const left = plans.map((plan) => plan.filter((seconds) => seconds !== undefined));
        const { client, pace } = scripted(
          Array.from({ length: 60 }, () => async (request: Request) => {
            const results = (await operationsOf(request)).map((operation) => {
              const body = bodyOf(operation);
              const seconds = left[Number(body)]?.shift();
              if (seconds !== undefined) return late(seconds);
              done.push(body);
              return OK;
            });
            return answered(...results);
          }),
        );
        const operations = plans.map((_, i) => create(String(i)));
        const results = await client.batch(operations, { waitSecondsMax: max });
        expect(pace.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(max * 1_000);
        const accepted = operations.flatMap((_, i) => (results[i]?.status === 200 ? [String(i)] : []));
        expect([...done].sort()).toEqual(accepted);
        // Those of the first answer, and then the others in their order.
        const later = done.slice(plans.filter((plan) => plan.every((seconds) => seconds === undefined)).length);
        expect(later).toEqual([...later].sort());
      },
    ),
    { numRuns: lawRuns(400) },
  );
});
