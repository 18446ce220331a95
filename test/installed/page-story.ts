import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { differsFrom, lastJson } from "./answer-shape.ts";
import { type BackgroundServer, startInBackground } from "./background-server.ts";
import type { CodeBlock } from "./code-blocks.ts";
import { ROOT } from "./packages.ts";
import { freePorts } from "./ports.ts";
import { lacksLine } from "./printed-text.ts";
import { type Ended, run } from "./users-machine.ts";

/** Where a page's story is told. */
export interface Place {
  /** The user's project. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What is told of a piece of a program that has imports of its own. */
const CONTINUES = "continues";
/** What is told of a program in a file that another program finds by its place, so that no command names it. */
const IS_READ = "is read";
/** What is told of `text` that is compared with what the command before it prints. */
export const IS_PRINTED = "is printed";
const SERVES = /^(npx )?loredex serve\b/;
const PROMPT = /^\$ /m;
/** A program that goes to the background and writes where its block does: the block would end when that does. */
const HOLDS_ON = /^(?!.*(?:2>|&>)).*[^&>]&(?!&|\d)/m;
/** A search is asked again that does not answer as shown yet: what is written is found a moment later. */
const SEARCHES = /\/(search|suggest|retrieval)\b|\bloredex (search|suggest)\b/;
const ASKED_AGAIN_MAX = 40;
const ASKED_AGAIN_AFTER_MS = 250;

/**
 * Runs the blocks of one page in their order in one place, and throws at the first that does not do what the page says, with its line.
 *
 * `sh` is run by `bash -e -o pipefail` and keeps its variables for those after it; a line that serves runs on until the page ends. `js` with imports begins a
 * program, without them, or where a comment says `continues`, continues the one before; it is type-checked as strict TypeScript, and so is `ts`. `json` and `jsonl` must be such; right
 * behind a command `json` shows what that prints, and so does `text` where a comment says `is printed`. A block whose paragraph names a file becomes
 * that file, `md` always; a comment says `is read` of a program that no command names. Other `text` is for readers. What a block leaves running is ended with the page.
 */
export async function tellStory(blocks: readonly CodeBlock[], place: Place): Promise<void> {
  const story = new Story(place, await freePorts());
  try {
    for (const [at, block] of blocks.entries()) await told(block, () => story.tell(block, blocks.slice(at + 1)));
    await story.runProgram();
    await story.checkTypes();
  } finally {
    await story.end();
  }
}

async function told(block: Pick<CodeBlock, "page" | "line">, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(/^\S+\.md:\d+: /.test(why) ? why : `${block.page}:${block.line}: ${why}`);
  }
}

class Story {
  readonly #servers: BackgroundServer[] = [];
  #program: CodeBlock[] = [];
  /** Programs that were written anew, with their blocks. */
  readonly #unchecked = new Map<string, CodeBlock>();

  constructor(
    private readonly place: Place,
    private readonly withFreePorts: (text: string) => string,
  ) {}

  async tell(block: CodeBlock, later: readonly CodeBlock[]): Promise<void> {
    const [next] = later;
    const text = this.withFreePorts(block.text);
    if (!isProgram(block)) await this.runProgram();
    if (block.file !== undefined) {
      const isRun = later.some((one) => one.language === "sh" && one.text.includes(block.file ?? ""));
      if (isProgram(block) && !isRun && block.hint !== IS_READ) {
        throw new Error(`nobody runs ${block.file} afterwards`);
      }
      return this.#writeFile(block.file, text, block);
    }
    switch (block.language) {
      case "sh":
        return this.#runShell(
          text,
          block.hint,
          next !== undefined && showsWhatIsPrinted(next) ? { ...next, text: this.withFreePorts(next.text) } : undefined,
        );
      case "js":
      case "ts":
        if (block.hint !== CONTINUES && /^import /m.test(text)) await this.runProgram();
        else if (this.#program.length === 0) throw new Error("there is no program that it continues");
        this.#program.push({ ...block, text });
        return;
      case "json":
        JSON.parse(text);
        return;
      case "jsonl":
        for (const line of text.trimEnd().split("\n")) JSON.parse(line);
        return;
      case "text":
        return;
      case "md":
        throw new Error("a file needs a name, at the end of the paragraph before it");
      default:
        throw new Error(`nobody knows how to run ${block.language}`);
    }
  }

  /** Runs what has been told of a program, if anything has. */
  async runProgram(): Promise<void> {
    const blocks = this.#program;
    this.#program = [];
    const [first] = blocks;
    if (first === undefined) return;
    await told(first, async () => {
      const file = `program-${first.line}.${first.language === "ts" ? "mts" : "mjs"}`;
      await this.#writeFile(file, blocks.map(({ text }) => text).join(""), first);
      // Pages need not close everything in every piece that they show.
      const ended = await this.#run(process.execPath, [
        ...(first.language === "ts" ? ["--import", TSX] : []),
        "--input-type=module",
        "-e",
        `await import(${JSON.stringify(`./${file}`)}); process.exit();`,
      ]);
      succeeded(ended, 0);
    });
  }

  /** Has the compiler look at all programs at once: it takes its seconds. */
  async checkTypes(): Promise<void> {
    const names = [...this.#unchecked.keys()];
    if (names.length === 0) return;
    const ended = await this.#run(process.execPath, [TSC, ...STRICT, ...names]);
    const wrong = names.find((name) => ended.out.includes(name)) ?? names[0] ?? "";
    await told(this.#unchecked.get(wrong) ?? { page: wrong, line: 0 }, async () => succeeded(ended, 0));
  }

  async #writeFile(name: string, text: string, block: CodeBlock): Promise<void> {
    const path = join(this.place.directory, name);
    await mkdir(dirname(path), { recursive: true });
    const isKnown = (await readFile(path, "utf8").catch(() => undefined)) === text;
    await writeFile(path, text);
    if (block.language === "json") JSON.parse(text);
    if (block.language === "jsonl") for (const line of text.trimEnd().split("\n")) JSON.parse(line);
    if (!isKnown && isProgram(block)) this.#unchecked.set(name, block);
  }

  async #runShell(text: string, hint: string | undefined, shown: CodeBlock | undefined): Promise<void> {
    if (PROMPT.test(text)) throw new Error("prompts are not typed: what is printed goes into a block of `text`");
    if (HOLDS_ON.test(text)) throw new Error("what goes to the background writes into a file: `> FILE 2>&1 &`");
    const code = Number(/^ends with (\d+)$/.exec(hint ?? "ends with 0")?.[1]);
    if (Number.isNaN(code)) throw new Error(`nobody knows what this means: ${hint}`);
    const lines = text.split("\n");
    for (;;) {
      const at = lines.findIndex((line) => SERVES.test(line));
      if (at < 0) break;
      const [line = ""] = lines.slice(at);
      const before = lines.splice(0, at + 1).slice(0, -1);
      succeeded(await this.#shell(before.join("\n")), 0);
      const serving = line.includes("--port")
        ? line
        : line.replace(/\bserve\b/, this.withFreePorts("serve --port 8080"));
      this.#servers.push(
        await startInBackground(`${this.#known()}\nexec ${serving}`, this.place.directory, this.#environment()),
      );
    }
    const rest = lines.join("\n");
    for (let tries = 1; ; tries += 1) {
      const ended = await this.#shell(shown?.language === "text" ? `exec 2>&1\n${rest}` : rest);
      succeeded(ended, code);
      if (shown === undefined) return;
      const wrong = differs(shown, ended.out);
      if (wrong === undefined) return;
      if (!SEARCHES.test(rest) || tries >= ASKED_AGAIN_MAX) {
        throw new Error(`what it prints is not what is shown: ${wrong}\n${ended.out}`);
      }
      await wait(ASKED_AGAIN_AFTER_MS);
    }
  }

  /** Runs lines of shell that know the variables of those before. */
  #shell(lines: string): Promise<Ended> {
    const script = `trap 'jobs -p >> .running' EXIT\nset -ea -o pipefail\n${this.#known()}\n${lines}\nset +a\nexport -p > .variables`;
    return this.#run("bash", ["-c", script]);
  }

  /** Has the variables of earlier blocks. */
  #known(): string {
    return "if [ -f .variables ]; then . ./.variables; fi";
  }

  #run(command: string, args: readonly string[]): Promise<Ended> {
    return run(command, args, { cwd: this.place.directory, env: this.#environment() });
  }

  /** An answer of 400 and more has curl end with 22, so that no request fails unseen. */
  #environment(): NodeJS.ProcessEnv {
    return { ...this.place.env, CURL_HOME: join(ROOT, "test", "installed", "curl") };
  }

  async end(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    await this.#run("bash", ["-c", "if [ -f .running ]; then kill $(cat .running); fi"]);
    for (const name of [".variables", ".running"]) await rm(join(this.place.directory, name), { force: true });
  }
}

const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const TSX = join(ROOT, "node_modules", "tsx", "dist", "esm", "index.mjs");
const STRICT = [
  "--noEmit --strict --allowJs --checkJs --skipLibCheck --target es2023 --module nodenext --moduleResolution nodenext --types node",
  `--typeRoots ${join(ROOT, "node_modules", "@types")}`,
].flatMap((options) => options.split(" "));

function isProgram({ language }: CodeBlock): boolean {
  return language === "js" || language === "ts";
}

function succeeded({ code, out, err }: Ended, expected: number): void {
  if (code !== expected) throw new Error(`it ended with ${code}, not ${expected}\n${out}${err}`);
}

/** Whether a block shows what the command before it prints. */
function showsWhatIsPrinted({ language, file, hint }: CodeBlock): boolean {
  return file === undefined && (language === "json" || (language === "text" && hint === IS_PRINTED));
}

function differs({ language, text }: CodeBlock, printed: string): string | undefined {
  return language === "json" ? differsFrom(JSON.parse(text), lastJson(printed)) : lacksLine(text, printed);
}
