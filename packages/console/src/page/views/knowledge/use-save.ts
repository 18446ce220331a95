import { useRef, useState } from "preact/hooks";
import { type Answer, ApiError, call, ofBot } from "../../api/client.ts";
import type { Article, Draft } from "../../api/types.ts";
import { documentChanges } from "../../state/deletions.ts";
import { bodyOf, draftOfArticle } from "./editor-text.ts";

/** A version of an article, with its tag. */
export interface Base {
  readonly article: Article;
  readonly etag: string | undefined;
}

/** What somebody else did to the article meanwhile. */
export type ConflictState =
  | { readonly kind: "changed"; readonly theirs: Base }
  | { readonly kind: "keptMine"; readonly theirs: Base }
  | { readonly kind: "gone" };

export interface Saving {
  /** The saved article; undefined if it was not saved. */
  readonly save: (draft: Draft) => Promise<Article | undefined>;
  readonly conflict: ConflictState | undefined;
  readonly problem: Error | undefined;
  readonly isBusy: boolean;
  /** The next save replaces their version. */
  readonly keepMine: () => void;
  /** Their text comes into the fields; one's own stays beside them. */
  readonly takeTheirs: (mine: Draft) => void;
  readonly mine: Draft | undefined;
}

/** Saves a draft if nobody else has saved since `base`. */
export function useSave(bot: string, base: { current: Base | undefined }, setDraft: (draft: Draft) => void): Saving {
  const [conflict, setConflict] = useState<ConflictState>();
  const [problem, setProblem] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const [mine, setMine] = useState<Draft>();
  const creation = useRef({ text: "", key: "" });
  const create = (draft: Draft): Promise<Answer<Article>> => {
    const body = bodyOf(draft, undefined);
    const text = JSON.stringify(body);
    // The same text twice, after a lost answer, is one article.
    if (creation.current.text !== text) creation.current = { text, key: randomKey() };
    return call("POST", ofBot(bot, "articles"), { body, headers: { "idempotency-key": creation.current.key } });
  };
  const update = ({ article, etag }: Base, draft: Draft): Promise<Answer<Article>> =>
    call("PUT", ofBot(bot, "articles", article.id), {
      body: bodyOf(draft, draftOfArticle(article)),
      headers: etag === undefined ? {} : { "if-match": etag },
    });
  const fail = async (error: unknown): Promise<void> => {
    const status = error instanceof ApiError ? error.status : 0;
    const { current } = base;
    if (current !== undefined && status === 412) {
      const { data, etag } = await call<Article>("GET", ofBot(bot, "articles", current.article.id));
      setConflict({ kind: "changed", theirs: { article: data, etag } });
    } else if (current !== undefined && status === 404) {
      base.current = undefined;
      setConflict({ kind: "gone" });
    } else {
      throw error;
    }
  };
  const save = async (draft: Draft): Promise<Article | undefined> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await (base.current === undefined ? create(draft) : update(base.current, draft));
      documentChanges.value += 1;
      setConflict(undefined);
      return data;
    } catch (error) {
      await fail(error).catch((error: Error) => setProblem(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    save,
    conflict,
    problem,
    isBusy,
    mine,
    keepMine: () => {
      if (conflict?.kind !== "changed") return;
      base.current = conflict.theirs;
      setConflict({ kind: "keptMine", theirs: conflict.theirs });
    },
    takeTheirs: (own) => {
      if (conflict?.kind !== "changed") return;
      base.current = conflict.theirs;
      setMine(own);
      setDraft(draftOfArticle(conflict.theirs.article));
      setConflict(undefined);
    },
  };
}

/** `crypto.randomUUID` is missing on plain http. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
