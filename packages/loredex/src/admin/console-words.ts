import { withoutUploadFolder } from "./uploads.ts";

/** UTF-16 units of one message. */
const TEXT_UNITS_MAX = 1_000;
/** An option or a command of the command line. */
const OF_COMMAND_LINE = /(?<![\w-])--[a-z]|\bloredex [a-z]/u;

/**
 * A message of an import as the admin API tells it: without what only the command line can do, and without the folders of uploads on this machine.
 * @example consoleWords("it cannot be imported; or say what it is (--kind)") === "it cannot be imported"
 */
export function consoleWords(message: string): string {
  const short = message.length > TEXT_UNITS_MAX ? `${message.slice(0, TEXT_UNITS_MAX)}…` : message;
  const without = (text: string): string => (OF_COMMAND_LINE.test(text) ? "" : text);
  const kept = withoutUploadFolder(short)
    // In brackets, with the advice before them: `, or say what it is (--encoding)`.
    .replace(/(?:[,;] or [^,;.()]*| )\([^()]*\)/gu, without)
    .replace(/;[^;]*/gu, without)
    .split(". ")
    .filter((sentence) => !OF_COMMAND_LINE.test(sentence))
    .join(". ");
  return kept === "" ? NO_MORE : kept;
}

const NO_MORE = "It could not be imported.";
