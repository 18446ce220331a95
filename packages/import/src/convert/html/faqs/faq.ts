import type { HtmlNode } from "../tree.ts";

/** A question of a page, with what is written below it. */
export interface PageFaq {
  readonly question: string;
  /** Markdown. */
  readonly answer: string;
}

/** Nodes that question and answer stand in. */
export interface VisibleFaq {
  readonly question: string;
  readonly answer: readonly HtmlNode[];
  /** What leaves the page with them. */
  readonly holders: readonly HtmlNode[];
}

/** Longer ones are no questions. */
export const QUESTION_CHARACTERS_MAX = 500;

export function isQuestion(text: string): boolean {
  return text.length <= QUESTION_CHARACTERS_MAX && /[?？؟]["”»)]?$/u.test(text);
}

/** A heading or a title that says that questions with answers follow. */
export function tellsOfFaqs(text: string): boolean {
  return FAQ_TITLE.test(text.slice(0, 200));
}
const FAQ_TITLE =
  /\bfaqs?\b|\bf\.a\.q|frequently asked|common questions|questions (?:and|&) answers|\bq ?& ?a\b|häufig(?:e|er|en)? (?:gestellte )?fragen|fragen und antworten|foire aux questions|questions (?:fréquentes|fréquemment)|preguntas (?:frecuentes|más frecuentes)|domande (?:frequenti|più frequenti)|perguntas frequentes|veelgestelde vragen|vanliga frågor|często zadawane|часто задаваемые|вопросы и ответы|よくある(?:ご)?質問|常见问题|자주 묻는 질문/iu;
