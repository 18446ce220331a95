import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { clientTypes } from "../../tools/client-types/generate.ts";
import { filesBelow, importsOf, read } from "../tidy/source-files.ts";

it("the client's types are those of the OpenAPI document: if not, run `npm run write-client-types`", async () => {
  expect(read("packages/client/src/api-types.ts")).toBe(await clientTypes());
});

/** What a page loads with a client, minified and packed, in bytes. */
const BYTES_MAX = { LoredexClient: 10_000, LoredexAdmin: 10_000 };

it.each(Object.entries(BYTES_MAX))("%s is small, and runs where there is no Node", async (name, bytesMax) => {
  const contents = `export { ${name}, LoredexError } from "./packages/client/src/index.ts"`;
  const root = new URL("../../", import.meta.url).pathname;
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: root }, bundle: true, minify: true, format: "esm", write: false },
    // With a platform of none, an import of Node's is one that cannot be found.
    ...{ platform: "neutral", tsconfigRaw: {}, absWorkingDir: root },
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? "", { level: 9 }).byteLength).toBeLessThanOrEqual(bytesMax);
  const code = filesBelow("packages/client/src", /\.ts$/).map(read);
  expect(code.flatMap(importsOf).filter((imported) => !imported.startsWith("./"))).toEqual([]);
  expect(code.filter((text) => /\b(process|Buffer|require)\b[.(]/.test(text))).toEqual([]);
});
