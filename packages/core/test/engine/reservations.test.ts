import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { draftDigest, keyDigest } from "../../src/articles/idempotency.ts";
import { apply } from "../../src/log/apply.ts";
import { decodeBotRecord } from "../../src/log/record-codec.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import { articleBytes } from "../../src/model/article-bytes.ts";
import { ValidationError } from "../../src/model/errors.ts";
import { RATE_WINDOW_MS } from "../../src/model/limits.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import { bareIngest } from "../support/bare-ingest.ts";

const QUOTA = 1_000;
const RATE = 900;
/** An article without metadata takes 104 bytes more than its characters. */
const QUOTA_BYTES = 1_400;
const RATE_BYTES = 2_000;
/** More than an article of these tests takes, and less than the large import. */
const RECORD_BYTES_MAX = 4_000;

const begun = (limits: Parameters<typeof bareIngest>[0], recordBytesMax = RECORD_BYTES_MAX) =>
  bareIngest(limits, recordBytesMax);

const title = "abc";
const body = (characters: number): string => "x".repeat(characters - title.length);
const large = { resourceDocId: "large", type: "DOCUMENT", content: [{ md: "y".repeat(RECORD_BYTES_MAX) }] };
const small = { resourceDocId: "small", type: "DOCUMENT", content: [{ md: "y" }] };

/** All promises that have settled have been heard. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const article = fc.nat({ max: 5 });
const characters = fc.integer({ min: 4, max: 400 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create"), characters }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("update"), article, characters }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("describe"), article, length: fc.nat({ max: 900 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("createOnce"), key: fc.nat({ max: 2 }), characters }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("upsert"), value: fc.nat({ max: 1 }), characters }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), article }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("import"), large: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("keep"), count: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({ kind: fc.constant("failAll") }),
  fc.record({ kind: fc.constant("failOne"), at: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constant("refuseNext") }),
  fc.record({ kind: fc.constant("wait"), ms: fc.integer({ min: 1, max: 40_000 }) }),
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("turn") }) },
);

const EMPTY = { title, body: "x" };
const EMPTY_BYTES = articleBytes({ ...EMPTY, metadata: { a: "" }, activeOn: [] });

/** Nothing in the log takes the articles over the quota, or a minute over the rate. Returns its state. */
function replayed(records: readonly Uint8Array[]): BotState {
  const state = emptyState();
  const keys = new Set<string>();
  const charges: { atMs: number; characters: number; bytes: number }[] = [];
  for (const [i, payload] of records.entries()) {
    const { record, binary } = decodeBotRecord(i + 1, payload);
    apply(state, record, i + 1, binary);
    expect(state.characterUsed).toBeLessThanOrEqual(QUOTA);
    const bytes = [...state.articles.values()].map(({ fields }) => articleBytes(fields));
    expect(state.articles.bytes).toBe(bytes.reduce((sum, each) => sum + each, 0));
    expect(state.articles.bytes).toBeLessThanOrEqual(QUOTA_BYTES);
    if (record.kind !== "articlePut") continue;
    charges.push({ ...record.charge, bytes: articleBytes(record.article) });
    if (record.create !== undefined) {
      expect(keys).not.toContain(record.create.key);
      keys.add(record.create.key);
    }
  }
  for (const { atMs: end } of charges) {
    const inWindow = charges.filter(({ atMs }) => atMs > end - RATE_WINDOW_MS && atMs <= end);
    expect(inWindow.reduce((sum, charge) => sum + charge.characters, 0)).toBeLessThanOrEqual(RATE);
    expect(inWindow.reduce((sum, charge) => sum + charge.bytes, 0)).toBeLessThanOrEqual(RATE_BYTES);
  }
  return state;
}

/** An article with more metadata than may be sent now, as an earlier version stored it; created with a key if one is given. */
function storedEarlier(state: BotState, { key, atMs = 1 }: { key?: string; atMs?: number } = {}): ArticleFields {
  const metadata = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`k${i}`, "v".repeat(10_000)]));
  const draft = { title, body: "x", metadata, activeOn: [] };
  const article = { id: "0".repeat(24), ...draft, createdAtMs: atMs, updatedAtMs: atMs, characterCount: 4 };
  const create = key === undefined ? {} : { create: { key: keyDigest(key), body: draftDigest(draft, false) } };
  apply(state, { kind: "articlePut", article, charge: { characters: 4, atMs: 0 }, ...create }, 1);
  return article;
}

describe("metadata that is larger than may be sent now", () => {
  it("is kept where it comes back as it was, and refused otherwise", async () => {
    const { state, log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: QUOTA }, 1_000_000);
    const { id, metadata } = storedEarlier(state);
    const backwards = Object.fromEntries(Object.entries(metadata).reverse());
    const kept = ingest.articles.update(id, { body: "y", metadata: backwards });
    const found = ingest.articles.upsert("k0", { title, body: "z", metadata });
    await turn();
    log.keep(log.waiting);
    await turn();
    log.keep(log.waiting);
    expect((await kept).article).toMatchObject({ body: "y", metadata });
    expect(await found).toMatchObject({ isNew: false, article: { body: "z" } });
    const tooLong = { violations: [{ field: "metadata", type: "maxLength" }] };
    await expect(ingest.articles.update(id, { metadata: { ...metadata, k0: "w" } })).rejects.toMatchObject(tooLong);
    const asNew = { title, body: "new", metadata: { ...metadata, k0: "other" } };
    await expect(ingest.articles.upsert("k0", asNew)).rejects.toMatchObject(tooLong);
    expect(() => ingest.articles.foresee({ id, metadata: { ...metadata, k0: "w" } })).toThrow(/65536/);
    expect(ingest.articles.foresee({ id, metadata }).charge).toBe(0);
  });

  it("is answered as before where its create is sent again with its key", async () => {
    const { state, clock, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: QUOTA }, 1_000_000);
    const { id, metadata } = storedEarlier(state, { key: "k", atMs: clock.wallMs() });
    const again = ingest.articles.create({ title, body: "x", metadata }, { idempotencyKey: "k" });
    expect(await again).toMatchObject({ article: { id, metadata }, isReplayed: true });
  });
});

describe("what writes reserve", () => {
  it("is never overshot and given back exactly, however the appends end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const bytes = { quotaBytes: QUOTA_BYTES, rateBytesPerMinute: RATE_BYTES };
        const limits = { quotaCharacters: QUOTA, rateCharactersPerMinute: RATE, ...bytes };
        const { state, log, clock, ingest } = begun(limits);
        const writes: Promise<unknown>[] = [];
        /** Errors are expected, and as the writers see them. */
        const write = (promise: Promise<unknown>): void => {
          writes.push(promise.catch(() => undefined));
        };
        const ids = (): string[] => [...state.articles.keys()];
        const oneOf = (at: number): string => ids()[at % Math.max(1, ids().length)] ?? "none";
        for (const step of steps) {
          if ("characters" in step) {
            const text = { title, body: body(step.characters) };
            if ("key" in step) write(ingest.articles.create(text, { idempotencyKey: `key-${step.key}` }));
            else if ("value" in step) write(ingest.articles.upsert("k", { ...text, metadata: { k: step.value } }));
            else if ("article" in step)
              write(ingest.articles.update(oneOf(step.article), { body: body(step.characters) }));
            else write(ingest.articles.create(text));
          } else if ("length" in step)
            write(ingest.articles.update(oneOf(step.article), { metadata: { text: "x".repeat(step.length) } }));
          else if ("article" in step) write(ingest.articles.delete(oneOf(step.article)));
          else if ("large" in step) write(ingest.importDocument(step.large ? large : small, undefined));
          else if ("count" in step) log.keep(step.count);
          else if ("at" in step) log.failOne(step.at);
          else if ("ms" in step) clock.advance(step.ms);
          else if (step.kind === "failAll") log.failAll();
          else if (step.kind === "refuseNext") log.refuseNext = true;
          else await turn();
          expect(state.characterUsed).toBeLessThanOrEqual(QUOTA);
        }
        log.refuseNext = false;
        // Those that waited for another come when that is done.
        let areDone = false;
        const all = Promise.all(writes).then(() => {
          areDone = true;
        });
        while (!areDone) {
          log.keep(log.waiting);
          await turn();
        }
        await all;
        await ingest.settled();
        const { window, byteWindow, creates, ...rest } = replayed(log.durable);
        expect(state).toMatchObject(rest);
        expect(state.byteWindow.admissions()).toEqual(byteWindow.admissions());
        const values = [...state.articles.values()].map(({ fields }) => fields.metadata.k);
        for (const value of [0, 1]) expect(values.filter((each) => each === value).length).toBeLessThanOrEqual(1);
        expect(state.window.admissions()).toEqual(window.admissions());
        expect(state.creates.all()).toEqual(creates.all());
        // Nothing is reserved any more: the window is that of the log, and the quota is filled to the last character.
        const nowMs = Math.max(state.lastChargeMs, clock.wallMs());
        const used = { characters: state.window.copy().used(nowMs), bytes: state.byteWindow.copy().used(nowMs) };
        expect(ingest.articles.rateUsed()).toMatchObject(used);
        limits.rateCharactersPerMinute = 100 * QUOTA;
        limits.rateBytesPerMinute = 100 * QUOTA_BYTES;
        const leftBytes = QUOTA_BYTES - state.articles.bytes - EMPTY_BYTES;
        if (leftBytes >= 0 && state.characterUsed + 4 <= QUOTA) {
          const tooLarge = ingest.articles.create({ ...EMPTY, metadata: { a: "y".repeat(leftBytes + 1) } });
          const told = { addedBytes: EMPTY_BYTES + leftBytes + 1, usedBytes: state.articles.bytes };
          await expect(tooLarge).rejects.toMatchObject({ code: "QUOTA_BYTES_EXCEEDED", ...told });
        }
        limits.quotaBytes = 100 * QUOTA_BYTES;
        const left = QUOTA - state.characterUsed;
        if (left < title.length + 1) return;
        const over = ingest.articles.create({ title, body: body(left + 1) });
        await expect(over).rejects.toMatchObject({ code: "QUOTA_EXCEEDED", excessCharacters: 1 });
        const filling = ingest.articles.create({ title, body: body(left) });
        log.keep(1);
        expect((await filling).characterUsed).toBe(QUOTA);
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("has the bytes of a write in flight, which another finds used", async () => {
    const { log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: QUOTA, quotaBytes: 250 });
    const create = () => ingest.articles.create(EMPTY);
    const [first, second] = [create(), create()];
    const usedBytes = 2 * articleBytes({ ...EMPTY, metadata: {}, activeOn: [] });
    await expect(create()).rejects.toMatchObject({ code: "QUOTA_BYTES_EXCEEDED", usedBytes });
    log.keep(log.waiting);
    await Promise.all([first, second]);
  });

  it("is foreseen as long as its characters or its bytes have to wait, or that they never fit", async () => {
    const rates = { quotaCharacters: QUOTA, rateCharactersPerMinute: 100, rateBytesPerMinute: 300 };
    const { log, clock, ingest } = begun(rates);
    const waitMs = (fields: object) => ingest.articles.foresee({ ...EMPTY, ...fields }).waitMs;
    const first = ingest.articles.create(EMPTY);
    clock.advance(10_000);
    const second = ingest.articles.create(EMPTY);
    expect(waitMs({})).toBe(RATE_WINDOW_MS - 10_000);
    expect(waitMs({ metadata: { text: "y".repeat(250) } })).toBeUndefined();
    expect(waitMs({ body: body(120) })).toBeUndefined();
    log.keep(log.waiting);
    await Promise.all([first, second]);
  });

  it("is one article where several with one key wait for a create that fails", async () => {
    const { state, log, ingest } = begun({ quotaCharacters: 10 * QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const create = () => ingest.articles.create({ title, body: body(100) }, { idempotencyKey: "k" });
    const [lost, ...others] = [create(), create(), create(), create()];
    log.failAll();
    await expect(lost).rejects.toMatchObject({ code: "DISK_FULL" });
    await turn();
    log.keep(log.waiting);
    const answers = await Promise.all(others);
    expect(new Set(answers.map(({ article }) => article.id)).size).toBe(1);
    expect(answers.map(({ isReplayed }) => isReplayed)).toEqual([undefined, true, true]);
    expect([state.articles.size, ingest.articles.rateUsed().characters]).toEqual([1, 100]);
  });

  it("is charged whole where an upsert finds a create in flight that then fails", async () => {
    const { state, log, ingest } = begun({ quotaCharacters: 10 * QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const upsert = () => ingest.articles.upsert("k", { title, body: body(100), metadata: { k: 1 } });
    const [lost, next, third] = [upsert(), upsert(), upsert()];
    log.failAll();
    await expect(lost).rejects.toMatchObject({ code: "DISK_FULL" });
    await turn();
    log.keep(log.waiting);
    expect([(await next).isNew, (await third).isNew]).toEqual([true, false]);
    expect([state.articles.size, state.characterUsed, ingest.articles.rateUsed().characters]).toEqual([1, 100, 100]);
  });

  it("stays reserved when an import is refused for its size", async () => {
    const { log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const first = ingest.articles.create({ title, body: body(600) });
    await expect(ingest.importDocument(large, undefined)).rejects.toBeInstanceOf(ValidationError);
    await expect(ingest.articles.create({ title, body: body(600) })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      excessCharacters: 200,
    });
    log.keep(1);
    expect((await first).characterUsed).toBe(600);
  });

  it("is gone at the very moment when the log fails, before anyone can build on it", async () => {
    const { log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const created = ingest.articles.create({ title, body: body(100) });
    log.keep(1);
    const { article } = await created;
    const lost = ingest.articles.update(article.id, { body: body(900) });
    log.failAll();
    const next = ingest.articles.update(article.id, { metadata: { kept: true } });
    log.keep(1);
    await expect(lost).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(await next).toMatchObject({
      article: { characterCount: 100, metadata: { kept: true } },
      characterUsed: 100,
    });
  });

  it("has what was taken away only when that is durable", async () => {
    const { log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const created = ingest.articles.create({ title, body: body(900) });
    log.keep(1);
    const { article } = await created;
    const shrunk = ingest.articles.update(article.id, { body: body(100) });
    await expect(ingest.articles.create({ title, body: body(200) })).rejects.toMatchObject({ excessCharacters: 100 });
    // The article itself may have its room again.
    const grown = ingest.articles.update(article.id, { body: body(1_000) });
    log.keep(2);
    expect((await shrunk).characterUsed).toBe(100);
    expect((await grown).characterUsed).toBe(1_000);
  });

  it("does not hide the wait for a version in flight behind a write that was refused alone", async () => {
    const { log, ingest } = begun({ quotaCharacters: QUOTA, rateCharactersPerMinute: 10 * QUOTA });
    const document = ingest.importDocument(small, undefined);
    log.refuseNext = true;
    await expect(ingest.register({ kind: "agentPut", name: "a", active: true })).rejects.toThrow("refused");
    let settled = false;
    const again = ingest.importDocument(small, undefined).finally(() => {
      settled = true;
    });
    await turn();
    expect(settled).toBe(false);
    log.keep(1);
    expect(await document).toBe("added");
    expect(await again).toBe("unchanged");
  });
});
