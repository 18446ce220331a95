import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";
import { optionalPart } from "../support/optional-part.ts";
import { environmentOf, whyNotInstalled } from "../support/python-package.ts";

/** A PyPI package that writes a Python client from an OpenAPI document. */
const PACKAGE = "openapi-python-client==0.29.1";
const VENV = environmentOf(PACKAGE, fileURLToPath(new URL(".", import.meta.url)));
const generator = optionalPart("openapi-python-client", whyNotInstalled(PACKAGE, VENV));

/** Imports every module, and prints the address that a filtered list asks for. */
const ASK = `
import importlib, pkgutil
import httpx, made
for module in pkgutil.walk_packages(made.__path__, "made."):
    importlib.import_module(module.name)
from made.api.articles import list_articles, preview_article
from made.models import ArticleCreatePreview, ArticleUpdatePreview, ListArticlesMetadata
arguments = list_articles._get_kwargs(metadata=ListArticlesMetadata.from_dict({"metadata.team": "billing"}))
print(httpx.Request(arguments["method"], "http://host" + arguments["url"], params=arguments["params"]).url)
print(preview_article._get_kwargs(body=ArticleCreatePreview(title="Parcels", body="Ten kilos."))["json"])
`;

it.skipIf(generator.isMissing)(
  generator.named("a generated Python client imports whole, filters by metadata and previews"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "loredex-generated-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const document = join(folder, "openapi.json");
    await writeFile(document, JSON.stringify(OPENAPI_DOCUMENT));
    const python = (...args: readonly string[]) =>
      execFileSync(join(VENV, "bin", "python"), args, { cwd: folder, encoding: "utf8" });
    const said = python(
      "-m",
      "openapi_python_client",
      "generate",
      "--path",
      document,
      "--output-path",
      join(folder, "made"),
      "--meta",
      "none",
    );
    expect(said).not.toMatch(/Cannot parse|Unable to|WARNING parsing/i);
    const [address, preview] = python("-c", ASK).trim().split("\n");
    expect(address).toBe("http://host/api/v1/knowledge?metadata.team=billing");
    expect(preview).toContain("'title': 'Parcels'");
  },
);
