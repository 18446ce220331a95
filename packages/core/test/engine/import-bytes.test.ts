import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { Engine } from "../../src/engine.ts";
import { apply } from "../../src/log/apply.ts";
import { documentBytes } from "../../src/log/document-size.ts";
import { decodeBotRecord } from "../../src/log/record-codec.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import { ImportBytesExceededError } from "../../src/model/errors.ts";
import { RECORD_BYTES_MAX } from "../../src/model/limits.ts";
import { bareIngest } from "../support/bare-ingest.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { openCatalog } from "../support/open-catalog.ts";

const IMPORT_BYTES = 1_000;
const LIMITS = { quotaCharacters: 1_000, rateCharactersPerMinute: 1_000 };

const document = (resourceDocId: string, text: string) => ({
  resourceDocId,
  type: "DOCUMENT",
  url: "/ü",
  metaData: { title: "€" },
  content: [{ md: text }],
});
/** What a document of these counts beside its text. */
const bytesOf = (id: string, text: string): number => 100 + id.length + 3 + '{"title":"€"}'.length + 2 + text.length;

/** All promises that have settled have been heard. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const id = fc.constantFrom("a", "b");
/** Few, so that the same content comes again. */
const units = fc.constantFrom(1, 300, 500, 700);
const origin = fc.constantFrom(undefined, { source: "s" }, { source: "s", path: "p" });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("import"), id, units, origin }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("remove"), id }) },
  fc.record({ kind: fc.constant("status"), id }),
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("keep"), count: fc.integer({ min: 1, max: 2 }) }) },
  fc.record({ kind: fc.constant("failAll") }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("failOne"), at: fc.nat({ max: 3 }) }) },
  fc.record({ kind: fc.constant("refuseNext") }),
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("turn") }) },
);

/** Nothing in the log takes the documents over their bound. Returns its state. */
function replayed(records: readonly Uint8Array[]): BotState {
  const state = emptyState();
  for (const [i, payload] of records.entries()) {
    const { record, binary } = decodeBotRecord(i + 1, payload);
    apply(state, record, i + 1, binary);
    const bytes = [...state.documents.values()].map(({ document }) => documentBytes(document));
    expect(state.documents.bytes).toBe(bytes.reduce((sum, each) => sum + each, 0));
    expect(state.documents.bytes).toBeLessThanOrEqual(IMPORT_BYTES);
  }
  return state;
}

describe("the bytes that imported documents may take", () => {
  it("are never overshot and given back exactly, however the appends end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
        const { state, log, ingest } = bareIngest({ ...LIMITS, importBytes: IMPORT_BYTES }, RECORD_BYTES_MAX);
        const writes: Promise<unknown>[] = [];
        /** Errors are expected, and as the writers see them. */
        const write = (promise: Promise<unknown>): void => {
          writes.push(promise.catch(() => undefined));
        };
        for (const step of steps) {
          if ("units" in step) write(ingest.importDocument(document(step.id, "x".repeat(step.units)), step.origin));
          else if ("id" in step && step.kind === "remove") write(ingest.removeDocument(step.id));
          else if ("id" in step) write(ingest.setDocumentStatus(step.id, "inactive"));
          else if ("count" in step) log.keep(step.count);
          else if ("at" in step) log.failOne(step.at);
          else if (step.kind === "failAll") log.failAll();
          else if (step.kind === "refuseNext") log.refuseNext = true;
          else await turn();
        }
        log.refuseNext = false;
        await turn();
        log.keep(log.waiting);
        await Promise.all(writes);
        expect(state.documents).toEqual(replayed(log.durable).documents);
        // Nothing is reserved any more: the bound is filled to the last byte.
        const used = state.documents.bytes;
        const left = IMPORT_BYTES - used - bytesOf("last", "");
        if (left < 0) return;
        const over = ingest.importDocument(document("last", "x".repeat(left + 1)), undefined);
        const added = IMPORT_BYTES - used + 1;
        log.keep(1);
        await expect(over).rejects.toEqual(new ImportBytesExceededError("last", added, used, IMPORT_BYTES));
        const filling = ingest.importDocument(document("last", "x".repeat(left)), undefined);
        log.keep(1);
        expect([await filling, state.documents.bytes]).toEqual(["added", IMPORT_BYTES]);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

const FULL = { resourceDocId: "a", addedBytes: 1, importBytes: 0 };

describe("a bound that is below what the documents take", () => {
  it("refuses none that gets no larger, and all others", async () => {
    const limits: { importBytes?: number | "none" } & typeof LIMITS = { ...LIMITS };
    const { state, log, ingest } = bareIngest(limits, RECORD_BYTES_MAX);
    const brought = (text: string): Promise<unknown> => {
      const outcome = ingest.importDocument(document("a", text), undefined);
      log.keep(1);
      return outcome;
    };
    await brought("xxxx");
    limits.importBytes = 0;
    const usedBytes = state.documents.bytes;
    await expect(brought("xxxxx")).rejects.toMatchObject({ ...FULL, usedBytes });
    expect(await brought("yyyy")).toBe("replaced");
    expect(await brought("yyyy")).toBe("unchanged");
    expect(await brought("yy")).toBe("replaced");
    const smaller = { ...FULL, usedBytes: usedBytes - 2 };
    await expect(brought("yyy")).rejects.toMatchObject({ ...smaller, code: "IMPORT_BYTES_EXCEEDED" });
    limits.importBytes = "none";
    expect(await brought("yyy")).toBe("replaced");
  });
});

const IMPORTED = { resourceDocId: "a", type: "DOCUMENT", content: [{ md: "x".repeat(100) }] } as const;
const LARGER = { ...IMPORTED, content: [{ md: "x".repeat(101) }] };
const IMPORTED_BYTES = 100 + "a".length + "{}".length + 100;

async function openWith(storage?: KeptStorage): Promise<Engine> {
  const engine = await Engine.open({ embedders: {}, background: false, ...(storage !== undefined && { storage }) });
  onTestFinished(() => engine.close());
  return engine;
}

describe("the bound of a bot", () => {
  it("holds over restarts, from the log and from a snapshot, and counts exactly as before", async () => {
    const storage = new KeptStorage();
    let engine = await openWith(storage);
    const { bot } = await engine.createBot({ name: "bot", importBytes: IMPORTED_BYTES });
    const requireFull = async (): Promise<void> => {
      const opened = await engine.bot(bot.id);
      expect(await opened.importDocument(IMPORTED)).not.toBe("replaced");
      await expect(opened.importDocument(LARGER)).rejects.toMatchObject({ code: "IMPORT_BYTES_EXCEEDED" });
      const told = { importBytesUsed: IMPORTED_BYTES, importBytes: IMPORTED_BYTES };
      expect(await opened.stats()).toMatchObject({ documents: { DOCUMENT: 1 }, ...told });
    };
    await requireFull();
    for (const _ of ["log", "snapshot"]) {
      await engine.close();
      engine = await openWith(storage);
      await requireFull();
      const opened = await engine.bot(bot.id);
      await opened.setDocumentStatus("a", "inactive");
      await opened.setDocumentStatus("a", "active");
      await opened.snapshot();
    }
    const opened = await engine.bot(bot.id);
    await opened.removeDocument("a");
    expect((await opened.stats()).importBytesUsed).toBe(0);
    expect(await opened.importDocument(IMPORTED)).toBe("added");
  });

  it("is none unless one is set, and is changed at once", async () => {
    const engine = await openWith();
    const { bot } = await engine.createBot({ name: "bot" });
    expect(bot.importBytes).toBe("none");
    const opened = await engine.bot("bot");
    await opened.importDocument(IMPORTED);
    expect(await engine.updateBot("bot", { importBytes: 0 })).toMatchObject({ importBytes: 0 });
    await expect(opened.importDocument(LARGER)).rejects.toBeInstanceOf(ImportBytesExceededError);
    expect(await engine.updateBot("bot", { quotaCharacters: 5 })).toMatchObject({ importBytes: 0 });
    expect(await engine.updateBot("bot", { importBytes: "none" })).toMatchObject({ importBytes: "none" });
    expect(await opened.importDocument(LARGER)).toBe("replaced");
    const wrong = engine.updateBot("bot", JSON.parse('{"importBytes":"auto"}'));
    await expect(wrong).rejects.toMatchObject({ violations: [{ field: "importBytes" }] });
  });

  it("is kept by a backup, and refuses no restore of one that holds more", async () => {
    const engine = await openWith();
    const { bot } = await engine.createBot({ name: "bot" });
    await (await engine.bot("bot")).importDocument(IMPORTED);
    await engine.updateBot("bot", { importBytes: 7 });
    const { bot: other } = await engine.restore(engine.backup("bot"), { as: "other" });
    const elsewhere = await openWith();
    const { bot: same } = await elsewhere.restore(engine.backup("bot"));
    expect([other.importBytes, same.importBytes, same.id]).toEqual([7, 7, bot.id]);
    for (const restored of [await engine.bot("other"), await elsewhere.bot("bot")]) {
      expect(await restored.stats()).toMatchObject({ importBytesUsed: IMPORTED_BYTES, importBytes: 7 });
    }
  });

  it("changes nothing of what is stored of a bot without one, which an earlier version can then still read", async () => {
    const storage = new KeptStorage();
    const engine = await openWith(storage);
    await engine.createBot({ name: "bot", importBytes: "none" });
    await engine.close();
    const catalog = await openCatalog(storage);
    onTestFinished(() => catalog.close());
    const [settings] = catalog.all().map((entry) => Object.keys(entry.settings));
    expect(settings).toContain("quotaBytes");
    expect(settings).not.toContain("importBytes");
  });
});
