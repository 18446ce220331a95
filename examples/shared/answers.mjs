/** Prints what a search found as a person would want to read it. */

/** @typedef {Pick<import("../http-client/client.mjs").TextPart, "text" | "similarity" | "start" | "stop">} Part */

const COLUMNS = 100;
const QUOTED_LINES_MAX = 8;

/** Characters that could move the cursor or recolour the screen; they would come from what somebody wrote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * @param {readonly { readonly resourceDocId: string, readonly metaData: object, readonly bestMatchScore: number, readonly similarTextParts: readonly Part[] }[]} answers best first, as the search gave them
 * @param {{ partsMax?: number }} [options] how many passages of one document are shown; default 1
 */
export function readable(answers, { partsMax = 1 } = {}) {
  if (answers.length === 0) return "   (nothing found)";
  const blocks = answers.map(({ resourceDocId, metaData, bestMatchScore, similarTextParts }, index) => {
    const title = "title" in metaData && typeof metaData.title === "string" ? metaData.title : resourceDocId;
    const head = `${index + 1}. ${title}  (score ${bestMatchScore.toFixed(3)})`;
    return [
      head,
      `   ${resourceDocId}`,
      ...similarTextParts.slice(0, partsMax).map((part) => quote(part, fileOffset(metaData))),
    ].join("\n");
  });
  return blocks.join("\n\n").replaceAll("\r\n", "\n").replace(UNSAFE, "\ufffd");
}

/**
 * How many lines of a file stand before its content: front matter is not part of that.
 * @param {object} metaData
 */
function fileOffset(metaData) {
  return "sourceLine" in metaData && typeof metaData.sourceLine === "number" ? metaData.sourceLine - 1 : 0;
}

/**
 * @param {Part} part
 * @param {number} offset
 */
function quote({ text, start, stop }, offset) {
  const lines = text.split("\n").flatMap((line) => wrap(line.trimEnd()));
  const shown = lines.slice(0, QUOTED_LINES_MAX).map((line) => `   | ${line}`);
  if (lines.length > shown.length) shown.push("   | ...");
  const inFile = offset === 0 ? "" : `, in the file ${span(start + offset, stop + offset)}`;
  return [`   ${span(start, stop)}${inFile}`, ...shown].join("\n");
}

/**
 * @param {number} start
 * @param {number} stop
 */
function span(start, stop) {
  return start === stop ? `line ${start}` : `lines ${start} to ${stop}`;
}

/**
 * Breaks a long line at spaces.
 * @param {string} line
 */
function wrap(line) {
  if (line.length <= COLUMNS) return [line];
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.length - 1;
    const longer = lines[last] === "" ? word : `${lines[last]} ${word}`;
    if (longer.length <= COLUMNS || lines[last] === "") lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}
