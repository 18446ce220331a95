/** What the first start says when all is ready. */

const QUESTION = "how do I give a bot a new key?";
export const STOP = "Stop with Ctrl-C.";

/**
 * Where the console is, and how to sign in.
 * @param {{ consoleUrl?: string }} server
 * @param {string | undefined} code
 */
export function whereTheConsoleIs({ consoleUrl = "" }, code = "") {
  return `
Open the console:  ${consoleUrl}
Sign in with this code, once within ten minutes:  ${code}`;
}

/**
 * @param {string} url
 * @param {{ key: string, documents: number | string, articles: number | string }} made
 * @param {string} name
 */
export function howToAsk(url, { key, documents, articles }, name) {
  const body = JSON.stringify({ query: QUESTION, options: { topK: 3 } });
  return `
Loredex serves on ${url}

The bot "${name}" knows ${documents} pages of this project's documentation and ${articles} articles.
Its API key, shown only now:

  ${key}

Ask it something:

curl -s ${url}/api/v1/knowledge/search -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'

To read the answer as text, add to that line:  | node examples/first-start/readable.mjs

${STOP}`;
}
