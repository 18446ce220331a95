import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
import httpx
import loredex_http_api_client as made
for module in pkgutil.walk_packages(made.__path__, made.__name__ + "."):
    importlib.import_module(module.name)
from loredex_http_api_client.api.articles import delete_article, list_articles, preview_article
from loredex_http_api_client.models import ArticleCreatePreview, ArticleUpdatePreview, ListArticlesMetadata
arguments = list_articles._get_kwargs(metadata=ListArticlesMetadata.from_dict({"metadata.team": "billing"}))
print(httpx.Request(arguments["method"], "http://host" + arguments["url"], params=arguments["params"]).url)
print(preview_article._get_kwargs(body=ArticleCreatePreview(title="Parcels", body="Ten kilos."))["json"])
refusal = httpx.Response(404, json={"success": False, "error": {"message": "none", "code": 20001, "status": 404}})
print(delete_article._build_response(client=made.Client(base_url="http://host"), response=refusal).parsed)
`;

/** By title of the description; ours is loredex_client. */
const PACKAGE_MADE = "loredex_http_api_client";
/** Half of it are the objects of the admin API. There were 491 without it when each operation had its own copy of each refusal. */
const MODELS_MAX = 400;

it.skipIf(generator.isMissing)(
  generator.named(
    "a generated Python client imports whole, has few models, filters by metadata, previews and reads refusals",
  ),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "loredex-generated-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const document = join(folder, "openapi.json");
    await writeFile(document, JSON.stringify(OPENAPI_DOCUMENT));
    const made = join(folder, "made");
    const python = (cwd: string, ...args: readonly string[]) =>
      execFileSync(join(VENV, "bin", "python"), args, { cwd, encoding: "utf8" });
    const said = python(
      folder,
      "-m",
      "openapi_python_client",
      "generate",
      "--path",
      document,
      "--output-path",
      made,
      "--meta",
      "setup",
    );
    expect(said).not.toMatch(/Cannot parse|Unable to|WARNING parsing/i);
    expect((await readdir(made, { withFileTypes: true })).filter((each) => each.isDirectory())).toMatchObject([
      { name: PACKAGE_MADE },
    ]);
    const models = await readdir(join(made, PACKAGE_MADE, "models"));
    expect(models.length).toBeLessThan(MODELS_MAX);
    const [address, preview, refusal] = python(made, "-c", ASK).trim().split("\n");
    expect(address).toBe("http://host/api/v1/knowledge?metadata.team=billing");
    expect(preview).toContain("'title': 'Parcels'");
    expect(refusal).toMatch(/^ArticleNotFoundFailure\(.*code=20001/);
  },
);
