import { isObject, isOfType, type JsonObject, listOf, stringOf } from "../facts/json-ld.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import type { Addresses } from "../markdown/link-target.ts";
import { parseHtml } from "../parse.ts";
import { oneLine, textIn } from "../tree.ts";
import { type PageFaq, QUESTION_CHARACTERS_MAX } from "./faq.ts";

/** Returns the questions with answers in the page's JSON-LD (FAQPage, QAPage). */
export function toldFaqs(objects: readonly JsonObject[], addresses: Addresses): PageFaq[] {
  return objects
    .filter((object) => isOfType(object, "FAQPage", "QAPage"))
    .flatMap((page) => [...listOf(page.mainEntity), ...listOf(page.hasPart)])
    .filter((entity) => isObject(entity) && isOfType(entity, "Question"))
    .flatMap((entity) => (isObject(entity) ? faqOf(entity, addresses) : []));
}

function faqOf(entity: JsonObject, addresses: Addresses): PageFaq[] {
  const question = oneLine(plain(stringOf(entity.name) ?? stringOf(entity.text) ?? ""));
  const answers = [...listOf(entity.acceptedAnswer), ...listOf(entity.suggestedAnswer)];
  const text = answers
    .map((answer) => stringOf(isObject(answer) ? answer.text : answer))
    .find((found) => found !== undefined);
  if (text === undefined || question === "" || question.length > QUESTION_CHARACTERS_MAX) return [];
  const answer = answerOf(text, addresses);
  return answer === "" ? [] : [{ question, answer }];
}

function answerOf(text: string, addresses: Addresses): string {
  const isHtml = /<\/?[a-z]/i.test(text);
  // In a text without tags, each line is a paragraph.
  return htmlToMarkdown(isHtml ? text : text.replace(/</g, "&lt;").replace(/\n+/g, "<p>"), addresses);
}

function plain(text: string): string {
  return /[<&]/.test(text) ? textIn(parseHtml(text)) : text;
}
