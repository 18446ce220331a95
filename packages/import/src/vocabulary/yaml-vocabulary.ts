import type { Vocabulary } from "@loredex/core";
import { isNode, LineCounter, parseDocument, stringify } from "yaml";
import { repeatedKey } from "../convert/markdown/front-matter.ts";
import { tooDeepLine } from "../convert/markdown/yaml-nesting.ts";
import { type RawVocabulary, UnreadableVocabulary } from "./raw-vocabulary.ts";

/** Aliases multiply: a vocabulary needs none. */
const ALIASES_MAX = 100;

/** A value that begins with `*`, as a pattern of a question may: YAML takes it for an alias. */
const STARRED = /(?:^|[:[,-]\s+)\*/;

/**
 * Reads a vocabulary in YAML. Each value is text: `404` and `no` are words here.
 * @throws UnreadableVocabulary
 */
export function readYamlVocabulary(text: string): RawVocabulary {
  const deep = tooDeepLine(text);
  if (deep !== undefined) throw problem(deep, "this is nested too deeply for a vocabulary");
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    schema: "failsafe",
    // The library compares each key with all before it.
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error !== undefined)
    throw problem(lineAt(error.pos[0]), `no valid YAML: ${error.message}${hint(text, lineAt(error.pos[0]))}`);
  const again = repeatedKey(document);
  if (again !== undefined) throw problem(lineAt(again), "the key stands twice in one map; put its entries together");
  return {
    value: withoutEmpty(plainValue(document, text)),
    lineOf: (path) => {
      for (let count = path.length; count > 0; count--) {
        const node = document.getIn(path.slice(0, count).map(indexOf), true);
        if (isNode(node) && node.range != null) return lineAt(node.range[0]);
      }
      return 1;
    },
  };
}

/** Writes a vocabulary in YAML. A list without an entry is left out. */
export function writeYamlVocabulary(vocabulary: Vocabulary): string {
  const filled = Object.entries(vocabulary).filter(([, list]) => list.length > 0);
  return stringify(Object.fromEntries(filled), { lineWidth: 0 });
}

function plainValue(document: { toJS(options: { maxAliasCount: number }): unknown }, text: string): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    const line = text.split("\n").findIndex((each) => STARRED.test(each)) + 1;
    throw problem(Math.max(1, line), `${error instanceof Error ? error.message : String(error)}${hint(text, line)}`);
  }
}

function hint(text: string, line: number): string {
  return STARRED.test(text.split("\n")[line - 1] ?? "")
    ? '; put a text that begins with * in quotes: "* refund *"'
    : "";
}

/** A key without a value has the empty text as its value. It counts as absent, and an empty file as an empty vocabulary. */
function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, list]) => list !== ""));
}

/** Indexes of lists are numbers; a path has them as text. */
function indexOf(name: string): string | number {
  return /^\d+$/.test(name) ? Number(name) : name;
}

function problem(line: number, message: string): UnreadableVocabulary {
  return new UnreadableVocabulary([{ line, message }]);
}
