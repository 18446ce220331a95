/** Carries a plan out over HTTP, one article after the other. */

import { ApiError } from "../http-client/client.mjs";
import { metadataOf, ownArticles, planSync } from "./plan.mjs";

/** @typedef {import("../http-client/client.mjs").LoredexClient} LoredexClient */
/** @typedef {import("./files.mjs").Problem} Problem */
/** @typedef {import("./plan.mjs").LocalFile} LocalFile */
/** @typedef {"create" | "update" | "remove"} Action */
/**
 * @typedef {object} Outcome
 * @property {number} created
 * @property {number} updated
 * @property {number} removed
 * @property {number} unchanged
 * @property {Problem[]} problems what is not in step after this run
 */

/** Thrown before anything is changed. */
export class WouldEmptyError extends Error {}

/**
 * @param {object} options
 * @param {Pick<LoredexClient, "listArticles" | "createArticle" | "updateArticle" | "deleteArticle">} options.client
 * @param {string} options.folder the name that its articles carry
 * @param {{ files: LocalFile[], problems: Problem[] }} options.local
 * @param {boolean} [options.dryRun] only say what would be done
 * @param {boolean} [options.allowEmpty] let a folder without any file remove all its articles
 * @param {(action: Action, path: string) => void} [options.onAction] told before each change
 * @returns {Promise<Outcome>}
 * @throws {ApiError} if going on makes no sense: a wrong key, a server in trouble
 */
export async function syncFolder({ client, folder, local, dryRun = false, allowEmpty = false, onAction = () => {} }) {
  const articles = await client.listArticles();
  const unreadable = new Set(local.problems.map(({ path }) => path));
  const plan = planSync({ folder, files: local.files, unreadable, articles });
  const ownCount = ownArticles(folder, articles).size;
  if (local.files.length + unreadable.size === 0 && ownCount > 0 && !allowEmpty) {
    // More often a wrong path or a disk that is not mounted than somebody's wish.
    throw new WouldEmptyError(
      `The folder holds no markdown, but the service holds ${ownCount} article(s) of it. If they are to go, say --allow-empty.`,
    );
  }

  /** @type {Outcome} */
  const outcome = {
    created: 0,
    updated: 0,
    removed: 0,
    unchanged: plan.unchanged.length,
    problems: [...local.problems],
  };
  /** @type {(action: Action, path: string, change: () => Promise<unknown>) => Promise<number>} */
  const attempt = async (action, path, change) => {
    onAction(action, path);
    if (dryRun) return 1;
    try {
      await change();
      return 1;
    } catch (error) {
      if (!(error instanceof ApiError) || !concernsOneFile(error)) throw error;
      outcome.problems.push({ path, message: error.describe() });
      return 0;
    }
  };

  for (const { id, path } of plan.remove) {
    outcome.removed += await attempt("remove", path, () => client.deleteArticle(id));
  }
  for (const { id, file } of plan.update) {
    outcome.updated += await attempt("update", file.path, () => client.updateArticle(id, upload(folder, file)));
  }
  for (const file of plan.create) {
    outcome.created += await attempt("create", file.path, () => client.createArticle(upload(folder, file)));
  }
  return outcome;
}

/**
 * @param {string} folder
 * @param {LocalFile} file
 */
function upload(folder, file) {
  return { title: file.title, body: file.body, metadata: metadataOf(folder, file) };
}

/**
 * Whether the others may still succeed: broken rules (400), an article that is gone meanwhile (404), a request too
 * large (413), a full quota (422), more characters than any minute admits (a 429 that names no time).
 * @param {ApiError} error
 */
function concernsOneFile({ status, retryAfterSeconds }) {
  return [400, 404, 413, 422].includes(status) || (status === 429 && retryAfterSeconds === undefined);
}
