import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Options } from "tsup";
import { buildPage } from "../../packages/console/build-page.ts";

const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));
const NAMES = [
  "client",
  "console",
  "core",
  "encoder",
  "hnswlib",
  "http",
  "import",
  "loredex",
  "mcp",
  "minilm",
  "multilingual",
  "openai",
  "postgres",
];
const BUILT = "dist";

/** How the packages are built, of which the types are left out here. */
export const AS_PUBLISHED = {
  bundle: true,
  splitting: true,
  format: "esm",
  target: "node20",
  platform: "node",
  packages: "external",
  // The project's paths lead into the sources, those of a user's do not.
  tsconfigRaw: {},
  logLevel: "warning",
} as const;
const MODEL = "model";
/** The package with a page, which it builds for browsers beside its code. */
const CONSOLE = "console";

/**
 * Builds all packages from their sources as they are published, but without types, in about a second.
 * @param directory a new directory within the project, so that the packages of others are found
 */
export async function buildPackages(directory: string): Promise<void> {
  await Promise.all(NAMES.map((name) => buildPackage(join(PACKAGES, name), directory)));
  await buildPage(join(directory, "node_modules", "@loredex", CONSOLE, BUILT, "page"));
}

async function buildPackage(from: string, directory: string): Promise<void> {
  const { name, files }: { name: string; files: string[] } = JSON.parse(
    await readFile(join(from, "package.json"), "utf8"),
  );
  const to = join(directory, "node_modules", name);
  await mkdir(to, { recursive: true });
  const { default: settings }: { default: Options } = await import(pathToFileURL(join(from, "tsup.config.ts")).href);
  const { entry = [] } = settings;
  // Copied, for a program is run from where its file really is: a link led to what was built beside the sources, whenever that was.
  for (const file of ["package.json", ...files.filter((each) => each !== BUILT)]) {
    // Models are no programs, and large.
    if (file === MODEL) await symlink(join(from, file), join(to, file));
    else await cp(join(from, file), join(to, file), { recursive: true });
  }
  await build({
    absWorkingDir: from,
    entryPoints: entry,
    outdir: join(to, BUILT),
    ...AS_PUBLISHED,
  });
}
