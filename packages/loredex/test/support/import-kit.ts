import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { type ImportKind, type ImportReport, importSources } from "@loredex/import";
import { onTestFinished } from "vitest";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import { importTarget } from "../../src/operator/import-target.ts";
import type { Operator } from "../../src/operator/operator.ts";
import { writeFiles } from "./files.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface Given {
  readonly source?: string;
  readonly sync?: boolean;
  readonly drafts?: boolean;
  readonly kind?: ImportKind;
  readonly encoding?: string;
  readonly operator?: Operator;
}

/** A bot in memory, and a folder to import from. */
export async function openForImport() {
  const engine = await Engine.open();
  const operator = engineOperator(engine, { ownsEngine: true });
  onTestFinished(() => operator.close());
  await operator.createBot({ name: "bot" });
  const directory = await temporaryDirectory();
  const at = (name: string): string => join(directory, name);
  return {
    at,
    bot: await engine.bot("bot"),
    operator,
    write: (files: Readonly<Record<string, string>>) => writeFiles(directory, files),
    remove: (name: string) => rm(at(name), { recursive: true }),
    import: (
      names: readonly string[],
      { source, sync = false, drafts, kind, encoding, operator: way = operator }: Given = {},
    ) =>
      importSources(importTarget(way, "bot"), names.map(at), {
        botName: "bot",
        type: "DOCUMENT",
        sync,
        ...(source === undefined ? {} : { source }),
        ...(drafts === undefined ? {} : { drafts }),
        ...(kind === undefined ? {} : { kind }),
        ...(encoding === undefined ? {} : { encoding }),
        onProgress: () => undefined,
        onProblem: () => undefined,
      }),
    /** Ids with their texts. */
    texts: async (): Promise<Record<string, string>> => {
      const documents = await (await engine.bot("bot")).listDocuments();
      return Object.fromEntries(
        documents.map((one) => [one.resourceDocId, one.type === "QNA" ? one.answer : (one.content[0]?.md ?? "")]),
      );
    },
    sources: async (): Promise<Record<string, number>> =>
      Object.fromEntries((await operator.listSources("bot")).map(({ name, documents }) => [name, documents])),
  };
}

/** What was wrong, a line each. */
export const why = ({ problems }: ImportReport): string => problems.map(({ message }) => message).join("\n");
