import { isObject, isOfType, type JsonObject, listOf, stringOf } from "../facts/json-ld.ts";
import { htmlToMarkdown } from "../html-to-markdown.ts";
import { removeAll } from "../main/boilerplate.ts";
import type { Addresses } from "../markdown/link-target.ts";
import { parseHtml } from "../parse.ts";
import { type HtmlNode, type HtmlParent, oneLine, textIn } from "../tree.ts";
import { wordsOf } from "../words.ts";
import { type PageFaq, QUESTION_CHARACTERS_MAX, type VisibleFaq } from "./faq.ts";
import { placesOf, visibleFaqs } from "./visible-faqs.ts";

/** Minimum share of words that a visible answer has in common with its structured-data answer. */
const SHARED_WORDS_MIN = 0.6;

/**
 * Takes the questions with answers out of a page, each once, in page order. A visible answer is preferred to one in structured data: it has links and lists.
 */
export function takeFaqs(
  root: HtmlParent,
  {
    objects,
    title,
    addresses,
  }: { readonly objects: readonly JsonObject[]; readonly title: string; readonly addresses: Addresses },
): PageFaq[] {
  const found = new Map<string, PageFaq>();
  const gone = new Set<HtmlNode>();
  const take = ({ question, answer, holders }: VisibleFaq): void => {
    const md = markdownOf(answer, addresses);
    if (md === "") return;
    if (!found.has(wordsOf(question))) found.set(wordsOf(question), { question, answer: md });
    for (const holder of holders) gone.add(holder);
  };
  for (const faq of visibleFaqs(root, title)) take(faq);
  removeAll(root, gone);
  gone.clear();
  const told = toldFaqs(objects, addresses).filter(({ question }) => !found.has(wordsOf(question)));
  const places =
    told.length === 0
      ? new Map<string, VisibleFaq>()
      : placesOf(
          told.map(({ question }) => question),
          root,
        );
  for (const faq of told) {
    const place = places.get(wordsOf(faq.question));
    if (place !== undefined && isSame(faq.answer, markdownOf(place.answer, addresses)))
      take({ ...place, question: faq.question });
    else if (!found.has(wordsOf(faq.question))) found.set(wordsOf(faq.question), faq);
  }
  removeAll(root, gone);
  return [...found.values()];
}

function markdownOf(nodes: readonly HtmlNode[], addresses: Addresses): string {
  return htmlToMarkdown(nodes, addresses);
}

function isSame(told: string, shown: string): boolean {
  const [one, other] = [new Set(wordsOf(told).split(" ")), new Set(wordsOf(shown).split(" "))];
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared >= SHARED_WORDS_MIN * one.size && other.size <= 4 * one.size + 40;
}

/** Returns the questions with answers in the page's JSON-LD (FAQPage, QAPage). */
function toldFaqs(objects: readonly JsonObject[], addresses: Addresses): PageFaq[] {
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
