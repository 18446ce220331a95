import type { ArticleFields } from "../model/records.ts";

/** Where an article stands in the order of lists. It never changes. */
export type Place = Pick<ArticleFields, "createdAtMs" | "id">;

/** Oldest `createdAt` first, ties by id. */
export function byAge(a: Place, b: Place): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** A change moves at most so many; a list is looked through in steps of as many. */
const RUN_ARTICLES_MAX = 512;

interface Placed {
  readonly fields: Place;
}

/** Articles that follow each other. */
interface Run<Article> {
  readonly articles: Article[];
  /** Whether a list may read it: then it stays as it is, and a copy is changed. */
  isLent: boolean;
}

/**
 * Articles in the order in which they are listed, kept as they come and go: a page begins where it begins, and nothing is sorted for it. Most
 * come at the end. They stand in runs, so that a change moves few, and a list that is being read keeps the runs of its moment.
 */
export class ArticlesByAge<Article extends Placed> {
  /** None is empty. */
  #runs: Run<Article>[] = [];

  /** Takes the place of what stands there. */
  put(article: Article): void {
    const at = this.#runAt(article.fields);
    const run = this.#own(at);
    if (run === undefined) {
      this.#runs.push({ articles: [article], isLent: false });
      return;
    }
    const { articles } = run;
    const i = placeIn(articles, article.fields);
    const known = articles[i];
    const isNew = known === undefined || byAge(known.fields, article.fields) !== 0;
    articles.splice(i, isNew ? 0 : 1, article);
    if (articles.length <= RUN_ARTICLES_MAX) return;
    // What comes in order leaves full runs behind it.
    const isLast = at === this.#runs.length - 1 && i === articles.length - 1;
    const behind = articles.splice(isLast ? i : articles.length >> 1);
    this.#runs.splice(at + 1, 0, { articles: behind, isLent: false });
  }

  remove(place: Place): void {
    const at = this.#runAt(place);
    const i = placeIn(this.#runs[at]?.articles ?? [], place);
    const known = this.#runs[at]?.articles[i];
    if (known === undefined || byAge(known.fields, place) !== 0) return;
    const articles = this.#own(at)?.articles;
    articles?.splice(i, 1);
    if (articles?.length === 0) this.#runs.splice(at, 1);
  }

  clear(): void {
    this.#runs = [];
  }

  /** Those behind `start`, or all, in parts that follow each other: as they are now, whatever is changed while they are read. */
  behind(start?: Place): readonly (readonly Article[])[] {
    const runs = start === undefined ? this.#runs : this.#runs.slice(this.#runAt(start));
    return runs.map((run, n) => {
      run.isLent = true;
      return n === 0 && start !== undefined
        ? run.articles.filter(({ fields }) => byAge(fields, start) > 0)
        : run.articles;
    });
  }

  /** The first run that does not end before the place; the last one where all do. */
  #runAt(place: Place): number {
    let [low, high] = [0, Math.max(0, this.#runs.length - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#runs[middle]?.articles.at(-1);
      if (last !== undefined && byAge(last.fields, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The run, to be changed. */
  #own(at: number): Run<Article> | undefined {
    const run = this.#runs[at];
    if (run === undefined || !run.isLent) return run;
    const own = { articles: [...run.articles], isLent: false };
    this.#runs[at] = own;
    return own;
  }
}

/** How many stand before the place. */
function placeIn(articles: readonly Placed[], place: Place): number {
  let [low, high] = [0, articles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const article = articles[middle];
    if (article !== undefined && byAge(article.fields, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
