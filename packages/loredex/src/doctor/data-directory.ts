import { checkDirectory, type DirectoryCondition, directoryExposure, findServerSocket } from "@loredex/core";
import { isListening } from "../operator/socket-operator.ts";
import { sized } from "../terminal/terminal.ts";
import { type Check, fine, note, wrong } from "./check.ts";

/** The longest wait for a server's answer, in milliseconds. A slower server is stuck. */
const ANSWER_MS_MAX = 5_000;
const RESTART = "Start it again; its log may say why.";

const DIRECTORY = "data directory";
const DISK = "disk";
export const HOLDER = "holder";

/** The server that takes commands for a directory: `none` also if it has died, `stuck` if it has not answered in time. */
type Server = "answers" | "stuck" | "none";

/** Checks a data directory, and asks the server that holds it, if there is one. Changes nothing. */
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

/** Notes that damage is not checked here: reading all files may take long. */
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
  // The server writes the files, so root may use the directory through it.
  const isMoot = server === "answers" && refusal?.code === "WRONG_USER";
  if (refusal !== undefined && !isMoot) return wrong(DIRECTORY, refusal);
  return fine(DIRECTORY, exists ? path : `${path} is not there yet; "loredex serve" and "loredex bot create" make it`);
}

/** Notes that other users may write to the directory. It is no failure, since it may be intended. */
function checkOthers(exposure: string | undefined): Check[] {
  return exposure === undefined ? [] : [note("permissions", { message: exposure })];
}

export function checkDisk({ freeBytes, full }: Pick<DirectoryCondition, "freeBytes" | "full">): Check[] {
  if (full !== undefined) return [wrong(DISK, full)];
  return freeBytes === undefined ? [] : [fine(DISK, `${sized(freeBytes)} free`)];
}

/** Checks the holder of the directory. An app with its own engine holds it rightfully, which is a note. A stuck server is a failure. */
function checkHolder({ exists, lock, refusal }: DirectoryCondition, server: Server): Check {
  if (server === "answers") return fine(HOLDER, "a running server, which takes commands");
  if (server === "stuck")
    return wrong(HOLDER, { message: `A server has the directory and does not answer. ${RESTART}` });
  if (lock === undefined)
    return fine(HOLDER, exists && refusal !== undefined ? "nobody that this user can see" : "nobody");
  return lock.code === "DIRECTORY_IN_USE" ? note(HOLDER, lock) : wrong(HOLDER, lock);
}
