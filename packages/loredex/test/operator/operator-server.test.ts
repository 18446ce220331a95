import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { Engine, findServerSocket } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectOperator } from "../../src/operator/connect.ts";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import type { Operator } from "../../src/operator/operator.ts";
import { serveOperator } from "../../src/operator/operator-server.ts";
import { isListening, socketOperator } from "../../src/operator/socket-operator.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const logger = (): void => undefined;

async function openEngine(directory?: string): Promise<Engine> {
  const engine = await Engine.open(directory === undefined ? {} : { directory });
  onTestFinished(() => engine.close());
  return engine;
}

async function serving(directory: string, changes: Partial<Operator> = {}) {
  const events: string[] = [];
  const operator = { ...engineOperator(await openEngine()), ...changes };
  const server = await serveOperator(operator, { directory, logger: ({ event }) => events.push(event) });
  onTestFinished(() => server.close());
  return { server, path: (await findServerSocket(directory)) ?? "", events };
}

/** Something that listens and says nothing. */
async function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe("the socket", () => {
  it("lies in the data directory, and only its owner may open it", async () => {
    const directory = await temporaryDirectory();
    const { path } = await serving(directory);
    expect(path).toBe(join(directory, "loredex.sock"));
    expect(await mode(path)).toBe(0o600);
  });

  it("leaves the rights of other new files as they were", async () => {
    const before = process.umask(0o022);
    await serving(await temporaryDirectory());
    expect(process.umask(before)).toBe(0o022);
  });

  it("lies in a private directory where the path is too long, and leaves nothing behind", async () => {
    const directory = join(await temporaryDirectory(), "d".repeat(110));
    await mkdir(directory);
    const { server, path } = await serving(directory);
    expect(await readFile(join(directory, "loredex.sock-path"), "utf8")).toBe(path);
    expect(await mode(dirname(path))).toBe(0o700);
    expect(await isListening(path)).toBe(true);
    await server.close();
    expect(await readdir(directory)).toEqual([]);
    await expect(stat(dirname(path))).rejects.toThrow("ENOENT");
  });

  it("of a server that died is replaced, wherever it lies", async () => {
    for (const below of ["", "d".repeat(110)]) {
      const directory = join(await temporaryDirectory(), below);
      await mkdir(directory, { recursive: true });
      // The first is never closed before the second is made, as after a crash.
      const dead = await serving(directory);
      const { path } = await serving(directory);
      expect(await isListening(path)).toBe(true);
      if (below !== "") expect(await isListening(dead.path)).toBe(false);
    }
  });

  it("that cannot be made is told as that, with the system's reason in words", async () => {
    for (const name of ["loredex.sock", "loredex.sock-path"]) {
      const directory = await temporaryDirectory();
      await mkdir(join(directory, name));
      await expect(serving(directory)).rejects.toMatchObject({
        code: "STORAGE_FAILED",
        message: expect.stringMatching(
          /^The socket for commands, .*loredex\.sock, cannot be made: (this is a folder|the system does not permit it)\./,
        ),
      });
    }
  });

  it("is not looked for where a pointer leads astray, and no file is lost by it", async () => {
    const [directory, elsewhere] = [await temporaryDirectory(), await temporaryDirectory()];
    await writeFile(join(elsewhere, "precious"), "");
    const stranger = join(elsewhere, "loredex.sock");
    await listenAt(stranger);
    await writeFile(join(directory, "loredex.sock-path"), stranger);
    const { server } = await serving(directory);
    await server.close();
    expect((await readdir(elsewhere)).sort()).toEqual(["loredex.sock", "precious"]);
  });
});

describe("a server for commands", () => {
  const ask = (path: string, operation: string, body: string): Promise<{ status: number; answer: unknown }> =>
    new Promise((resolve, reject) => {
      request({ socketPath: path, path: operation, method: "POST" })
        .on("response", async (response) => {
          resolve({ status: response.statusCode ?? 0, answer: JSON.parse(await text(response)) });
        })
        .on("error", reject)
        .end(body);
    });

  it("tells another version that it does not know what is asked for", async () => {
    const { path } = await serving(await temporaryDirectory());
    for (const operation of ["/operator/2/listBots", "/operator/1/close", "/operator/1/constructor", "/"]) {
      expect(await ask(path, operation, "[]")).toMatchObject({
        status: 400,
        answer: { error: { code: "UNSUPPORTED_FORMAT", message: expect.stringContaining("another version") } },
      });
    }
  });

  it("survives what is no request, and logs what it could not do", async () => {
    const { path, events } = await serving(await temporaryDirectory());
    expect(await ask(path, "/operator/1/listBots", "{")).toMatchObject({ status: 500 });
    expect(await ask(path, "/operator/1/listBots", "{}")).toMatchObject({ status: 400 });
    expect(events).toEqual(["operatorFailed"]);
    expect(await isListening(path)).toBe(true);
  });

  it("finishes what it has begun when it is closed, and takes nothing more", async () => {
    let finish = (): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const { server, path, events } = await serving(await temporaryDirectory(), {
      whenSearchable: () => {
        begin();
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    const operator = socketOperator(path);
    onTestFinished(() => operator.close());
    await operator.createBot({ name: "one" });
    const slow = operator.whenSearchable("one");
    await begun;
    const closed = server.close();
    await expect(operator.listBots()).rejects.toThrow("stopped before it answered");
    finish();
    await slow;
    await closed;
    expect(await isListening(path)).toBe(false);
    expect(events).toEqual([]);
  });

  it("is closed although a command keeps its connections open", async () => {
    const { server, path, events } = await serving(await temporaryDirectory());
    const operator = socketOperator(path);
    onTestFinished(() => operator.close());
    await Promise.all(Array.from({ length: 10 }, () => operator.listBots()));
    await server.close();
    expect(events).toEqual([]);
    await expect(operator.listBots()).rejects.toThrow("stopped before it answered");
  });
});

describe("the way to a data directory", () => {
  const connect = async (directory: string, create = false, patienceMs = 200): Promise<Operator> => {
    const operator = await connectOperator({ kind: "directory", directory }, { create, logger, patienceMs });
    onTestFinished(() => operator.close());
    return operator;
  };

  it("is the server that holds it, else the directory itself", async () => {
    const directory = join(await temporaryDirectory(), "data");
    const alone = await connect(directory, true);
    await alone.createBot({ name: "one" });
    await alone.close();
    const engine = await openEngine(directory);
    const server = await serveOperator(engineOperator(engine), { directory, logger });
    const beside = await connect(directory);
    expect(await beside.listBots()).toHaveLength(1);
    await beside.createBot({ name: "two" });
    expect(engine.listBots()).toHaveLength(2);
    await beside.close();
    await server.close();
    await engine.close();
    expect(await (await connect(directory)).listBots()).toHaveLength(2);
  });

  it("is made only where that is meant", async () => {
    const directory = join(await temporaryDirectory(), "data");
    await expect(connect(directory)).rejects.toThrow("no data directory");
    await writeFile(directory, "a file");
    await expect(connect(directory)).rejects.toThrow("is a file, not a directory");
  });

  it("is closed while another program holds it that takes no commands", async () => {
    const directory = await temporaryDirectory();
    await openEngine(directory);
    await expect(connect(directory)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
  });

  it("is waited for if the other one is done in a moment", async () => {
    const directory = await temporaryDirectory();
    const engine = await openEngine(directory);
    const connecting = connect(directory, false, 15_000);
    // Long enough for a first attempt that fails; if it is not, the second one finds the same.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await engine.close();
    expect(await (await connecting).listBots()).toEqual([]);
  });
});
