import { readFileSync } from "node:fs";
import type { DocumentInput } from "@loredex/core";
import type { Use } from "./judged-sets.ts";

/** Questions as customers ask them, in ten languages, each with the passage that answers it in other words. Our own. */
interface SupportQuestion {
  readonly language: string;
  /** Each language has the four of one of two groups. */
  readonly topic: string;
  readonly question: string;
  readonly passage: string;
}

const ALL: readonly SupportQuestion[] = JSON.parse(
  readFileSync(new URL("./support-questions.json", import.meta.url), "utf8"),
);

/** A small bot and what it is asked. Each passage has its topic for an id. */
export interface SupportBot {
  /** That of its passages. */
  readonly language: string;
  readonly documents: readonly DocumentInput[];
  readonly questions: readonly { readonly text: string; readonly right: string }[];
}

/** One bot a language, asked in its own language or, `crossing`, in another one that has the same topics. Every other question is for tuning. */
export function supportBots(use: Use, crossing: boolean): SupportBot[] {
  const languages = [...new Set(ALL.map(({ language }) => language))];
  return languages.map((language) => {
    const own = ALL.filter((each) => each.language === language);
    const topics = new Set(own.map(({ topic }) => topic));
    const alike = languages.filter((other) => ALL.some((each) => each.language === other && topics.has(each.topic)));
    const asking = crossing ? alike[(alike.indexOf(language) + 1) % alike.length] : language;
    return {
      language,
      documents: own.map(({ topic, passage }) => ({
        resourceDocId: topic,
        type: "DOCUMENT",
        content: [{ md: passage }],
      })),
      questions: ALL.filter((each, i) => each.language === asking && (i % 2 === 0) === (use === "tune")).map(
        ({ topic, question }) => ({ text: question, right: topic }),
      ),
    };
  });
}
