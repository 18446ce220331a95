import type { MissKind } from "../evaluation/evaluation.ts";
import { QUERY_CHARACTERS_MAX, RESOURCE_ID_CHARACTERS_MAX, RUN_MISSES_UNITS_MAX, TOP_K_MAX } from "../model/limits.ts";
import { QUALITIES } from "../model/options.ts";
import { type Fields, isFields, own, Violations } from "../model/validation.ts";
import type { StoredRun } from "./insights-state.ts";
import type { ChangedQuestion, NearestDocument, Run, RunComparison, RunInput, RunMiss, RunSummary } from "./types.ts";

const MISS_FIELDS = new Set(["index", "question", "kind", "expected", "found"]);
const EXPECTED_FIELDS = new Set(["id", "gain", "lines", "outcome", "rank", "score"]);
const FOUND_FIELDS = new Set(["id", "type", "title", "score", "start", "stop", "text"]);
const MISS_KINDS: readonly MissKind[] = ["unknownDocument", "notFound", "notFirst", "wrongLines"];
const FIELDS = new Set(["questions", "topK", "measures", "unknownDocuments", "misses", "at", "quality", "vocabulary"]);
const MEASURES = ["ndcgAt10", "mrrAt10", "recallAt10", "recallAt100"] as const;
const OF_LINES = ["questions", "firstPart", "anyPart"] as const;
/** Documents of one miss that are kept: expected ones, and found ones. */
const DOCUMENTS_MAX = 10;
const TITLE_UNITS_MAX = 200;
/** The latest instant of a Date, in milliseconds. */
const TIME_MAX = 8.64e15;
/** Questions and misses of one run. */
const [COUNT_MAX, MISSES_MAX] = [1_000_000, 100_000];

/**
 * Validates an evaluation to keep, and takes out of it what a run keeps. Its id is given when it is kept.
 * @param nowMs the time of a run that names none
 * @throws ValidationError naming every broken rule
 */
export function storedRun(input: RunInput, nowMs: number): StoredRun {
  const violations = new Violations();
  const fields = violations.object("run", input);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const questions = violations.number("questions", own(fields, "questions"), {
    min: 0,
    max: COUNT_MAX,
    isInteger: true,
  });
  const measures = measuresOf(own(fields, "measures"), violations);
  const quality = optional(own(fields, "quality"), (value) => violations.oneOf("quality", value, QUALITIES));
  const vocabulary = optional(own(fields, "vocabulary"), (value) => violations.boolean("vocabulary", value));
  const at = optional(own(fields, "at"), (value) => timeOf(value, violations)) ?? nowMs;
  violations.number("topK", own(fields, "topK"), { min: 1, max: TOP_K_MAX, isInteger: true });
  const unknown = own(fields, "unknownDocuments");
  if (!Array.isArray(unknown)) violations.add("unknownDocuments", "array", "unknownDocuments must be a list of ids");
  const given = own(fields, "misses");
  if (!Array.isArray(given)) violations.add("misses", "array", "misses must be a list, as evaluate gives it");
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  if (list.length > MISSES_MAX) violations.add("misses", "maxItems", `misses must have at most ${MISSES_MAX} entries`);
  const all = list.slice(0, MISSES_MAX).map((miss, i) => missOf(miss, `misses.${i}`, violations));
  violations.throwIfAny();
  const misses = within(all.filter((miss) => miss !== undefined));
  return {
    summary: {
      id: "",
      at: new Date(at).toISOString(),
      questions: questions ?? 0,
      missed: all.length,
      measures,
      ...(quality === undefined ? {} : { quality }),
      ...(vocabulary === undefined ? {} : { vocabulary }),
    },
    misses,
    units: JSON.stringify(misses).length,
  };
}

/** A kept run as callers see it. */
export function runOf({ summary, misses }: StoredRun): Run {
  return { ...summary, misses };
}

/**
 * What got better and worse from a run to a later one. A question that only one of them asked is compared as right in the other. A question is in neither
 * list if the other run's misses were cut: its outcome there is unknown.
 */
export function comparison(before: StoredRun, after: StoredRun): RunComparison {
  const [earlier, later] = [outcomesOf(before), outcomesOf(after)];
  const better: ChangedQuestion[] = [];
  const worse: ChangedQuestion[] = [];
  let unknown = 0;
  for (const question of new Set([...earlier.kinds.keys(), ...later.kinds.keys()])) {
    const [was, is] = [earlier.kinds.get(question) ?? earlier.others, later.kinds.get(question) ?? later.others];
    if (was === "unknown" || is === "unknown") {
      unknown += 1;
      continue;
    }
    const rise = RANKS.indexOf(is) - RANKS.indexOf(was);
    if (rise !== 0) (rise > 0 ? better : worse).push({ question, before: was, after: is });
  }
  const change = (of: (summary: RunSummary) => number): number => of(after.summary) - of(before.summary);
  return {
    measures: {
      ndcgAt10: change(({ measures }) => measures.ndcgAt10),
      mrrAt10: change(({ measures }) => measures.mrrAt10),
      recallAt10: change(({ measures }) => measures.recallAt10),
    },
    better,
    worse,
    unknown: Math.max(unknown, earlier.cut, later.cut),
  };
}
interface Outcomes {
  /** Of the missed questions that were kept, by question. */
  readonly kinds: ReadonlyMap<string, MissKind>;
  /** Of all other questions. */
  readonly others: "right" | "unknown";
  /** Misses that were cut. */
  readonly cut: number;
}

function outcomesOf({ misses, summary }: StoredRun): Outcomes {
  const cut = summary.missed - misses.length;
  const kinds = new Map(misses.map(({ question, kind }) => [question, kind]));
  return { kinds, others: cut > 0 ? "unknown" : "right", cut };
}

/** From the worst outcome to the best. */
const RANKS: readonly (MissKind | "right")[] = [...MISS_KINDS, "right"];

function optional<Value>(given: unknown, read: (value: unknown) => Value): Value | undefined {
  return given === undefined ? undefined : read(given);
}

function timeOf(value: unknown, violations: Violations): number | undefined {
  const ms = typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/u.test(value) ? Date.parse(value) : Number.NaN;
  if (Math.abs(ms) <= TIME_MAX) return ms;
  violations.add("at", "date", "at must be an instant, such as 2026-11-28T12:00:00Z");
  return undefined;
}

function measuresOf(value: unknown, violations: Violations): RunSummary["measures"] {
  const fields = violations.object("measures", value) ?? {};
  const share = (name: string, from: Fields, field: string): number =>
    violations.number(field, own(from, name), { min: 0, max: 1, isInteger: false }) ?? 0;
  const [ndcgAt10, mrrAt10, recallAt10] = MEASURES.slice(0, 3).map((name) => share(name, fields, `measures.${name}`));
  const lines = optional(own(fields, "lines"), (given) => violations.object("measures.lines", given));
  violations.unknownFields(fields, new Set([...MEASURES, "lines"]), "measures.");
  if (lines !== undefined) violations.unknownFields(lines, new Set(OF_LINES), "measures.lines.");
  const ofLines = lines && {
    questions:
      violations.number("measures.lines.questions", own(lines, "questions"), {
        min: 0,
        max: COUNT_MAX,
        isInteger: true,
      }) ?? 0,
    firstPart: share("firstPart", lines, "measures.lines.firstPart"),
    anyPart: share("anyPart", lines, "measures.lines.anyPart"),
  };
  return {
    ndcgAt10: ndcgAt10 ?? 0,
    mrrAt10: mrrAt10 ?? 0,
    recallAt10: recallAt10 ?? 0,
    ...(own(fields, "recallAt100") === undefined
      ? {}
      : { recallAt100: share("recallAt100", fields, "measures.recallAt100") }),
    ...(ofLines === undefined ? {} : { lines: ofLines }),
  };
}

function missOf(value: unknown, field: string, violations: Violations): RunMiss | undefined {
  const fields = violations.object(field, value);
  if (fields === undefined) return undefined;
  violations.unknownFields(fields, MISS_FIELDS, `${field}.`);
  const index = violations.number(`${field}.index`, own(fields, "index"), { min: 0, max: COUNT_MAX, isInteger: true });
  const question = violations.string(`${field}.question`, own(fields, "question"), {
    min: 1,
    max: QUERY_CHARACTERS_MAX,
  });
  const kind = violations.oneOf(`${field}.kind`, own(fields, "kind"), MISS_KINDS);
  const expected = documentsIn(fields, "expected", EXPECTED_FIELDS, field, violations);
  const found = documentsIn(fields, "found", FOUND_FIELDS, field, violations);
  return {
    index: index ?? 0,
    question: question ?? "",
    kind: kind ?? "notFound",
    expected: expected.map(({ id, outcome, rank }) => ({
      id: String(id),
      outcome: typeof outcome === "string" ? outcome.slice(0, TITLE_UNITS_MAX) : "unknown",
      ...(typeof rank === "number" ? { rank } : {}),
    })),
    found: found.map(foundOf),
  };
}

function foundOf({ id, title, score }: Fields): NearestDocument {
  return {
    id: String(id),
    ...(typeof title === "string" ? { title: title.slice(0, TITLE_UNITS_MAX) } : {}),
    score: typeof score === "number" ? score : 0,
  };
}

/** The first documents of a list of a miss. */
function documentsIn(
  miss: Fields,
  name: string,
  known: ReadonlySet<string>,
  field: string,
  violations: Violations,
): Fields[] {
  const given = own(miss, name);
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  if (list !== given) violations.add(`${field}.${name}`, "array", `${field}.${name} must be a list of documents`);
  const documents = list.slice(0, DOCUMENTS_MAX).filter(isFields);
  for (const [i, document] of documents.entries()) {
    violations.unknownFields(document, known, `${field}.${name}.${i}.`);
    violations.string(`${field}.${name}.${i}.id`, own(document, "id"), { min: 1, max: RESOURCE_ID_CHARACTERS_MAX });
  }
  return documents;
}

/** A run that keeps only the outcomes of its missed questions. */
export function withoutDocuments(run: StoredRun): StoredRun {
  if (run.misses.every(({ expected, found }) => expected.length + found.length === 0)) return run;
  const misses = run.misses.map(bare);
  return { ...run, misses, units: JSON.stringify(misses).length };
}

/** A run that keeps only the number of its misses. */
export function withoutMisses(run: StoredRun): StoredRun {
  return { ...run, misses: [], units: 0 };
}

/** The first misses that fit into a run. The documents of later ones make room first, so that the outcome of as many questions as possible is known. */
function within(misses: readonly RunMiss[]): RunMiss[] {
  const unitsOf = (miss: RunMiss): number => JSON.stringify(miss).length + 1;
  const kept: RunMiss[] = [];
  let units = 2;
  for (const miss of misses) {
    units += unitsOf(bare(miss));
    if (units > RUN_MISSES_UNITS_MAX) break;
    kept.push(miss);
  }
  units = kept.reduce((sum, miss) => sum + unitsOf(bare(miss)), 2);
  const end = kept.findIndex((miss) => {
    units += unitsOf(miss) - unitsOf(bare(miss));
    return units > RUN_MISSES_UNITS_MAX;
  });
  return end < 0 ? kept : [...kept.slice(0, end), ...kept.slice(end).map(bare)];
}

/** A miss without its documents. */
function bare({ index, question, kind }: RunMiss): RunMiss {
  return { index, question, kind, expected: [], found: [] };
}
