/**
 * What has to change so that the service holds the folder's files. A pure function: two lists in, a plan out.
 */

/** @typedef {import("../http-client/client.mjs").Metadata} Metadata */
/** @typedef {Pick<import("../http-client/client.mjs").Article, "id" | "title" | "body" | "metadata">} RemoteArticle */
/**
 * @typedef {object} LocalFile
 * @property {string} path relative to the folder, with `/`: its external id
 * @property {string} title
 * @property {string} body
 * @property {string} contentHash of everything that is uploaded
 */
/**
 * @typedef {object} Plan
 * @property {{ id: string, path: string }[]} remove first, since this frees quota
 * @property {{ id: string, file: LocalFile }[]} update
 * @property {LocalFile[]} create
 * @property {string[]} unchanged paths
 */

/** Written into every article that this program makes. It never touches an article without it. */
const MARKER = "sync-folder";

/**
 * @param {string} folder the name under which this folder's articles are kept apart from those of other folders
 * @param {LocalFile} file
 * @returns {Metadata}
 */
export function metadataOf(folder, file) {
  return { managedBy: MARKER, folder, externalId: file.path, contentHash: file.contentHash };
}

/**
 * The articles that an earlier run made for this folder, by path. Another article, whoever wrote it, is not ours.
 * @template {RemoteArticle} A
 * @param {string} folder
 * @param {readonly A[]} articles
 * @returns {Map<string, A[]>}
 */
export function ownArticles(folder, articles) {
  /** @type {Map<string, A[]>} */
  const own = new Map();
  for (const article of articles) {
    const { managedBy, folder: owner, externalId } = article.metadata;
    if (managedBy !== MARKER || owner !== folder || typeof externalId !== "string") continue;
    own.set(externalId, [...(own.get(externalId) ?? []), article]);
  }
  return own;
}

/**
 * @param {object} sides
 * @param {string} sides.folder
 * @param {readonly LocalFile[]} sides.files each path once
 * @param {ReadonlySet<string>} [sides.unreadable] files that are there but could not be read: their articles stay as they are
 * @param {readonly RemoteArticle[]} sides.articles everything the service holds, oldest first
 * @returns {Plan}
 */
export function planSync({ folder, files, unreadable = new Set(), articles }) {
  /** @type {Plan} */
  const plan = { remove: [], update: [], create: [], unchanged: [] };
  const own = ownArticles(folder, articles);
  const wanted = new Map(files.map((file) => [file.path, file]));

  for (const [path, [oldest, ...copies]] of own) {
    // Two runs at the same time can create a file twice: the oldest article stays.
    for (const { id } of copies) plan.remove.push({ id, path });
    if (oldest && !wanted.has(path) && !unreadable.has(path)) plan.remove.push({ id: oldest.id, path });
  }
  for (const file of files) {
    const article = own.get(file.path)?.[0];
    if (article === undefined) plan.create.push(file);
    else if (isInStep(article, file)) plan.unchanged.push(file.path);
    else plan.update.push({ id: article.id, file });
  }
  return plan;
}

/**
 * The hash tells whether the file has changed; title and body, whether someone has edited the article: the folder wins.
 * @param {RemoteArticle} article
 * @param {LocalFile} file
 */
function isInStep(article, file) {
  return (
    article.metadata.contentHash === file.contentHash && article.title === file.title && article.body === file.body
  );
}
