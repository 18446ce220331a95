import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EmbedderError } from "@loredex/core";
import { type ModelPlace, modelMend } from "./model-check.ts";
import { flawOf, reinstalling } from "./whole-files.ts";

/** The native library that runs the model. */
const RUNTIME = "onnxruntime-node";
/** Older versions of glibc lack functions that it calls. */
const GLIBC_MIN = [2, 27] as const;
const ON_GLIBC = "run Loredex on a Linux with glibc 2.27 or later, for example in the image node:22-slim";
const ON_ANOTHER_MACHINE = "run Loredex on Linux with glibc, macOS or Windows, on x64 or arm64";

/** Properties of the machine that the native library depends on. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Version of glibc; undefined with another C library, as on Alpine Linux. Only read on Linux. */
  readonly glibc: string | undefined;
}

/** Returns the path of a package's main file. @throws Error if it is not installed */
export type Resolve = (name: string) => string;

const require = createRequire(import.meta.url);
const find: Resolve = (name) => require.resolve(name);

/**
 * Checks if the native library can run here, without loading it.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE` with the remedy
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

/** The error for an installed library that does not load. */
export function broken(reason: string): EmbedderError {
  const folder = folderOf(find);
  return missing(`its program can't be loaded: ${reason}`, folder === undefined ? installing() : reinstalling(folder));
}

/** The error for a model whose files have changed. */
export function damaged(reason: string, place: ModelPlace): EmbedderError {
  return missing(`its model can't be read: ${reason}`, modelMend(place));
}

/** The command that installs the version that this package is made for. */
export function installing(): string {
  const { optionalDependencies, dependencies } = ownManifest();
  const version = optionalDependencies?.[RUNTIME] ?? dependencies?.[RUNTIME];
  return `npm install ${version === undefined ? RUNTIME : `${RUNTIME}@${version}`}`;
}

/** Empty in a bundle, which has no manifest. */
function ownManifest(): Manifest {
  try {
    return require("../package.json");
  } catch {
    return {};
  }
}

/** The used part of this package's own manifest. */
interface Manifest {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function missing(why: string, mend: string): EmbedderError {
  return new EmbedderError("EMBEDDER_UNAVAILABLE", why, { mend });
}

let own: Machine | undefined;

/** Read once: it does not change, and the report takes as long as opening a bot. */
function thisMachine(): Machine {
  const { platform, arch } = process;
  own ??= { platform, arch, glibc: platform === "linux" ? glibcVersion() : undefined };
  return own;
}

const NO_NETWORK = "excludeNetwork";

/** Undefined with another C library. */
function glibcVersion(): string | undefined {
  // Without this, the report would look up the names of all connected hosts.
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

/** Returns the flaw of the library's files for a machine, if they are of the known version. */
async function flawOfBuild(folder: string, platform: string, arch: string): Promise<string | undefined> {
  if ((await versionIn(folder)) !== RUNTIME_FILES.version) return undefined;
  const files = RUNTIME_FILES.files[`${platform}/${arch}`] ?? {};
  for (const [name, bytes] of Object.entries(files)) {
    const flaw = await flawOf(join(folder, RUNTIME_FILES.place, platform, arch, name), bytes);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** Undefined if it is unknown. */
async function versionIn(folder: string): Promise<string | undefined> {
  try {
    const { version }: { version?: string } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return version;
  } catch {
    return undefined;
  }
}

/** True if the library has a build for the machine. Its builds are in folders of the interface's version. */
async function hasBuild(folder: string, platform: string, arch: string): Promise<boolean> {
  const builds = join(folder, "bin");
  for (const version of await readdir(builds).catch(() => [])) {
    const file = join(builds, version, platform, arch, "onnxruntime_binding.node");
    if (await stat(file).catch(() => undefined)) return true;
  }
  return false;
}

/** The files of the native library with their lengths in bytes, for the version that this package is made for. Other versions are unknown. */
export const RUNTIME_FILES: {
  readonly version: string;
  /** Their path in its folder, above the platform and the architecture. */
  readonly place: string;
  readonly files: Readonly<Record<string, Readonly<Record<string, number>>>>;
} = {
  version: "1.17.0",
  place: "bin/napi-v3",
  files: {
    "darwin/arm64": { "onnxruntime_binding.node": 199_240, "libonnxruntime.1.17.0.dylib": 23_952_016 },
    "darwin/x64": { "onnxruntime_binding.node": 216_448, "libonnxruntime.1.17.0.dylib": 26_674_400 },
    "linux/arm64": { "onnxruntime_binding.node": 238_448, "libonnxruntime.so.1.17.0": 12_532_240 },
    "linux/x64": { "onnxruntime_binding.node": 216_752, "libonnxruntime.so.1.17.0": 15_465_144 },
    "win32/arm64": { "onnxruntime_binding.node": 299_440, "onnxruntime.dll": 10_786_848 },
    "win32/x64": { "onnxruntime_binding.node": 231_360, "onnxruntime.dll": 10_944_544 },
  },
};
