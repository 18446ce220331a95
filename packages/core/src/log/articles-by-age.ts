import { must } from "../model/must.ts";
import type { ArticleFields } from "../model/records.ts";

/** Position of an article in the order of lists. It never changes. */
export type Place = Pick<ArticleFields, "createdAtMs" | "id">;

/** Compares two places: oldest `createdAt` first, ties by id. */
export function byAge(a: Place, b: Place): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Maximum length of a run. A change moves at most this many articles, and a list yields after each run. */
const RUN_ARTICLES_MAX = 512;

interface Placed {
  readonly fields: Place;
}

/** Consecutive articles. */
interface Run<Article> {
  readonly articles: Article[];
  /** Whether a list may still read the run. Then a change copies the run first. */
  isLent: boolean;
}

/**
 * Articles in the order of lists, in sorted runs of at most {@link RUN_ARTICLES_MAX}. A page starts by binary search, and nothing is sorted for it.
 * A change moves the articles of one run. Most new articles come at the end.
 * Copy on write: a list that is being read keeps the runs of its moment.
 */
export class ArticlesByAge<Article extends Placed> {
  /** In order. No run is empty. */
  #runs: Run<Article>[] = [];

  /** Inserts an article, or replaces the one at its place. */
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
    // Articles that come in order leave full runs behind them.
    const isLast = at === this.#runs.length - 1 && i === articles.length - 1;
    const behind = articles.splice(isLast ? i : articles.length >> 1);
    this.#runs.splice(at + 1, 0, { articles: behind, isLent: false });
  }

  /** Removes the article at a place that {@link put} has filled. */
  remove(place: Place): void {
    const at = this.#runAt(place);
    const { articles } = must(this.#own(at), "the run of a removed article");
    const i = placeIn(articles, place);
    const known = articles[i];
    must(known !== undefined && byAge(known.fields, place) === 0 ? known : undefined, "a removed article in its run");
    articles.splice(i, 1);
    if (articles.length === 0) this.#runs.splice(at, 1);
  }

  clear(): void {
    this.#runs = [];
  }

  /** Articles behind `start`, or all, in consecutive runs. The runs stay as they are at the call, whatever is changed while they are read. */
  behind(start?: Place): readonly (readonly Article[])[] {
    const runs = start === undefined ? this.#runs : this.#runs.slice(this.#runAt(start));
    return runs.map((run, n) => {
      run.isLent = true;
      return n === 0 && start !== undefined
        ? run.articles.filter(({ fields }) => byAge(fields, start) > 0)
        : run.articles;
    });
  }

  /** Index of the first run that does not end before the place; of the last run if all do. Binary search. */
  #runAt(place: Place): number {
    let [low, high] = [0, Math.max(0, this.#runs.length - 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = must(this.#runs[middle]?.articles.at(-1), "the last article of a run");
      if (byAge(last.fields, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The run, ready to be changed: a run that a list may read is copied first. */
  #own(at: number): Run<Article> | undefined {
    const run = this.#runs[at];
    if (run === undefined || !run.isLent) return run;
    const own = { articles: [...run.articles], isLent: false };
    this.#runs[at] = own;
    return own;
  }
}

/** Number of articles before the place. Binary search. */
function placeIn(articles: readonly Placed[], place: Place): number {
  let [low, high] = [0, articles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const article = must(articles[middle], "an article of a run");
    if (byAge(article.fields, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
