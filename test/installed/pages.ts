import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../tidy/source-files.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { ROOT } from "./packages.ts";
import { IS_PRINTED } from "./page-story.ts";

/** Blocks that are for a checkout of the project, by their page and first line, with who runs them there. */
const IN_A_CHECKOUT: Readonly<Record<string, string>> = {
  "README.md: npm ci && npm start   # builds, serves on 127.0.0.1:8080, and on the first start makes a demo bot to ask":
    ".ci/run: npm ci, npm test; examples/first-start/check.mjs: npm start",
  "examples/first-start/README.md: npm ci && npm start": "examples/first-start/check.mjs",
  "examples/demo-support/README.md: npm run demo:support": ".ci/run",
  "examples/demo-cluster/README.md: npm run demo:cluster": ".ci/run",
};

/** Pages whose text shows commands, which are compared with their `--help`. */
export const ON_THE_COMMAND_LINE = /^docs\/command-line(?:\.md$|\/)/;

/** Pages with blocks that nobody runs, and what these show. */
const WITH_TEXT: Readonly<Record<string, string>> = {
  "README.md": "an answer with its lines, and what the program above prints",
  "ARCHITECTURE.md": "drawings",
  "docs/changing.md": "a drawing",
  "docs/admin-api.md": "a program in Python, which the tests of packages/client-python run",
  "docs/clients.md": "a program in Python, like those that the tests of packages/client-python run",
  "docs/python-retrievers.md":
    "programs in Python, which the tests of packages/langchain-python and packages/llama-index-python run",
  "packages/client-python/README.md": "programs in Python, which the tests beside it run",
  "packages/langchain-python/README.md": "the same",
  "packages/llama-index-python/README.md": "the same",
  "docs/command-line.md": "what commands look like, which is compared with their --help, and what they print",
  "docs/command-line/backups.md": "the same",
  "docs/command-line/bots-and-keys.md": "the same",
  "docs/command-line/doctor.md": "the same",
  "docs/command-line/import.md": "the same",
  "docs/command-line/search.md": "the same",
  "docs/command-line/serve.md": "the same",
  "docs/command-line/settings.md": "the same",
  "docs/decisions/2026-11-24-exact-strings.md": "a formula",
  "docs/decisions/2026-11-29-power-mean.md": "formulas",
  "docs/design.md": "a formula",
  "docs/format.md": "bytes",
  "docs/glossary.md": "a document cut into its units",
  "docs/http-api.md": "two numbers",
  "docs/import.md": "what an import says of a document beyond its bound",
  "docs/languages.md": "a line of the log, which packages/core/test/engine/bot-advice.test.ts compares",
  "docs/operations.md": "what needs root or a container tool; test/deploy tries both as far as it can",
  "docs/metrics.md": "what Prometheus is told",
  "docs/postgres.md":
    "statements for a database of the operator's, of which packages/postgres/test/opening.test.ts tries the rights",
  "docs/scale.md": "drawings and formulas",
  "packages/postgres/README.md": "a program that needs a database of the user's; packages/postgres/test opens it so",
  "examples/demo-cluster/README.md": "what it prints",
  "examples/demo-support/README.md": "what it prints",
  "examples/embed/README.md": "what it prints",
  "examples/first-start/README.md": "what it prints",
  "examples/http-client/README.md": "what it prints",
  "examples/rag-python/README.md":
    "what it prints, and how it is run with a model; packages/langchain-python/tests run it",
  "examples/sync-folder/README.md": "what it prints",
  "examples/weekly-report/README.md": "what it prints",
};

/** A page with code. */
export interface Page {
  readonly name: string;
  /** What is run in a project of a user's. */
  readonly blocks: readonly CodeBlock[];
  /** What is there to be read. */
  readonly texts: readonly CodeBlock[];
}

/** Every page of the project that shows code. */
export function pagesWithCode(): Page[] {
  const names = filesBelow(".", /\.md$/).filter(
    (name) => !name.includes("/") || /^docs\/|^(packages|examples)\/([^/]+\/)?README\.md$/.test(name),
  );
  const pages = names.map((name) => ({ name, all: codeBlocks(name, readFileSync(join(ROOT, name), "utf8")) }));
  return pages
    .filter(({ all }) => all.length > 0)
    .map(({ name, all }) => ({
      name,
      blocks: all.filter((block) => !isForReaders(block) && !(nameOf(block) in IN_A_CHECKOUT)),
      texts: all.filter(isForReaders),
    }));
}

/** What the lists above name in vain, and pages with text that they do not name. */
export function wronglyListed(pages: readonly Page[]): string[] {
  const all = pages.flatMap(({ name }) => codeBlocks(name, readFileSync(join(ROOT, name), "utf8")));
  const there = new Set(all.map(nameOf));
  const withText = new Set(pages.filter(({ texts }) => texts.length > 0).map(({ name }) => name));
  return [
    ...Object.keys(IN_A_CHECKOUT).filter((name) => !there.has(name)),
    ...Object.keys(WITH_TEXT).filter((name) => !withText.has(name)),
    ...[...withText].filter((name) => !(name in WITH_TEXT)),
  ];
}

function isForReaders({ language, hint }: CodeBlock): boolean {
  return language === "python" || language === "mermaid" || (language === "text" && hint !== IS_PRINTED);
}

function nameOf({ page, text }: CodeBlock): string {
  return `${page}: ${text.slice(0, text.indexOf("\n"))}`;
}
