import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server that a command line has started. */
export interface BackgroundServer {
  /** Where it listens. */
  readonly url: string;
  /** Everything that it has written so far: its log is on stderr. */
  readonly err: () => string;
  /** Has it end as Ctrl-C would, and resolves when it has. */
  readonly stop: () => Promise<void>;
}

const SERVES = /^Loredex serves on (https?:\S+)$/m;

/** Starts a line of shell that serves, and waits until it says where. */
export async function startInBackground(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<BackgroundServer> {
  // A group of its own: npx and the shell stand between us and the server.
  const child = spawn("bash", ["-c", line], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    err += piece;
  });
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      out += piece;
      const said = SERVES.exec(out);
      if (said?.[1] !== undefined) resolve(said[1]);
    });
    child.on("error", reject);
    void ended.then(() => reject(new Error(`the server did not start: ${line}\n${out}${err}`)));
  });
  const stop = async (): Promise<void> => {
    // It has ended by itself if the group is no more.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGINT");
    await ended;
  };
  return { url, err: () => err, stop };
}
