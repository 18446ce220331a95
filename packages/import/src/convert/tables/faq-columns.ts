import { DOCUMENT_ALTERNATIVES_MAX, DOCUMENT_TITLE_CHARACTERS_MAX } from "@loredex/core";
import type { ConvertedFaq } from "../conversion.ts";
import type { Headed } from "./header.ts";

/** Names of columns with questions or answers, in lower case. */
const QUESTION = new Set(["question", "questions", "q", "faq", "frage", "pregunta", "domanda", "pergunta", "vraag"]);
const ANSWER = new Set([
  "answer",
  "answers",
  "a",
  "response",
  "antwort",
  "réponse",
  "respuesta",
  "risposta",
  "resposta",
  "antwoord",
]);
const ALTERNATIVES =
  /^(?:alternatives?|alternate|alternative (?:questions?|wordings?)|other (?:questions?|wordings?)|variants?|variations?|synonyms?|also asked(?: as)?|question variants?)(?: ?\d{1,3})?$/;

interface FaqColumns {
  readonly question: number;
  readonly answer: number;
  readonly alternatives: readonly number[];
  /** Names of all other columns. */
  readonly others: readonly string[];
}

/** Finds the columns of questions and answers; undefined for any other table. */
function faqColumns(header: readonly string[]): FaqColumns | undefined {
  const names = header.map((name) =>
    name
      .toLowerCase()
      .replace(/[\s_-]+/g, " ")
      .trim(),
  );
  const question = names.findIndex((name) => QUESTION.has(name) || name === "question text" || name === "question en");
  const answer = names.findIndex((name) => ANSWER.has(name) || name === "answer text");
  if (question < 0 || answer < 0) return undefined;
  const alternatives = names.flatMap((name, i) => (ALTERNATIVES.test(name) ? [i] : []));
  const isOther = (i: number): boolean => i !== question && i !== answer && !alternatives.includes(i);
  return { question, answer, alternatives, others: header.filter((name, i) => isOther(i) && name !== "") };
}

/** A question with its answer, and their position. */
export interface TableFaq extends Omit<ConvertedFaq, "metaData"> {
  /** Row number, from 1. */
  readonly row: number;
  /** Line breaks in the row's cells before the answer. */
  readonly linesAbove: number;
}

/** The questions with answers of a table, and notes on rows and columns left out. */
export interface TableFaqs {
  readonly faqs: readonly TableFaq[];
  readonly notes: readonly string[];
}

/** Reads a table as questions with answers; undefined if it has no columns for them. `where` begins each note. */
export function faqsOf({ header, rows }: Headed, where: string): TableFaqs | undefined {
  const columns = header === undefined ? undefined : faqColumns(header);
  if (columns === undefined) return undefined;
  const faqs: TableFaq[] = [];
  const notes: string[] = [];
  const { others } = columns;
  if (others.length > 0) {
    const named = others.slice(0, 10).join(", ");
    notes.push(
      `${where}questions and answers were taken; other columns were left out: ${named}${others.length > 10 ? ", ..." : ""}`,
    );
  }
  for (const { number, cells } of rows) {
    const question = (cells[columns.question] ?? "").replace(/\s+/g, " ").trim();
    const answer = (cells[columns.answer] ?? "").trim();
    const problem = problemOf(question, answer);
    if (problem !== undefined) notes.push(`${where}row ${number} was left out: ${problem}`);
    else
      faqs.push({
        question,
        answer,
        row: number,
        linesAbove: breaksIn(cells.slice(0, columns.answer)),
        ...alternativesOf(
          columns.alternatives.map((i) => cells[i] ?? ""),
          question,
        ),
      });
  }
  return { faqs, notes };
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
}

function problemOf(question: string, answer: string): string | undefined {
  if (question === "") return "it has no question";
  if (answer === "") return "it has no answer";
  const max = DOCUMENT_TITLE_CHARACTERS_MAX;
  return [...question].length > max ? `its question has more than ${max} characters` : undefined;
}

/** Reads question variants. A cell may hold several, on separate lines or separated by bars. */
function alternativesOf(cells: readonly string[], question: string): Pick<ConvertedFaq, "alternatives"> {
  const wordings = new Set(
    cells.flatMap((cell) => cell.split(/[|\n]/)).map((text) => text.replace(/\s+/g, " ").trim()),
  );
  const own = [...wordings].filter(
    (text) => text !== "" && text !== question && text.length <= DOCUMENT_TITLE_CHARACTERS_MAX,
  );
  return own.length === 0 ? {} : { alternatives: own.slice(0, DOCUMENT_ALTERNATIVES_MAX) };
}
