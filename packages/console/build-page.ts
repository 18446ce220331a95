import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL("./src/page/", import.meta.url));
/** Where the server serves the page. */
const BASE = "/console/";
const BROWSERS = ["chrome120", "firefox120", "safari17"];

/** The folder of a package, in the path of one of its files. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

/**
 * Builds the page: `index.html`, hashed files in `assets/`, the licences of what others made, and `manifest.json`, which names all of them.
 * @param directory of the result; an earlier result in it is removed
 */
export async function buildPage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, "assets"), { recursive: true });
  const { outputFiles, metafile } = await build({
    entryPoints: { console: join(PAGE, "main.tsx"), style: join(PAGE, "style.css"), icon: join(PAGE, "icon.svg") },
    outdir: directory,
    entryNames: "assets/[name]-[hash]",
    chunkNames: "assets/[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: "esm",
    target: BROWSERS,
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".svg": "copy" },
    legalComments: "none",
    metafile: true,
    tsconfigRaw: {},
    logLevel: "warning",
  });
  const assets = new Map(outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, contents]));
  const named = (name: string, extension: string): string => {
    const found = [...assets.keys()].find((path) => path.startsWith(`assets/${name}-`) && extname(path) === extension);
    if (found === undefined) throw new Error(`The build has no ${name}${extension}`);
    return BASE + found;
  };
  const html = (await readFile(join(PAGE, "index.html"), "utf8"))
    .replace("%SCRIPT%", named("console", ".js"))
    .replace("%STYLE%", named("style", ".css"))
    .replace("%ICON%", named("icon", ".svg"));
  assets.set("third-party.txt", Buffer.from(await licencesOf(Object.keys(metafile.inputs))));
  for (const [path, contents] of assets) await writeFile(join(directory, path), contents);
  await writeFile(join(directory, "index.html"), html);
  await writeFile(join(directory, "manifest.json"), JSON.stringify(["index.html", ...[...assets.keys()].sort()]));
}

/** The licences of the packages whose code is in the page, with their texts, as they ask for. */
async function licencesOf(inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.flatMap((path) => PACKAGE.exec(join(process.cwd(), path))?.[0] ?? []));
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${(await readFile(join(folder, "LICENSE"), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n");
}
