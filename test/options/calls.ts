import { join } from "node:path";
import * as client from "@loredex/client";
import * as console from "@loredex/console";
import * as core from "@loredex/core";
import * as encoder from "@loredex/encoder";
import * as hnswlib from "@loredex/hnswlib";
import * as http from "@loredex/http";
import * as imports from "@loredex/import";
import * as files from "@loredex/import/files";
import * as mcp from "@loredex/mcp";
import * as minilm from "@loredex/minilm";
import * as multilingual from "@loredex/multilingual";
import * as openai from "@loredex/openai";
import * as postgres from "@loredex/postgres";
import * as loredex from "loredex";
import type { Call, Parameter } from "./signatures.ts";

/** What the calls are made on. */
export interface Stage {
  readonly client: client.LoredexClient;
  readonly admin: client.LoredexAdmin;
  /** In memory, with a bot named `shop`. */
  readonly engine: core.Engine;
  readonly bot: core.Bot;
  readonly insights: core.Insights;
  readonly operator: loredex.Operator;
  readonly api: http.ApiServer;
  readonly server: loredex.RunningServer;
  readonly inspection: core.OpenInspection;
}

export async function openStage(directory: string): Promise<Stage> {
  const engine = await core.Engine.open({ embedders: {} });
  await engine.createBot({ name: "shop" });
  const server = await loredex.serve({ directory: join(directory, "served"), port: 0, embedders: {} });
  const empty = await core.Engine.open({ directory: join(directory, "inspected"), embedders: {} });
  await empty.close();
  return {
    client: new client.LoredexClient({ baseUrl: "http://127.0.0.1:1", key: "k", attemptsMax: 1 }),
    admin: new client.LoredexAdmin({ baseUrl: "http://127.0.0.1:1", key: "k", attemptsMax: 1 }),
    engine,
    bot: await engine.bot("shop"),
    insights: await engine.insights("shop"),
    operator: loredex.engineOperator(engine),
    api: http.createApiServer(engine),
    server,
    inspection: await core.inspectDirectory(join(directory, "inspected")),
  };
}

export async function closeStage({ inspection, server, engine }: Stage): Promise<void> {
  await inspection.close();
  await server.close();
  await engine.close();
}

/** What each package exports. */
const PACKAGES: Readonly<Record<string, object>> = {
  client,
  console,
  core,
  encoder,
  hnswlib,
  http,
  import: { ...imports, ...files },
  loredex,
  mcp,
  minilm,
  multilingual,
  openai,
  postgres,
};

/** An object of each class and interface whose methods are called by users. */
function receiverOf(owner: string, stage: Stage): object | undefined {
  const receivers: Readonly<Record<string, object>> = {
    Administration: stage.engine.administration,
    ApiServer: stage.api,
    Bot: stage.bot,
    Insights: stage.insights,
    Engine: stage.engine,
    ImportTarget: loredex.importTarget(stage.operator, "shop"),
    LoredexAdmin: stage.admin,
    LoredexClient: stage.client,
    OpenInspection: stage.inspection,
    Operator: stage.operator,
    RunningServer: stage.server,
  };
  return receivers[owner];
}

/** Makes a call with this for one of its parameters, and something that they take for the others. @throws whatever it throws */
export function madeWith(call: Call, parameter: string, given: unknown, stage: Stage): unknown {
  const all = call.parameters.map((each) => (each.id === parameter ? given : validFor(each, stage)));
  return made(call, all, stage);
}

/** What a call throws or rejects with; a text where it does not. */
export async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const result: unknown = await call();
    // A generator begins with the first that is asked for.
    if (isGenerator(result)) await result.next();
  } catch (error) {
    return error;
  }
  return "nothing was refused";
}

function isGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function made({ id }: Call, given: readonly unknown[], stage: Stage): unknown {
  const [, place = "", isNew, path = "", method] = /^(\w+) (new )?([\w.]+)(?:#(\w+))?$/.exec(id) ?? [];
  if (method !== undefined)
    return Reflect.apply(functionOf(receiverOf(path, stage), method), receiverOf(path, stage), given);
  const names = path.split(".");
  const holder = names
    .slice(0, -1)
    .reduce<unknown>((within, name) => Reflect.get(Object(within), name), PACKAGES[place]);
  const called = functionOf(holder, names.at(-1) ?? "");
  return isNew === undefined ? Reflect.apply(called, holder, given) : Reflect.construct(called, given);
}

// biome-ignore lint/complexity/noBannedTypes: any function is called here
function functionOf(holder: unknown, name: string): Function {
  const found: unknown = Reflect.get(Object(holder), name);
  if (typeof found === "function") return found;
  throw new Error(`${name} is no function of what the test has`);
}

/** Something that a parameter takes, by its type or its name; a function needs it only where it has several parameters. */
function validFor({ name, type, shape }: Parameter, stage: Stage): unknown {
  const { bot, engine, operator } = stage;
  const byType: Readonly<Record<string, unknown>> = {
    Answering: bot,
    ApiEngine: engine,
    ArgumentPlace: ARGUMENT,
    "readonly GoldenInput[]": [{ question: "How long do refunds take?", expected: ["d"] }],
    "{ readonly source: DocumentOrigin }": { source: { source: "docs" } },
    "AsyncIterable<Uint8Array>": nothing(),
    "Blob | Uint8Array": new Uint8Array(),
    DocumentStatus: "active",
    'Schemas["AdminDocumentStatus"]["status"]': "active",
    EmbedderOffer: { languages: ["en"] },
    EncoderModel: MODEL,
    Engine: engine,
    ImportTarget: bot,
    Operator: operator,
    "Promise<Result>": Promise.resolve(),
    SourceOwner: bot,
    RegistrationKind: "agent",
    SyncOptions: { by: "key" },
    UpsertOptions: { by: "key" },
  };
  if (type in byType) return byType[type];
  const byName: Readonly<Record<string, unknown>> = { bot: "shop", document: DOCUMENT, idOrName: "shop" };
  if (name in byName) return byName[name];
  if (shape.takes.has("object")) return ARTICLE_NAMES.has(name) ? ARTICLE : {};
  if (shape.takes.has("list")) return [];
  if (shape.takes.has("boolean")) return true;
  if (shape.takes.has("undefined")) return undefined;
  return shape.takes.has("function") ? () => undefined : "text";
}

const ARTICLE_NAMES = new Set(["article", "changes", "input", "patch"]);
const ARTICLE = { title: "Refunds", body: "Refunds take five days." };
const DOCUMENT = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "Refunds take five days." }] };
const ARGUMENT = { name: "docs", kind: "folder", path: "/docs", ids: "" } as const;
const MODEL = {
  packageName: "@loredex/none",
  directory: "nowhere",
  program: new URL("file:///nowhere.js"),
  weight: 0.5,
  calibrate: (cosine: number) => cosine,
};

async function* nothing(): AsyncGenerator<Uint8Array> {}
