import { describe, expect, it } from "vitest";
import { apply } from "../../src/log/apply.ts";
import { decodeBotRecord, encodeRecord } from "../../src/log/record-codec.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import type { BotRecord } from "../../src/model/records.ts";

const SPACE = { id: "fake", version: "1", dimensions: 2 };

type Vectors = Extract<BotRecord, { readonly kind: "vectors" }>;

function vectors(given: Partial<Vectors> = {}): Vectors {
  const first = given.first ?? 0;
  return { kind: "vectors", id: "d", version: 1, space: SPACE, texts: 1, encoding: "int8", count: 1, ...given, first };
}

/** A state with one document, whose version is 1. */
function withDocument(): BotState {
  const state = emptyState();
  put(state, 1);
  return state;
}

function put(state: BotState, sequence: number, contentHash = String(sequence)): string {
  const document = {
    resourceDocId: "d",
    type: "DOCUMENT",
    status: "active",
    metaData: {},
    content: [{ md: "x" }],
  } as const;
  return apply(state, { kind: "documentPut", document, contentHash, source: `source ${sequence}` }, sequence).kind;
}

function codesOf(state: BotState): number[] | undefined {
  const stored = state.vectors.get("d");
  return stored === undefined ? undefined : [...stored.codes];
}

/** Through its bytes, as a replay reads it. */
function replay(state: BotState, record: Vectors, codes: readonly number[]): string {
  const bytes = encodeRecord(
    record,
    Uint8Array.from(codes, (code) => code & 255),
  );
  const decoded = decodeBotRecord(2, bytes);
  return apply(state, decoded.record, 2, decoded.binary).kind;
}

describe("vectors in the log", () => {
  it("stay when another source brings the same content", () => {
    const state = withDocument();
    replay(state, vectors(), [1, 2]);
    expect(put(state, 3, "1")).toBe("none");
    expect(codesOf(state)).toEqual([1, 2]);
    expect(state.documents.get("d")).toMatchObject({ version: 1, origin: { source: 3 } });
    expect(put(state, 4)).toBe("index");
    expect(codesOf(state)).toBeUndefined();
  });

  it("become the document's, also in several records", () => {
    const state = withDocument();
    expect(replay(state, vectors(), [127, -1])).toBe("vectors");
    expect(replay(state, vectors({ first: 1, count: 2 }), [-127, 2, 3, 4])).toBe("vectors");
    expect(codesOf(state)).toEqual([127, -1, -127, 2, 3, 4]);
    expect(replay(state, vectors(), [5, 6])).toBe("vectors");
    expect(codesOf(state)).toEqual([5, 6]);
  });

  it.each([
    ["of a version that is gone", vectors({ version: 7 }), [1, 2]],
    ["of a document that is gone", vectors({ id: "other" }), [1, 2]],
    ["that leave a gap", vectors({ first: 2 }), [1, 2]],
    ["of another space, which do not begin", vectors({ first: 1, space: { ...SPACE, version: "2" } }), [1, 2]],
    ["of texts made in another way, which do not begin", vectors({ first: 1, texts: 2 }), [1, 2]],
    ["of another length than they say", vectors({ count: 2 }), [1, 2, 3]],
  ])("are passed over: those %s", (_name, record, codes) => {
    const state = withDocument();
    replay(state, vectors(), [9, 9]);
    expect(replay(state, record, codes)).toBe("none");
    expect(codesOf(state)).toEqual([9, 9]);
    expect(state.vectors.size).toBe(1);
  });

  it("of a long document are not copied for each of its records, and never change under those who look at them", () => {
    const state = withDocument();
    const records = 4_000;
    const fragments = new Set<ArrayBufferLike>();
    let copied = 0;
    let seen: Int8Array | undefined;
    for (let first = 0; first < records; first++) {
      replay(state, vectors({ first }), [first & 127, 1]);
      const { codes } = state.vectors.get("d") ?? {};
      if (codes === undefined || fragments.has(codes.buffer)) continue;
      copied += codes.length;
      fragments.add(codes.buffer);
      seen = codes;
    }
    expect(codesOf(state)?.slice(-4)).toEqual([(records - 2) & 127, 1, (records - 1) & 127, 1]);
    expect(codesOf(state)).toHaveLength(2 * records);
    expect(copied).toBeLessThan(12 * 2 * records);
    const before = [...(seen ?? [])];
    replay(state, vectors({ first: records }), [5, 5]);
    expect([...(seen ?? [])]).toEqual(before);
    // From the beginning again, as another run of the same embedder may make them.
    const last = state.vectors.get("d")?.codes;
    replay(state, vectors({ first: 0 }), [9, 9]);
    expect(codesOf(state)).toEqual([9, 9]);
    expect(last?.[0]).toBe(0);
  });

  it("go with their version", () => {
    const replaced = withDocument();
    replay(replaced, vectors(), [1, 2]);
    put(replaced, 3);
    expect(codesOf(replaced)).toBeUndefined();
    const deleted = withDocument();
    replay(deleted, vectors(), [1, 2]);
    apply(deleted, { kind: "documentDelete", id: "d" }, 3);
    expect(codesOf(deleted)).toBeUndefined();
    const switched = withDocument();
    replay(switched, vectors(), [1, 2]);
    apply(switched, { kind: "documentStatus", id: "d", status: "inactive" }, 3);
    expect(codesOf(switched)).toEqual([1, 2]);
  });
});
