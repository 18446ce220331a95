import { expect, it } from "vitest";
import { parseDocument } from "../../src/imports/shape.ts";
import type { ContentDocumentInput, QnaDocumentInput } from "../../src/index.ts";
import { ValidationError } from "../../src/model/errors.ts";
import {
  DOCUMENT_ALTERNATIVES_MAX,
  DOCUMENT_BLOCKS_MAX,
  DOCUMENT_BYTES_MAX,
  DOCUMENT_METADATA_BYTES_MAX,
  DOCUMENT_METADATA_VALUES_MAX,
  DOCUMENT_TITLE_CHARACTERS_MAX,
  DOCUMENT_URL_CHARACTERS_MAX,
  RESOURCE_ID_CHARACTERS_MAX,
} from "../../src/model/limits.ts";

type Field = keyof ContentDocumentInput | keyof QnaDocumentInput;

const text = (length: number): string => "x".repeat(length);
const list = <Value>(length: number, value: Value): Value[] => Array.from({ length }, () => value);

/** Values at each maximum of a field and one beyond it; all fields, which the types make sure of. */
const MAXIMA: Readonly<Record<Field, readonly (readonly [at: unknown, beyond: unknown])[]>> = {
  resourceDocId: [[text(RESOURCE_ID_CHARACTERS_MAX), text(RESOURCE_ID_CHARACTERS_MAX + 1)]],
  type: [],
  status: [["inactive", text(1_000_000)]],
  url: [[text(DOCUMENT_URL_CHARACTERS_MAX), text(DOCUMENT_URL_CHARACTERS_MAX + 1)]],
  metaData: [
    [{ title: text(DOCUMENT_TITLE_CHARACTERS_MAX) }, { title: text(DOCUMENT_TITLE_CHARACTERS_MAX + 1) }],
    [{ list: list(DOCUMENT_METADATA_VALUES_MAX - 1, 1) }, { list: list(DOCUMENT_METADATA_VALUES_MAX, 1) }],
    [
      { a: text(DOCUMENT_METADATA_BYTES_MAX - '{"a":""}'.length) },
      { a: text(DOCUMENT_METADATA_BYTES_MAX - '{"a":""}'.length + 1) },
    ],
    [{ a: 1 }, { [text(DOCUMENT_METADATA_BYTES_MAX)]: 1 }],
  ],
  content: [
    [list(DOCUMENT_BLOCKS_MAX, { md: "x" }), list(DOCUMENT_BLOCKS_MAX + 1, { md: "x" })],
    [[{ md: text(DOCUMENT_BYTES_MAX) }], [{ md: text(DOCUMENT_BYTES_MAX + 1) }]],
  ],
  question: [[text(DOCUMENT_TITLE_CHARACTERS_MAX), text(DOCUMENT_TITLE_CHARACTERS_MAX + 1)]],
  answer: [[text(DOCUMENT_BYTES_MAX - 1), text(DOCUMENT_BYTES_MAX + 1)]],
  alternatives: [
    [list(DOCUMENT_ALTERNATIVES_MAX, "x"), list(DOCUMENT_ALTERNATIVES_MAX + 1, "x")],
    [[text(DOCUMENT_TITLE_CHARACTERS_MAX)], [text(DOCUMENT_TITLE_CHARACTERS_MAX + 1)]],
  ],
};

const CONTENT = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "x" }] };
const QNA = { resourceDocId: "q", type: "QNA", question: "x", answer: "x" };
const OF_QNA: ReadonlySet<string> = new Set(["question", "answer", "alternatives"]);

const CASES = Object.entries(MAXIMA).flatMap(([field, pairs]) =>
  pairs.map(([at, beyond], i) => [field, i, at, beyond] as const),
);

it.each(CASES)("an imported document has a maximum of its %s (%i)", (field, _i, at, beyond) => {
  const whole = OF_QNA.has(field) ? QNA : CONTENT;
  const read = (value: unknown) => parseDocument({ ...whole, [field]: value }, () => false);
  expect(() => read(at)).not.toThrow();
  expect(() => read(beyond)).toThrow(ValidationError);
});
