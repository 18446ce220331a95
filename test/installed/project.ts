import { delimiter, join } from "node:path";
import { type NpmEnded, npm } from "./npm.ts";
import { packedPackages } from "./packages.ts";
import { directoryElsewhere, usersEnvironment } from "./users-machine.ts";

/** A project of a user's: an empty directory outside of this checkout in which our packages are installed. */
export interface Project {
  readonly directory: string;
  /** What `npm install` said. */
  readonly installed: NpmEnded;
}

/** Begins a project and installs all packed packages in it. The directory is removed by `removeDirectoriesAfterwards`. */
export async function installedProject({
  scripts = true,
  settings = {},
}: {
  /** Whether install scripts run. */
  readonly scripts?: boolean;
  /** Settings of npm, as `npm_config_NAME`. */
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<Project> {
  const directory = await directoryElsewhere();
  const begun = await npm(["init", "-y"], directory);
  if (begun.code !== 0) throw new Error(`npm init failed: ${begun.err}`);
  const tarballs = (await packedPackages()).map(({ tarball }) => tarball);
  const installed = await npm(["install", ...(scripts ? [] : ["--ignore-scripts"]), ...tarballs], directory, settings);
  return { directory, installed };
}

/** What a command run in a project finds: the programs that were installed there come first. */
export function environmentOf({ directory }: Pick<Project, "directory">): NodeJS.ProcessEnv {
  const environment = usersEnvironment();
  return { ...environment, PATH: [join(directory, "node_modules", ".bin"), environment.PATH].join(delimiter) };
}
