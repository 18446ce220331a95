import type { SimulatedDisk } from "../storage/kit.ts";

export interface DirectorySizes {
  /** Of all files but caches. */
  readonly all: number;
  readonly caches: number;
  /** Of the newest whole snapshot. */
  readonly snapshot: number;
  /** Whether a snapshot is being written. */
  readonly isWriting: boolean;
}

/** The sizes in bytes of a store's files on a simulated disk. */
export async function sizesOf(disk: SimulatedDisk, store: string): Promise<DirectorySizes> {
  const directory = `${disk.directory}/stores/${store}`;
  const sizes = new Map<string, number>();
  for (const name of await disk.fileSystem.readDirectory(directory)) {
    sizes.set(name, (await disk.fileSystem.stat(`${directory}/${name}`))?.bytes ?? 0);
  }
  const newest = [...sizes.keys()]
    .filter((name) => name.endsWith(".manifest"))
    .sort()
    .at(-1)
    ?.slice(0, 19);
  const sum = (names: (name: string) => boolean) =>
    [...sizes].reduce((total, [name, bytes]) => total + (names(name) ? bytes : 0), 0);
  const caches = sum((name) => name.includes(".cache"));
  const generations = [...sizes.keys()].filter((name) => name.startsWith("snapshot-")).map((name) => name.slice(0, 19));
  return {
    isWriting: generations.some((generation) => !sizes.has(`${generation}.manifest`)),
    all: sum(() => true) - caches,
    caches,
    snapshot: newest === undefined ? 0 : sum((name) => name.startsWith(newest)),
  };
}
