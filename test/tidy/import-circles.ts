import { posix } from "node:path";

/**
 * Files that import each other, by whatever way round: each circle as the way through it, from its first file back to that. `importsOf`
 * tells what a file imports, types included; what does not begin with a dot comes from outside and closes no circle.
 */
export function importCircles(files: readonly string[], importsOf: (file: string) => readonly string[]): string[] {
  const known = new Set(files);
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (file: string): void => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const imported of importsOf(file)) {
      const target = posix.join(posix.dirname(file), imported);
      if (imported.startsWith(".") && known.has(target)) follow(target);
    }
    way.pop();
    done.add(file);
  };
  for (const file of files) follow(file);
  return circles;
}
