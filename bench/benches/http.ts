import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { withCorpus, withRealPages } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { onCore } from "../measuring/cores.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import { median, spreadOf } from "../measuring/measures.ts";
import { type Aim, report } from "../measuring/report.ts";

/**
 * How many searches a server answers in a second, and how long the slowest hundredth takes, beside a bare server of node:http that parses JSON and writes it again. Each in a
 * process of its own, on a core of its own where that can be said, with the clients on another and the English encoder beside them; one server after the other, the order reversed each round.
 */

const PASSAGES = 2_000;
const QUESTIONS = 1_000;
const SERVERS = ["Loredex", "echo"] as const;
const QUALITIES = { Loredex: ["fast", "best"], echo: ["fast"] } as const;
const CONNECTIONS = [1, 16];
const PAGES_CONNECTIONS = 16;
const ROUNDS = 3;
const SECONDS = 4;

interface Load {
  readonly requestsPerSecond: number;
  readonly answerBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

export async function http(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  await ofPassages(options);
  await ofRealPages(options);
}

async function ofPassages({ short, json, sizes }: BenchOptions): Promise<void> {
  await withCorpus(short ? 300 : (sizes?.[0] ?? PASSAGES), short ? 20 : QUESTIONS, async ({ directory, passages }) => {
    const all = new Map<string, Load[]>();
    const connectionsOf = short ? [2] : CONNECTIONS;
    for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
      for (const server of round % 2 === 0 ? SERVERS : [...SERVERS].reverse()) {
        await serving(server, directory, 0, async (load) => {
          for (const quality of QUALITIES[server]) {
            // The first second is a rehearsal: nothing of it has been compiled before.
            await load(1, Math.max(...connectionsOf), quality);
            for (const connections of connectionsOf) {
              const name = nameOf(server, quality, connections);
              all.set(name, [...(all.get(name) ?? []), await load(short ? 1 : SECONDS, connections, quality)]);
            }
          }
        });
      }
    }
    const loadsOf = (name: string): readonly Load[] => all.get(name) ?? [];
    const rows = connectionsOf.flatMap((connections) =>
      SERVERS.flatMap((server) =>
        QUALITIES[server].map((quality) => ({
          server: server === "echo" ? server : `${server}, ${quality} quality`,
          passages,
          connections,
          ...figuresOf(loadsOf(nameOf(server, quality, connections)), loadsOf(nameOf("echo", "fast", connections))),
        })),
      ),
    );
    report({ json }, rows, rows.filter(({ server }) => server === "Loredex, fast quality").map(aimOf));
  });
}

/** A bot as users have them, with the static embedder, beside an echo whose answers are about as long. The echo comes second, as it takes their size. */
async function ofRealPages({ short, json }: BenchOptions): Promise<void> {
  await withRealPages(short, async ({ directory, passages }) => {
    const [answers, echoes]: [Load[], Load[]] = [[], []];
    const [seconds, connections] = short ? [1, 2] : [SECONDS, PAGES_CONNECTIONS];
    const loadOf = (server: string, bytes: number): Promise<Load> =>
      serving(server, directory, bytes, async (load) => {
        // A rehearsal, as above.
        await load(1, connections, "fast");
        return load(seconds, connections, "fast");
      });
    for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
      const answered = await loadOf("static", 0);
      answers.push(answered);
      echoes.push(await loadOf("echo", Math.round(answered.answerBytes)));
    }
    const rows = [
      { server: "Loredex, real pages", passages, ...figuresOf(answers, echoes) },
      { server: "echo of such answers", passages, ...figuresOf(echoes, echoes) },
    ];
    const measured = rows[0]?.["requests/s"];
    report({ json }, rows, [{ what: "real pages: answers a second", measured, aim: 800, is: "at least" }]);
  });
}

/** The figures of a row: medians over the rounds, the most failures of any, and the rate beside that of an echo. */
function figuresOf(loads: readonly Load[], echoes: readonly Load[]) {
  const of = (figure: keyof Load, from = loads): number => median(from.map((load) => load[figure]));
  return {
    "requests/s": of("requestsPerSecond"),
    "kB an answer": of("answerBytes") / 1_000,
    "p50 ms": of("p50Ms"),
    "p99 ms": of("p99Ms"),
    failed: Math.max(...loads.map(({ failed }) => failed)),
    "× echo": of("requestsPerSecond") / of("requestsPerSecond", echoes),
    spread: spreadOf(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  };
}

function nameOf(server: string, quality: string, connections: number): string {
  return [server, quality, connections].join(", ");
}

function aimOf(row: { readonly connections: number; readonly "× echo": number }): Aim {
  const what = `fast quality, ${row.connections} connections: requests × echo`;
  return { what, measured: row["× echo"], aim: 0.12, is: "at least" };
}

type AskLoad = (seconds: number, connections: number, quality: string) => Promise<Load>;

/** Starts a server, runs the work that asks it, and stops it. `bytes` is what an echo adds to its answers. */
async function serving<Result>(
  what: string,
  directory: string,
  bytes: number,
  work: (load: AskLoad) => Promise<Result>,
): Promise<Result> {
  const path = fileURLToPath(new URL("../programs/http-server.ts", import.meta.url));
  const [program = "", ...args] = onCore(0, [
    process.execPath,
    "--import",
    "tsx",
    path,
    what,
    directory,
    String(bytes),
  ]);
  const server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line");
    const { port, keys } = JSON.parse(line);
    return await work(async (seconds, connections, quality) => {
      const measured = await freshProcess(
        "http-load.ts",
        [port, keys[quality] ?? "", directory, seconds, connections].map(String),
        (command) => onCore(1, command),
      );
      // Boundary: a program of this folder, which answers with its figures.
      return measured as Load;
    });
  } finally {
    server.stdin.end();
  }
}
