import { LoredexError } from "@loredex/client";

/** Returns the message for a model after a failed call: the problem, and the remedy. */
export function problemText(error: unknown): string {
  if (error instanceof ToolProblem) return error.message;
  if (!(error instanceof LoredexError)) {
    return `The call failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { status, violations } = error;
  if (violations.length > 0) {
    return `Nothing was done, since the arguments break rules. Correct them and call again:\n${violations
      .map(({ field, message }) => `- ${field}: ${message}`)
      .join("\n")}`;
  }
  const advice = error.isTooLong
    ? TOO_LONG
    : error.isFinal
      ? CANNOT_WORK
      : status === undefined
        ? NO_ANSWER
        : adviceOn(status, error);
  return `${sentence(error.message)} ${advice}`;
}

/** A problem that a tool finds itself; its message is shown as it is. */
export class ToolProblem extends Error {
  override readonly name = "ToolProblem";
}

const NO_ANSWER =
  "The Loredex server did not answer. Tell the user that it may not be running (`loredex serve`), or that the address in this tool's configuration may be wrong; calling again at once will not help.";

const CANNOT_WORK =
  "Tell the user: the address in this tool's configuration has to be mended. No other call will work until then.";

const TOO_LONG = "Ask for fewer documents, or without include_content.";

function adviceOn(status: number, error: LoredexError): string {
  const { retryAfterSeconds: seconds, requestId } = error;
  switch (status) {
    case 401:
      return "The key in LOREDEX_KEY is missing, unknown or revoked. Tell the user; no other call will work until it is replaced.";
    case 403:
      return "The key in LOREDEX_KEY may only search. Use search_knowledge; for anything else the user needs a key with the scope `all`.";
    case 404:
      return "Take ids from list_articles, or from search results of the type EXTERNAL: only these are articles.";
    case 409:
      return "Look at the articles in question, and decide again.";
    case 412:
      return "Nothing was changed. Call get_article, look at what is different, and decide again with its new version.";
    case 413:
      return "Nothing was done. Send a shorter text.";
    case 422:
      return "Nothing was written. The quota has no room for it: shorten or delete articles that the user no longer needs, or have the user ask the operator for more.";
    case 429:
      return seconds === undefined
        ? "Nothing was written, and waiting does not help: it is more than may be written in a whole minute. Create the article with a shorter body and let it grow by updates."
        : `Nothing was done. The same call can succeed in ${seconds} s: wait for so long, and do not call before.`;
    case 503:
      return seconds === undefined
        ? "Nothing was done. Tell the user: the operator has to look at the server."
        : `Nothing was done. The same call can succeed in ${seconds} s.`;
    case 507:
      return "Nothing was written: there is no room on the server. Tell the user.";
    default:
      return requestId === undefined
        ? "Tell the user."
        : `Tell the user, with the number of the request for the operator: ${requestId}.`;
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
