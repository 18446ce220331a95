import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { run } from "./users-machine.ts";

/** A browser without a window, driven by the Chrome DevTools Protocol over pipes: it needs no package. */

const PROGRAMS = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"];
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"];

/** The Chromium of this machine, or undefined if it has none. */
export async function chromium(): Promise<string | undefined> {
  for (const program of PROGRAMS) {
    if (program === undefined) continue;
    const ended = await run(program, ["--version"], { cwd: process.cwd() }).catch(() => undefined);
    if (ended?.code === 0) return program;
  }
  return undefined;
}

type Parameters = Readonly<Record<string, unknown>>;
type Listener = (parameters: Parameters) => void;

interface Message {
  readonly id?: number;
  readonly result?: Parameters;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: Parameters;
}

export class Browser {
  readonly #process: ChildProcess;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #listeners = new Map<string, Listener>();
  #sent = 0;

  /** @param directory of the browser's profile */
  constructor(program: string, directory: string) {
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"] as const;
    this.#process = spawn(program, [...FLAGS, `--user-data-dir=${directory}`, "about:blank"], { stdio: [...stdio] });
    let text = "";
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (piece: string) => {
      const messages = (text + piece).split("\0");
      text = messages.pop() ?? "";
      for (const message of messages) this.#received(JSON.parse(message) as Message);
    });
  }

  #received(message: Message): void {
    if (message.id === undefined) this.#listeners.get(message.method ?? "")?.(message.params ?? {});
    else this.#answers.get(message.id)?.(message);
  }

  send(method: string, params: Parameters = {}, sessionId?: string): Promise<Parameters> {
    this.#sent += 1;
    const id = this.#sent;
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#answers.set(id, ({ result, error }) => {
        this.#answers.delete(id);
        if (result === undefined) reject(new Error(`${method}: ${error?.message}`));
        else resolve(result);
      });
    });
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, listener);
  }

  async page(url: string): Promise<Page> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, String(sessionId));
    await page.send("Page.navigate", { url });
    return page;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill();
    await once(this.#process, "exit");
  }
}

export class Page {
  constructor(
    private readonly browser: Browser,
    private readonly session: string,
  ) {}

  send(method: string, params: Parameters = {}): Promise<Parameters> {
    return this.browser.send(method, params, this.session);
  }

  /** The value of an expression in the page, which must be JSON. */
  async value(expression: string): Promise<unknown> {
    const { result } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    return (result as { value?: unknown }).value;
  }

  /** The visible text of the first element that a selector finds; empty without one. */
  async text(selector: string): Promise<string> {
    return String(await this.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`));
  }

  /** Types a text as a keyboard does, where the focus is. */
  async type(text: string): Promise<void> {
    for (const character of text) await this.send("Input.insertText", { text: character });
  }

  async press(key: string): Promise<void> {
    for (const type of ["keyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", {
        type,
        key,
        code: key,
        ...(CODES[key] && { windowsVirtualKeyCode: CODES[key] }),
      });
    }
  }
}

/** Key codes of Windows, without which keys do nothing by themselves. */
const CODES: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, " ": 32, ArrowUp: 38, ArrowDown: 40 };
