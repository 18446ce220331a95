import { open } from "node:fs/promises";
import { tryLock } from "fs-native-extensions";

/** Holds the lock of the directory that it is given, until it is killed. Plain JavaScript, so that it starts at once. */
const [, , directory] = process.argv;
const file = await open(`${directory}/lock`, "a");
console.log(tryLock(file.fd) ? "held" : "refused");
setInterval(() => file.fd, 60_000);
