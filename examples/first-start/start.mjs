/** What `npm start` runs: builds what is missing, makes the bot `demo` on the first start, and serves. */

import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildIfNeeded } from "./build.mjs";
import { howToAsk, STOP, whereTheConsoleIs } from "./said.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HOST = "127.0.0.1";
/** The admin key whose rights the sign-in code gives. It is made by the first start, and nobody is shown its text. */
const START_KEY = "npm start";
const USAGE = "usage: npm start -- [--port 8080] [--data ./data]";

/** Something that the person can settle: no stack trace. */
class StartError extends Error {}

/** @param {string[]} args */
async function start(args) {
  const { port, data } = readArguments(args);
  const directory = resolve(data ?? "data");
  if (!existsSync(join(ROOT, "node_modules")))
    throw new StartError('The dependencies are not installed yet: run "npm ci".');
  // Looked at first: nobody wants to wait for a build to hear it.
  await requireFreePort(port);
  try {
    buildIfNeeded(ROOT);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
  // Only now: before the build there may be nothing to import.
  const { LoredexError, serve } = await import("loredex");
  const { DEMO, makeDemo } = await import("./demo-bot.mjs");

  const server = await serve({ directory, host: HOST, port, console: {}, logger: logLine }).catch((error) => {
    if (!(error instanceof LoredexError) || error.code !== "DIRECTORY_IN_USE") throw error;
    throw new StartError(
      `${directory} is in use by another Loredex. Stop that one first, or take another directory: npm start -- --data DIR`,
    );
  });
  stopOnSignal(() => server.close());
  try {
    const made = await makeDemo(server.engine, ROOT);
    console.log(whereTheConsoleIs(server, await server.signInCode(START_KEY)));
    if (made === undefined) sayServing(server.url, data, DEMO);
    else console.log(howToAsk(server.url, made, DEMO));
  } catch (error) {
    await server.close();
    // Stopped by a signal meanwhile: the next start makes the demo anew.
    if (!(error instanceof LoredexError) || error.code !== "CLOSED") throw error;
  }
}

/**
 * @param {string} url
 * @param {string | undefined} data as it was given
 * @param {string} name
 */
function sayServing(url, data, name) {
  console.log(`
Loredex serves on ${url}, with what is in ${data ?? "./data"}

The key of "${name}" was shown at the first start. If it is lost, give the bot a new one:

  node packages/loredex/dist/cli.js key rotate ${name}${data === undefined ? "" : ` --data ${data}`}

${STOP}`);
}

/**
 * What a person should know stays visible; the rest is for a server's log.
 * @type {import("loredex").Logger}
 */
function logLine({ level, message, error }) {
  if (level !== "info") console.error(`${level}: ${message}`, error ?? "");
}

/** @param {() => Promise<void>} stop finishes what runs and lets the data go */
function stopOnSignal(stop) {
  let stopping = false;
  const onSignal = () => {
    // Ctrl-C can arrive twice: from the terminal, and passed on by npm.
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
}

/** @param {string[]} args */
function readArguments(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: { port: { type: "string" }, data: { type: "string" } } }));
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
  const text = values.port ?? (process.env.PORT || "8080");
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new StartError(`The port must be a number from 0 to 65535, not "${text}".\n${USAGE}`);
  return { port, data: values.data };
}

/** @param {number} port */
async function requireFreePort(port) {
  const probe = createServer();
  try {
    await new Promise((listening, failed) => {
      probe.once("error", failed).listen({ port, host: HOST }, () => listening(undefined));
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const other = `Take another one: npm start -- --port ${port === 8_080 ? 8_081 : 8_080}`;
    if (code === "EADDRINUSE") throw new StartError(`Port ${port} is taken by another program. ${other}`);
    if (code === "EACCES") throw new StartError(`Port ${port} needs rights that you do not have. ${other}`);
    throw error;
  } finally {
    probe.close();
  }
}

try {
  await start(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
