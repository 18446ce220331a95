/** Checks which other users could change a data directory. Its files are private, but a user with write permission on a folder may replace them. */

import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { A_TEXT, anObject, optional } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";

const USERS_FILE = "/etc/passwd";
const GROUPS_FILE = "/etc/group";
const ROOT = 0;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
/** In a folder with this bit a user may remove only his own files. */
const STICKY = 0o1000;

/** The system's lists of users and of groups, as text. On some systems they are incomplete. */
export interface SystemUsers {
  readonly users: string;
  readonly groups: string;
}

/**
 * A warning for the operator if other users may write to a data directory or replace it, with the command that ends it. Undefined if none may,
 * if only a group without other members may, and on Windows. Access lists are not checked.
 * @param known replaces the system's lists
 */
export async function directoryExposure(directory: string, known?: SystemUsers): Promise<string | undefined> {
  requireArguments("directoryExposure", { directory, known }, { directory: A_TEXT, known: optional(anObject()) });
  const ownUser = process.geteuid?.();
  if (ownUser === undefined) return undefined;
  const path = await realpath(directory).catch(() => resolve(directory));
  let users = known;
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    const isSafe = found === undefined || (folder !== path && (found.mode & STICKY) !== 0);
    if (!isSafe) {
      users ??= await systemUsers();
      const who = whoWrites(found, ownUser, users);
      if (who !== undefined) return folder === path ? ofItself(path, who) : ofFolderAbove(path, folder, who);
    }
    if (folder === dirname(folder)) return undefined;
  }
}

interface Writers {
  readonly words: string;
  /** The mode argument of chmod that takes their permission away. */
  readonly change: string;
}

function whoWrites(
  { mode, gid }: { readonly mode: number; readonly gid: number },
  ownUser: number,
  users: SystemUsers,
): Writers | undefined {
  const group = (mode & GROUP_WRITES) === 0 ? [] : othersIn(gid, ownUser, users);
  if ((mode & OTHERS_WRITE) !== 0) {
    const change = (mode & GROUP_WRITES) === 0 ? "o-w" : "go-w";
    return { words: `every user of this machine may write to (mode ${modeOf(mode)})`, change };
  }
  const [first, second] = group;
  if (first === undefined) return undefined;
  const names = second === undefined ? `the user ${first}` : `${first} and ${group.length - 1} more of its group`;
  return { words: `${names} may write to as well (mode ${modeOf(mode)})`, change: "g-w" };
}

const modeOf = (mode: number): string => (mode & 0o7777).toString(8);

function ofItself(path: string, { words, change }: Writers): string {
  return `The data directory ${path} is one that ${words}, and so could remove and replace what is in it. End that: chmod ${change} ${path}`;
}

function ofFolderAbove(path: string, folder: string, { words, change }: Writers): string {
  return `The data directory ${path} lies in ${folder}, which ${words}, and so could put another in its place. End that: chmod ${change} ${folder}, or have each user remove only his own there: chmod +t ${folder}`;
}

/** Names of the users of a group, without this user and root, who may do everything anyway. */
function othersIn(group: number, ownUser: number, { users, groups }: SystemUsers): string[] {
  const rows = users.split("\n").map((line) => line.split(":"));
  const ownNames = new Set(
    rows.flatMap(([name = "", , number]) => ([ownUser, ROOT].includes(Number(number)) ? [name] : [])),
  );
  const byUser = rows.flatMap(([name = "", , , number]) => (Number(number) === group && name !== "" ? [name] : []));
  const byGroup = groups
    .split("\n")
    .map((line) => line.split(":"))
    .flatMap(([, , number, members = ""]) => (number === String(group) ? members.split(",") : []));
  return [...new Set([...byUser, ...byGroup])].filter((name) => name !== "" && !ownNames.has(name));
}

async function systemUsers(): Promise<SystemUsers> {
  const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
  const [users, groups] = await Promise.all([read(USERS_FILE), read(GROUPS_FILE)]);
  return { users, groups };
}
