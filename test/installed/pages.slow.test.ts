import { cp, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whyNotInstalled } from "./npm.ts";
import { ROOT } from "./packages.ts";
import { tellStory } from "./page-story.ts";
import { ON_THE_COMMAND_LINE, type Page, pagesWithCode } from "./pages.ts";
import { environmentOf, installedProject, type Project } from "./project.ts";
import { type OwnRegistry, openRegistry } from "./registry.ts";
import { directoryElsewhere, removeDirectoriesAfterwards, run } from "./users-machine.ts";

/** What the examples' pages ask their reader to copy. */
const COPIED = ["examples", "docs"];
/** What some pages ask their reader to copy, beside which their stories happen. */
const SHOP = "examples/acme";
const WITH_THE_SHOP = ["docs/tutorial.md", "docs/import.md"];
/** A page that installs what it needs begins in an empty directory; for all others everything is installed. */
const INSTALLS = /^npm install /m;

/** A reader goes back and begins anew: in full each page is told twice in one place. */
const TELLINGS = process.env.TESTS_SHORT === "1" ? 1 : 2;

const why = await whyNotInstalled();
const pages = pagesWithCode();
const told = pages.filter(({ blocks }) => blocks.length > 0);
removeDirectoriesAfterwards();

describe.skipIf(why !== undefined)(`every page${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
  let project: Project;
  let registry: OwnRegistry;

  beforeAll(async () => {
    registry = await openRegistry();
    project = await installedProject({ scripts: false });
  });
  afterAll(() => registry.close());

  /** A directory as the page's text has it before its first block. */
  async function beforeTheFirstBlock({ name, blocks }: Page): Promise<string> {
    const directory = await directoryElsewhere();
    if (name.startsWith("examples/")) {
      for (const folder of COPIED) await cp(join(ROOT, folder), join(directory, folder), { recursive: true });
    }
    if (WITH_THE_SHOP.includes(name)) await cp(join(ROOT, SHOP), join(directory, basename(SHOP)), { recursive: true });
    if (blocks.some(({ text }) => INSTALLS.test(text))) return directory;
    await cp(join(project.directory, "package.json"), join(directory, "package.json"));
    await symlink(join(project.directory, "node_modules"), join(directory, "node_modules"));
    return directory;
  }

  it.each(told)(`$name does what it says${TELLINGS === 2 ? ", twice" : ""}`, async (page) => {
    const directory = await beforeTheFirstBlock(page);
    const env = {
      ...environmentOf({ directory }),
      npm_config_registry: registry.url,
      npm_config_ignore_scripts: "true",
      // A page runs Next.js, which would tell its makers.
      NEXT_TELEMETRY_DISABLED: "1",
    };
    for (let telling = 0; telling < TELLINGS; telling++) await tellStory(page.blocks, { directory, env });
  });

  it("the pages on the command line show commands as their --help does", async () => {
    const shown = pages
      .filter(({ name }) => ON_THE_COMMAND_LINE.test(name))
      .flatMap(({ texts }) => texts)
      .flatMap(({ page, text, line }) =>
        text.split("\n").map((command, at) => ({ command, place: `${page}:${line + 1 + at}` })),
      )
      .filter(({ command }) => command.startsWith("loredex "));
    expect(shown.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const { command, place } of shown) {
      const [, ...words] = command.split(/\s+/);
      const path = words.slice(
        0,
        words.findIndex((word) => !/^[a-z]+$/.test(word)),
      );
      const { code, out } = await run("loredex", [...(path.length === 0 ? words : path), "--help"], {
        cwd: project.directory,
        env: environmentOf(project),
      });
      const known = new Set(out.match(/--?[a-z-]+|[A-Z]+/g));
      const unknown = [...(command.match(/--[a-z-]+|\b[A-Z]{2,}\b/g) ?? [])].filter((word) => !known.has(word));
      if (code !== 0 || unknown.length > 0) wrong.push(`${place}: ${command}: ${unknown.join(" ")}`);
    }
    expect(wrong).toEqual([]);
  });
});
