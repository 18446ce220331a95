import type { HtmlNode } from "../tree.ts";

/** A question of a page, with its answer. */
export interface PageFaq {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
}

/** Nodes that hold the question and the answer. */
export interface VisibleFaq {
  readonly question: string;
  readonly answer: readonly HtmlNode[];
  /** Nodes that are removed from the page with them. */
  readonly holders: readonly HtmlNode[];
}

/** Longer texts are no questions. */
export const QUESTION_CHARACTERS_MAX = 500;

export function isQuestion(text: string): boolean {
  return text.length <= QUESTION_CHARACTERS_MAX && /[?？؟]["”»)]?$/u.test(text);
}

/** True for a heading or title that announces questions with answers. */
export function tellsOfFaqs(text: string): boolean {
  return FAQ_TITLE.test(text.slice(0, 200));
}
const FAQ_TITLE =
  /\bfaqs?\b|\bf\.a\.q|frequently asked|common questions|questions (?:and|&) answers|\bq ?& ?a\b|häufig(?:e|er|en)? (?:gestellte )?fragen|fragen und antworten|foire aux questions|questions (?:fréquentes|fréquemment)|preguntas (?:frecuentes|más frecuentes)|domande (?:frequenti|più frequenti)|perguntas frequentes|veelgestelde vragen|vanliga frågor|często zadawane|часто задаваемые|вопросы и ответы|よくある(?:ご)?質問|常见问题|자주 묻는 질문/iu;
