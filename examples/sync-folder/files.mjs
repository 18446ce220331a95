/** Reads a folder of markdown into what is uploaded. */

import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";

/** @typedef {{ path: string, title: string, body: string }} LocalFile its path from the folder, with `/` */
/** @typedef {{ path: string, message: string }} Problem */

/** At the very beginning of the text only. */
const FRONT_MATTER = /(?<![\s\S])---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
const TITLE_LINE = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m;
const FIRST_HEADING = /^#[ \t]+(.+?)[ \t#]*$/m;
const TITLE_CHARACTERS = { min: 3, max: 1_000 };

/**
 * Every `.md` file below the folder. Hidden ones and `node_modules` are left out, links are not followed.
 * @param {string} folder
 * @returns {Promise<{ files: LocalFile[], problems: Problem[] }>} sorted by path; a problem is a file that is there but cannot be read
 * @throws if the folder itself or one below it cannot be read: half a listing would delete the articles of the other half
 */
export async function readFolder(folder) {
  /** @type {LocalFile[]} */
  const files = [];
  /** @type {Problem[]} */
  const problems = [];
  for (const path of await markdownPaths(folder)) {
    try {
      const bytes = await readFile(join(folder, path));
      files.push(localFile(path, new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    } catch (error) {
      const message = error instanceof TypeError ? "it is not UTF-8 text" : String(error);
      problems.push({ path, message });
    }
  }
  return { files, problems };
}

/**
 * The title comes from the front matter, else from the first heading, else from the file's name.
 * @param {string} path
 * @param {string} text
 * @returns {LocalFile}
 */
export function localFile(path, text) {
  const [frontMatter, fields] = FRONT_MATTER.exec(text) ?? ["", ""];
  const body = text.slice(frontMatter.length);
  const named = [TITLE_LINE.exec(fields ?? "")?.[2], FIRST_HEADING.exec(body)?.[1], basename(path, ".md")];
  const title = named.find((name) => name !== undefined && [...name].length >= TITLE_CHARACTERS.min) ?? path;
  return { path, title: [...title].slice(0, TITLE_CHARACTERS.max).join(""), body };
}

/** @param {string} folder */
async function markdownPaths(folder) {
  /** @type {string[]} */
  const paths = [];
  /** @type {string[]} */
  const open = [folder];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && entry.name.endsWith(".md")) paths.push(relative(folder, path).split(sep).join("/"));
    }
  }
  return paths.sort();
}
