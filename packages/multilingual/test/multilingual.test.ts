import type { Embedder } from "@loredex/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, encoder } from "../../encoder/test/runtime.ts";
import { shipsWholeModel } from "../../encoder/test/shipped-model.ts";
import { MULTILINGUAL, openMultilingual, TEXT_UNITS_MAX } from "../src/multilingual.ts";
import { bias, MEANING_MAX } from "../src/noise.ts";
import { AXIS_OF_VERSION, NOISE_AXIS } from "../src/noise-axis.ts";
import { SMALL_TALK_AXIS_OF } from "../src/small-talk-axis.ts";
import { manifest, readVectors } from "./model-files.ts";

shipsWholeModel(MULTILINGUAL);

const prepared = (text: string, kind: "question" | "passage"): string | undefined =>
  MULTILINGUAL.prepared?.(text, kind);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("what the model is given of a text", () => {
  it("begins with what it was taught, and has one form of every sign", () => {
    expect(prepared("Straße", "question")).toBe("query: Straße");
    expect(prepared("ﬁnd ｆｕｌｌ e\u0301", "passage")).toBe("passage: find full é");
  });

  it("has no marks that say nothing, in questions and passages alike", () => {
    for (const kind of ["question", "passage"] as const) {
      expect(prepared("\u200fשלום\u200e pass\u00adword\u2060s \u2068x\u2069", kind)).toBe(
        prepared(" שלום  passwords x", kind),
      );
      expect(prepared("\ufeffone\u200btwo", kind)).toBe(prepared(" one two", kind));
      expect(prepared("می\u200cخواهم क्\u200dष", kind)).toContain("می\u200cخواهم क्\u200dष");
    }
  });

  it("is its beginning, and marks without end take no longer than others", () => {
    expect(prepared("a".repeat(TEXT_UNITS_MAX * 3), "passage")?.length).toBe(TEXT_UNITS_MAX + "passage: ".length);
    expect(prepared(`e${"\u0301".repeat(1_000_000)}`, "passage")?.length).toBeLessThanOrEqual(TEXT_UNITS_MAX + 9);
  });
});

describe("what a cosine is worth", () => {
  it("is from 0 to 1 and never falls as the cosine rises", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1.01, max: 1.01, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (low, more) => {
          const [first, second] = [MULTILINGUAL.calibrate(low), MULTILINGUAL.calibrate(low + more)];
          expect(first).toBeGreaterThanOrEqual(0);
          expect(second).toBeGreaterThanOrEqual(first);
          expect(second).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("what the cosines of a question have too much", () => {
  it("is told by an axis that was found with this version of the model", async () => {
    expect(AXIS_OF_VERSION).toBe((await manifest()).version);
    expect(SMALL_TALK_AXIS_OF).toBe((await manifest()).version);
  });

  it("grows with what lies along the axis, and is nothing up to a bound that most questions keep", () => {
    const codes = Int8Array.from(Buffer.from(NOISE_AXIS, "base64"));
    const along = (share: number): Float32Array =>
      Float32Array.from(codes, (code) => (share * code) / Math.hypot(...codes));
    expect(codes).toHaveLength(376);
    expect(bias(along(0))).toBe(0);
    expect(bias(along(MEANING_MAX - 1e-3))).toBe(0);
    expect(bias(along(MEANING_MAX + 0.1))).toBeCloseTo(0.3, 5);
    expect(bias(along(-1))).toBe(0);
  });
});

describe.skipIf(encoder.isMissing)(encoder.named("vectors of the real model"), () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openMultilingual({ workers: 1 });
  });
  afterAll(() => embedder.close());

  it("are those of the same graph in Python, but for its runtime's rounding, and close to those of the source", async () => {
    const all = await readVectors();
    // The source takes a space of no width for a sign that it does not know, and has a vector of that.
    const rows = all.filter(({ text }) => prepared(text, "passage") === `passage: ${text.normalize("NFKC")}`);
    expect(all.length - rows.length).toBe(1);
    const vectors = await embedder.embedPassages(rows.map((row) => row.text));
    const to = (which: "shipped" | "source") =>
      rows.map((row, at) => cosine(vectors[at] ?? new Float32Array(), row[which]));
    expect(Math.min(...to("shipped"))).toBeGreaterThan(0.99);
    expect(meanOf(to("shipped"))).toBeGreaterThan(0.999);
    expect(meanOf(to("source"))).toBeGreaterThan(0.97);
  });

  it("are near where the meaning is, whatever the language, and are worth nothing for noise", async () => {
    const [question, noise] = [
      await embedder.embedQuery("Wie lange dauert es, bis ich mein Geld zurückbekomme?"),
      await embedder.embedQuery("wqkjd xcvbnq"),
    ];
    const [refund, train] = await embedder.embedPassages([
      "Refunds are paid within fourteen days after we have received the returned goods.",
      "The train leaves the harbour at noon.",
    ]);
    const worth = (one: Float32Array, other: Float32Array = new Float32Array()): number | undefined =>
      embedder.calibrate?.(cosine(one, other) - (embedder.bias?.(one) ?? 0));
    expect(worth(question, refund)).toBeGreaterThan(0.3);
    expect(worth(question, train)).toBeLessThan(0.2);
    expect(worth(noise, refund)).toBeLessThan(0.1);
  });

  it.each(["asdkjh qwpeoi", "wqkjd xcvbnq", "lkjasdf lkjasdf", "ааыва олдж", "hcim ergfat treetwew nnaw"])(
    "have too much for what is typed at random: %s",
    async (noise) => {
      expect(embedder.bias?.(await embedder.embedQuery(noise))).toBeGreaterThan(0.04);
    },
  );

  it.each(["Hallo, wie geht es dir?", "Danke", "Vous êtes un robot ?", "good morning", "muchas gracias", "你是谁？"])(
    "are those of small talk for greetings and thanks: %s",
    async (text) => {
      expect(embedder.smallTalk?.(await embedder.embedQuery(text))).toBeGreaterThan(0.3);
    },
  );

  it.each([
    "Ich möchte mein Geld zurück",
    "Wie kan ich mein Paswort zurüksetzen",
    "Passwort",
    "E1042",
    "iPhone 14 Pro Max",
    "¿Cuánto tarda en llegar lo que compré?",
    "機械が壊れたときはどうすればいいですか",
    "لا أريد أن أدفع كل شهر بعد الآن",
    "मेरा सामान कब पहुँचेगा?",
    "როგორ შევცვალო პაროლი?",
  ])("have nothing too much for a question, in any script, which is no small talk: %s", async (question) => {
    const vector = await embedder.embedQuery(question);
    expect(embedder.bias?.(vector)).toBe(0);
    expect(embedder.smallTalk?.(vector)).toBeLessThan(0.1);
  });
});
