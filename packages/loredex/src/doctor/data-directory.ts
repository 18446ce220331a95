import { checkDirectory, type DirectoryCondition, directoryExposure, findServerSocket } from "@loredex/core";
import { isListening } from "../operator/socket-operator.ts";
import { sized } from "../terminal/terminal.ts";
import { type Check, fine, note, wrong } from "./check.ts";

/** A server that has not answered by then is stuck. */
const ANSWER_MS_MAX = 5_000;
const RESTART = "Start it again; its log may say why.";

const DIRECTORY = "data directory";
const DISK = "disk";
export const HOLDER = "holder";

/** Who takes commands for a directory: `none` also where one has died, `stuck` where one has not answered in time. */
type Server = "answers" | "stuck" | "none";

/** Looks at a data directory, and asks the server that holds it, if one does. Changes nothing in it. */
export async function checkDataDirectory(directory: string, answerMsMax = ANSWER_MS_MAX): Promise<Check[]> {
  const server = await findServer(directory, answerMsMax);
  const condition = await checkDirectory(directory);
  const exposure = await directoryExposure(directory);
  return [
    checkUse(condition, server),
    ...checkOthers(exposure),
    ...checkDisk(condition),
    checkHolder(condition, server),
    ...damage(condition),
  ];
}

/** Reading all of it may take long. */
function damage({ exists }: DirectoryCondition): Check[] {
  if (!exists) return [];
  return [note("damage", { message: 'Not looked for here; "loredex verify" reads every file and finds it.' })];
}

async function findServer(directory: string, answerMsMax: number): Promise<Server> {
  const socket = await findServerSocket(directory);
  if (socket === undefined) return "none";
  const late = AbortSignal.timeout(answerMsMax);
  if (await isListening(socket, late)) return "answers";
  return late.aborted ? "stuck" : "none";
}

function checkUse({ path, exists, refusal }: DirectoryCondition, server: Server): Check {
  // Through a server root may do everything: the server writes.
  const isMoot = server === "answers" && refusal?.code === "WRONG_USER";
  if (refusal !== undefined && !isMoot) return wrong(DIRECTORY, refusal);
  return fine(DIRECTORY, exists ? path : `${path} is not there yet; "loredex serve" and "loredex bot create" make it`);
}

/** Others who may write there are told and no failure: perhaps they are to. */
function checkOthers(exposure: string | undefined): Check[] {
  return exposure === undefined ? [] : [note("permissions", { message: exposure })];
}

export function checkDisk({ freeBytes, full }: Pick<DirectoryCondition, "freeBytes" | "full">): Check[] {
  if (full !== undefined) return [wrong(DISK, full)];
  return freeBytes === undefined ? [] : [fine(DISK, `${sized(freeBytes)} free`)];
}

/** An app that has the engine inside holds its directory by right: that is worth a note, and no failure. A server that is stuck is one. */
function checkHolder({ exists, lock, refusal }: DirectoryCondition, server: Server): Check {
  if (server === "answers") return fine(HOLDER, "a running server, which takes commands");
  if (server === "stuck")
    return wrong(HOLDER, { message: `A server has the directory and does not answer. ${RESTART}` });
  if (lock === undefined)
    return fine(HOLDER, exists && refusal !== undefined ? "nobody that this user can see" : "nobody");
  return lock.code === "DIRECTORY_IN_USE" ? note(HOLDER, lock) : wrong(HOLDER, lock);
}
