import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EmbedderError } from "@loredex/core";
import { type ModelPlace, modelMend } from "./model-check.ts";
import { RUNTIME_FILES } from "./runtime-files.ts";
import { flawOf, reinstalling } from "./whole-files.ts";

/** The native library that runs the model. */
const RUNTIME = "onnxruntime-node";
/** Older ones lack what it calls. */
const GLIBC_MIN = [2, 27] as const;
const ON_GLIBC = "run Loredex on a Linux with glibc 2.27 or later, for example in the image node:22-slim";
const ON_ANOTHER_MACHINE = "run Loredex on Linux with glibc, macOS or Windows, on x64 or arm64";

/** The machine, as far as the native library depends on it. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Version of the C library; undefined where it is another one, as on Alpine Linux. Only looked at on Linux. */
  readonly glibc: string | undefined;
}

/** Where a package's main file lies. @throws Error if it is not installed */
export type Resolve = (name: string) => string;

const require = createRequire(import.meta.url);
const find: Resolve = (name) => require.resolve(name);

/**
 * Whether the native library can be had here, told without loading it.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE` with what mends it
 */
export async function requireRuntime(machine: Machine = thisMachine(), resolve: Resolve = find): Promise<void> {
  const { platform, arch, glibc } = machine;
  if (platform === "linux" && glibc === undefined) {
    throw missing(`${RUNTIME}, which runs it, needs a Linux with glibc, and this one has another C library`, ON_GLIBC);
  }
  if (platform === "linux" && glibc !== undefined && isOld(glibc)) {
    throw missing(`${RUNTIME}, which runs it, needs glibc ${GLIBC_MIN.join(".")} or later, not ${glibc}`, ON_GLIBC);
  }
  const folder = folderOf(resolve);
  if (folder === undefined) throw missing(`${RUNTIME}, which runs it, is not installed`, installing());
  const flaw = await flawOfBuild(folder, platform, arch);
  if (flaw !== undefined) throw missing(`${RUNTIME}, which runs it, is not whole: ${flaw}`, reinstalling(folder));
  if (!(await hasBuild(folder, platform, arch))) {
    throw missing(`${RUNTIME}, which runs it, has no build for ${platform} on ${arch}`, ON_ANOTHER_MACHINE);
  }
}

/** The error for a library that is there and does not load. */
export function broken(reason: string): EmbedderError {
  const folder = folderOf(find);
  return missing(`its program can't be loaded: ${reason}`, folder === undefined ? installing() : reinstalling(folder));
}

/** The error for a model whose files are not what they were. */
export function damaged(reason: string, place: ModelPlace): EmbedderError {
  return missing(`its model can't be read: ${reason}`, modelMend(place));
}

/** The command that brings the version that this package is made for. */
export function installing(): string {
  const { optionalDependencies, dependencies } = ownManifest();
  const version = optionalDependencies?.[RUNTIME] ?? dependencies?.[RUNTIME];
  return `npm install ${version === undefined ? RUNTIME : `${RUNTIME}@${version}`}`;
}

/** Empty in a bundle, which leaves it behind. */
function ownManifest(): Manifest {
  try {
    return require("../package.json");
  } catch {
    return {};
  }
}

/** What is read of this package's own manifest. */
interface Manifest {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function missing(why: string, mend: string): EmbedderError {
  return new EmbedderError("EMBEDDER_UNAVAILABLE", why, { mend });
}

let own: Machine | undefined;

/** Looked at once: it stays the same, and the report that tells of it takes as long as opening a bot. */
function thisMachine(): Machine {
  const { platform, arch } = process;
  own ??= { platform, arch, glibc: platform === "linux" ? glibcVersion() : undefined };
  return own;
}

const NO_NETWORK = "excludeNetwork";

/** Undefined where the C library is another one. */
function glibcVersion(): string | undefined {
  // Else the report would ask for the names of all that this process is connected with.
  const before: unknown = Reflect.get(process.report, NO_NETWORK);
  Reflect.set(process.report, NO_NETWORK, true);
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport();
  Reflect.set(process.report, NO_NETWORK, before);
  return report.header?.glibcVersionRuntime;
}

function isOld(glibc: string): boolean {
  const [major = 0, minor = 0] = glibc.split(".").map(Number);
  return major < GLIBC_MIN[0] || (major === GLIBC_MIN[0] && minor < GLIBC_MIN[1]);
}

function folderOf(resolve: Resolve): string | undefined {
  try {
    return dirname(dirname(resolve(RUNTIME)));
  } catch {
    return undefined;
  }
}

/** What is wrong with the files for a machine, where they are those of the version that is known. */
async function flawOfBuild(folder: string, platform: string, arch: string): Promise<string | undefined> {
  if ((await versionIn(folder)) !== RUNTIME_FILES.version) return undefined;
  const files = RUNTIME_FILES.files[`${platform}/${arch}`] ?? {};
  for (const [name, bytes] of Object.entries(files)) {
    const flaw = await flawOf(join(folder, RUNTIME_FILES.place, platform, arch, name), bytes);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** Undefined where it can't be told. */
async function versionIn(folder: string): Promise<string | undefined> {
  try {
    const { version }: { version?: string } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return version;
  } catch {
    return undefined;
  }
}

/** Its builds lie below the version of the interface that they are for. */
async function hasBuild(folder: string, platform: string, arch: string): Promise<boolean> {
  const builds = join(folder, "bin");
  for (const version of await readdir(builds).catch(() => [])) {
    const file = join(builds, version, platform, arch, "onnxruntime_binding.node");
    if (await stat(file).catch(() => undefined)) return true;
  }
  return false;
}
