import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { requestFaultsOf } from "../../packages/http/test/support/described.ts";
import { sharedService } from "../http/service.ts";
import { codeBlocks } from "../installed/code-blocks.ts";
import { read } from "../tidy/source-files.ts";

/** What the nodes of docs/n8n.md describe is sent to a server, and compared with the OpenAPI document. n8n itself is not run. */

const PAGE = "docs/n8n.md";
const service = sharedService();

interface Node {
  readonly name: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials?: { readonly httpHeaderAuth: { readonly name: string } };
}

interface Workflow {
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>>;
}

type Item = Readonly<Record<string, unknown>>;

/** What a model gives for a parameter. */
type FromAi = (key: string, description: string, type: string) => unknown;

const page = read(PAGE);
const workflows = codeBlocks(PAGE, page)
  .filter(({ file }) => file?.endsWith(".json"))
  .map(({ text }) => JSON.parse(text) as Workflow);
const [asking, tool] = workflows;
if (asking === undefined || tool === undefined) throw new Error(`${PAGE} has not both of its blocks`);

/** A parameter's value: what begins with "=" is an expression in braces. */
function evaluated(parameter: unknown, $json: Item, $fromAI?: FromAi): unknown {
  const [, expression] = /^=\{\{(.*)\}\}$/s.exec(String(parameter)) ?? [];
  return expression === undefined ? parameter : runInNewContext(expression, { $json, $fromAI });
}

/** Sends what an HTTP Request node describes, with the credential that the page describes. */
async function requested({ parameters }: Node, key: string, $json: Item, $fromAI?: FromAi) {
  const method = String(parameters.method);
  const { pathname } = new URL(String(evaluated(parameters.url, $json)));
  const body = String(evaluated(parameters.jsonBody, $json, $fromAI));
  const [, header = ""] = /^- \*Name\*: `(.+)`$/m.exec(page) ?? [];
  const headers = { [header]: key, "content-type": "application/json" };
  const answer = await service().send<readonly Item[]>(method, pathname, { body, headers });
  return { method, pathname, body: JSON.parse(body) as unknown, answer };
}

/** The fields that an Edit Fields node makes of an item. */
function edited({ parameters }: Node, item: Item): Item {
  const { assignments } = parameters.assignments as {
    assignments: { readonly name: string; readonly value: unknown }[];
  };
  return Object.fromEntries(assignments.map(({ name, value }) => [name, evaluated(value, item)]));
}

function node({ nodes }: Workflow, name: string): Node {
  const found = nodes.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no node ${name}`);
  return found;
}

async function botWithHours() {
  const bot = await service().bot();
  await bot.publish({ title: "Opening hours", body: "We open at nine.\n\nThe refund desk closes at five.\n" });
  return bot;
}

describe("the workflow of docs/n8n.md", () => {
  it("has its nodes in a row", () => {
    const row = ["Start"];
    for (let next = asking.connections.Start; next !== undefined; next = asking.connections[row.at(-1) ?? ""]) {
      row.push(...next.main.flat().map((to) => to.node));
    }
    expect(row).toEqual(asking.nodes.map(({ name }) => name));
  });

  it("asks as the OpenAPI document describes it, and makes an item of each document", async () => {
    const { key } = await botWithHours();
    const item = edited(node(asking, "Question"), {});
    const { method, pathname, body, answer } = await requested(node(asking, "Search"), key, item);
    expect(requestFaultsOf(method, pathname, body)).toEqual([]);
    expect(body).toEqual({ query: item.question, options: { topK: 4 } });
    expect(answer.json.map((each) => edited(node(asking, "Quote"), each))).toEqual([
      { title: "Opening hours", text: "The refund desk closes at five.", lines: "3-3", score: expect.any(Number) },
    ]);
  });

  it("cuts a question that is too long for the service, and escapes quotes", async () => {
    const { key } = await botWithHours();
    for (const question of ["desk ".repeat(2_000), 'the "desk"\n\\']) {
      const { answer } = await requested(node(asking, "Search"), key, { question });
      expect(answer.status).toBe(200);
    }
  });
});

describe("the tool of docs/n8n.md", () => {
  it("asks what the model chose, as the OpenAPI document describes it", async () => {
    const { key } = await botWithHours();
    const asked: unknown[] = [];
    const fromAi: FromAi = (...parameter) => {
      asked.push(parameter);
      return "when does the refund desk close?";
    };
    const { method, pathname, body, answer } = await requested(node(tool, "search_knowledge"), key, {}, fromAi);
    expect(requestFaultsOf(method, pathname, body)).toEqual([]);
    expect(asked).toEqual([["question", expect.any(String), "string"]]);
    expect(answer.json).toMatchObject([{ similarTextParts: [{ text: "The refund desk closes at five." }] }]);
  });
});

it("every node that asks has a timeout, follows no redirect, and names the credential of the page", () => {
  const asks = workflows.flatMap(({ nodes }) => nodes.filter(({ type }) => /\.httpRequest(?:Tool)?$/.test(type)));
  expect(asks).toHaveLength(2);
  for (const { parameters, credentials } of asks) {
    expect(parameters).toMatchObject({
      authentication: "genericCredentialType",
      genericAuthType: "httpHeaderAuth",
      sendBody: true,
      specifyBody: "json",
      options: { redirect: { redirect: { followRedirects: false } }, timeout: 30_000 },
    });
    expect(page).toContain(`: \`${credentials?.httpHeaderAuth.name}\``);
  }
});

it("a request that the description does not allow would be caught", () => {
  expect(requestFaultsOf("POST", "/api/v1/knowledge/search", { question: "x" })).not.toEqual([]);
  expect(requestFaultsOf("POST", "/api/v1/search", { query: "x" })).toHaveLength(1);
});
