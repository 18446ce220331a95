import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfNeeded } from "../../examples/first-start/build.mjs";
import { npm } from "./npm.ts";

/** The project's root. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A package as it would be published. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Its packed file. */
  readonly tarball: string;
  /** Its `package.json`, as it is in there. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The paths of its files, from the package's directory. */
  readonly files: readonly string[];
}

let packed: Promise<readonly Packed[]> | undefined;

/** Packs every package, built anew where its sources have changed: once for all who ask. */
export function packedPackages(): Promise<readonly Packed[]> {
  packed ??= packAll();
  return packed;
}

async function packAll(): Promise<readonly Packed[]> {
  buildIfNeeded(ROOT);
  // Files that run at the same time pack for themselves.
  const destination = join(ROOT, ".tmp", `packed-${process.env.VITEST_POOL_ID}`);
  await rm(destination, { recursive: true, force: true });
  await mkdir(destination, { recursive: true });
  const { workspaces } = await json<{ workspaces: string[] }>(join(ROOT, "package.json"));
  const chosen = workspaces.flatMap((workspace) => ["-w", workspace]);
  const { code, out, err } = await npm(["pack", "--json", ...chosen, "--pack-destination", destination], ROOT);
  if (code !== 0) throw new Error(`npm pack failed: ${err}`);
  const all = JSON.parse(out) as { name: string; version: string; filename: string; files: { path: string }[] }[];
  const manifests = await Promise.all(
    workspaces.map((workspace) => json<Record<string, unknown>>(join(ROOT, workspace, "package.json"))),
  );
  return all.map(({ name, version, filename, files }) => ({
    name,
    version,
    tarball: join(destination, filename),
    manifest: manifests.find((manifest) => manifest.name === name) ?? {},
    files: files.map(({ path }) => path),
  }));
}

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}
