import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freshProcess } from "../../measuring/in-rounds.ts";
import { median, spreadOf } from "../../measuring/measures.ts";
import type { FilledBots } from "./filled-bots.ts";
import type { Lengths, Measured } from "./measured.ts";

/**
 * Searches a second over HTTP on one, two and three nodes, each a process. Nodes, clients and PostgreSQL share the cores of this machine: on two cores the third
 * node can bring nothing, and the second one hardly anything. What the rows show there is that nodes take nothing from each other.
 */

const NODES = [1, 2, 3];
/** Over all nodes together; a multiple of each number of nodes. */
const CONNECTIONS = 12;
/** As many as an argument of a program may have. */
const QUESTIONS_MAX = 200;

interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

export async function measureNodes(url: string, filled: FilledBots, { rounds, ms }: Lengths): Promise<Measured> {
  const [bot] = filled.bots;
  const nodes: ChildProcess[] = [];
  const all = new Map<number, Load[]>();
  try {
    const ports: string[] = [];
    for (const _ of NODES) {
      const path = fileURLToPath(new URL("../../programs/cluster-node.ts", import.meta.url));
      const args = ["--import", "tsx", path, url, bot?.id ?? ""];
      const node = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
      nodes.push(node);
      const [port] = await once(createInterface({ input: node.stdout }), "line");
      ports.push(String(port));
    }
    const questions = JSON.stringify(filled.questions.slice(0, QUESTIONS_MAX));
    const load = async (count: number, seconds: number): Promise<Load> => {
      const args = [ports.slice(0, count).join(","), bot?.key ?? "", questions, String(seconds), String(CONNECTIONS)];
      // Boundary: a program of this folder, which answers with its figures.
      return (await freshProcess("cluster-load.ts", args)) as Load;
    };
    const seconds = Math.ceil(ms / 1_000);
    // A rehearsal: nothing of it has been compiled before.
    await load(NODES.length, seconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const count of round % 2 === 0 ? NODES : [...NODES].reverse()) {
        all.set(count, [...(all.get(count) ?? []), await load(count, seconds)]);
      }
    }
  } finally {
    for (const node of nodes) node.stdin?.end();
  }
  const each = (count: number, figure: keyof Load): number[] => all.get(count)?.map((load) => load[figure]) ?? [];
  const rows = NODES.map((count) => ({
    nodes: count,
    cores: availableParallelism(),
    passages: filled.passages,
    connections: CONNECTIONS,
    "searches/s": median(each(count, "requestsPerSecond")),
    "× one node": median(each(count, "requestsPerSecond")) / median(each(1, "requestsPerSecond")),
    "p50 ms": median(each(count, "p50Ms")),
    "p99 ms": median(each(count, "p99Ms")),
    failed: Math.max(...each(count, "failed")),
    spread: spreadOf(each(count, "requestsPerSecond")),
  }));
  return { rows, aims: [] };
}
