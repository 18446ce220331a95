import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { clientTypes } from "../../tools/client-types/generate.ts";
import { filesBelow, importsOf, read } from "../tidy/source-files.ts";

it("the client's types are those of the OpenAPI document: if not, run `npm run write-client-types`", async () => {
  expect(read("packages/client/src/api-types.ts")).toBe(await clientTypes());
});

/** What a page loads with the client, minified and packed, in bytes. */
const CLIENT_BYTES_MAX = 10_000;

it("the client is small, and runs where there is no Node", async () => {
  const { outputFiles } = await build({
    ...{ entryPoints: ["packages/client/src/index.ts"], bundle: true, minify: true, format: "esm", write: false },
    // With a platform of none, an import of Node's is one that cannot be found.
    ...{ platform: "neutral", tsconfigRaw: {}, absWorkingDir: new URL("../../", import.meta.url).pathname },
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? "", { level: 9 }).byteLength).toBeLessThanOrEqual(CLIENT_BYTES_MAX);
  const code = filesBelow("packages/client/src", /\.ts$/).map(read);
  expect(code.flatMap(importsOf).filter((imported) => !imported.startsWith("./"))).toEqual([]);
  expect(code.filter((text) => /\b(process|Buffer|require)\b[.(]/.test(text))).toEqual([]);
});
