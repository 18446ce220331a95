import { expect, it } from "vitest";
import { parse } from "yaml";
import { filesBelow, read } from "../tidy/source-files.ts";

const WORKFLOWS = filesBelow(".github", /\.ya?ml$/);
const RELEASE = ".github/workflows/release.yml";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

it("every action that a workflow uses is one commit, not a name that can be moved", () => {
  const used = WORKFLOWS.flatMap((file) => [...read(file).matchAll(/\buses: *(.+)/g)].map((match) => match[1] ?? ""));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((each) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(each))).toEqual([]);
});

const PUBLISHING = ["publish", "publish-python"];

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

it("a workflow may read and nothing else, but for the jobs that are let publish", () => {
  for (const file of WORKFLOWS) {
    const { permissions, jobs } = parse(read(file));
    expect(permissions).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries<Job>(jobs)) {
      const isPublishing = file === RELEASE && PUBLISHING.includes(name);
      expect(job.permissions).toEqual(isPublishing ? { contents: "read", "id-token": "write" } : undefined);
    }
  }
});

it("what may publish waits for its reviewers, and runs nothing of the sources", () => {
  const jobs: Readonly<Record<string, Job>> = parse(read(RELEASE)).jobs;
  for (const name of PUBLISHING) {
    const { needs, environment, steps } = jobs[name] ?? { steps: [] };
    expect(needs).toBe("build");
    expect(environment).toMatch(/^(npm|pypi)$/);
    expect(steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout"))).toEqual([]);
    for (const { run = "npm publish" } of steps) {
      expect(run).toContain("npm publish");
      expect(run).not.toMatch(/npm (ci|install|run|test)|npx/);
    }
  }
});

it("a release has all packages, each after those that it needs, with provenance", () => {
  const command = /for name in\s+([\w\s-]+?)\s*; do npm publish --provenance --access public /.exec(read(RELEASE));
  const packed = (command?.[1] ?? "").split(/\s+/);
  const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`));
  const all = filesBelow("packages", /^package\.json$/)
    .filter((file) => file.split("/").length === 3)
    .map((file) => manifestOf(file.replace("/package.json", "")))
    .filter((manifest) => manifest.private !== true);
  const byPacked = new Map(all.map((manifest) => [manifest.name.replace("@", "").replace("/", "-"), manifest]));
  expect(packed.toSorted()).toEqual([...byPacked.keys()].toSorted());
  const published = new Set<string>();
  for (const name of packed) {
    const { name: full = "", dependencies = {} } = byPacked.get(name) ?? {};
    const ours = Object.keys(dependencies).filter((each) => each.startsWith("@loredex/"));
    expect(ours.filter((each) => !published.has(each))).toEqual([]);
    published.add(full);
  }
});

it("a release has all packages in Python, of the version that the tag names", () => {
  const command = /for name in\s+([\w\s-]+?)\s*; do python -m build packages\/\$name --outdir python /.exec(
    read(RELEASE),
  );
  const files = filesBelow("packages", /^pyproject\.toml$/);
  expect(files.length).toBeGreaterThanOrEqual(3);
  expect(
    (command?.[1] ?? "")
      .split(/\s+/)
      .map((name) => `packages/${name}/pyproject.toml`)
      .toSorted(),
  ).toEqual(files.toSorted());
  const { version } = JSON.parse(read("packages/loredex/package.json"));
  for (const file of files) expect(/^version = "(.*)"$/m.exec(read(file))?.[1]).toBe(version);
});
