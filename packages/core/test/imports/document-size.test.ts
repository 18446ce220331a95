import { expect, it } from "vitest";
import { parseDocument } from "../../src/imports/shape.ts";
import { numbersInSlices } from "../../src/index/document-fields.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { documentBytes } from "../../src/log/document-size.ts";
import { DOCUMENT_BYTES_MAX } from "../../src/model/limits.ts";
import { slicesOf } from "../support/steps-of.ts";

const MEBIBYTE = "é".repeat(524_288);
const mebibytes = (count: number): string[] => new Array<string>(count).fill(MEBIBYTE);
const parse = (input: object) => parseDocument({ resourceDocId: "d", ...input }, () => false);

it("counts every text of a document against what one may have", () => {
  const most = DOCUMENT_BYTES_MAX / 1_048_576;
  const qna = { type: "QNA", question: "Where?", answer: "é".repeat(((most - 4) * 1_048_576) / 2) };
  // Four bytes a character: four MiB in a hundred alternatives and some.
  const alternatives = (count: number): string[] => new Array<string>(count).fill("😀".repeat(10_000));
  expect(() => parse({ ...qna, alternatives: alternatives(105) })).toThrow(
    /a document may have at most 64 MiB of text/,
  );
  expect(() => parse({ ...qna, alternatives: alternatives(104) })).not.toThrow();
  const content = mebibytes(most).map((md) => ({ md }));
  expect(() => parse({ type: "PDF", content })).not.toThrow();
  expect(() => parse({ type: "PDF", content: [...content, { md: "x" }] })).toThrow(/at most 64 MiB of text/);
});

it("reads a few of many alternatives, or of long ones, in a step", () => {
  const steps = (titles: string[]): number => {
    const document = {
      id: "d",
      type: "QNA",
      status: "active",
      metaData: {},
      content: [{ md: "So." }],
      titles,
    } as const;
    return slicesOf(numbersInSlices(cutDocument(document)));
  };
  const few = steps(["How?"]);
  expect(steps(new Array<string>(8_192).fill("x")) - few).toBeGreaterThanOrEqual(32);
  expect(steps(new Array<string>(32).fill("harbour light ".repeat(1_000))) - few).toBeGreaterThanOrEqual(32);
});

it("counts id, address, texts and metadata in UTF-8 bytes, and 100 more, whatever the status", () => {
  const bytes = (input: object): number => documentBytes(parse(input));
  const none = 100 + "d".length + "{}".length;
  expect(bytes({ type: "PDF", content: [] })).toBe(none);
  expect(bytes({ type: "PDF", content: [], status: "inactive" })).toBe(none);
  const page = { type: "WEBPAGE", url: "/ü", metaData: { a: "€" }, content: [{ md: "é" }, { md: "😀" }] };
  expect(bytes(page)).toBe(none + 3 + '"a":"€"'.length + 2 + 2 + 4);
  const qna = { type: "QNA", question: "é?", answer: "😀", alternatives: ["x", "éé"] };
  expect(bytes(qna)).toBe(none + 3 + 4 + 1 + 4);
});
