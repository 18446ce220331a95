import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { compared } from "../../examples/demo-cluster/at-rest.mjs";
import { Told } from "../../examples/demo-cluster/load.mjs";
import { startProxy } from "../../examples/demo-cluster/proxy.mjs";

async function node(answer: RequestListener): Promise<{ readonly url: string; end(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const { port } = server.address() as AddressInfo;
  const end = () => new Promise<void>((settle) => server.close(() => settle()));
  onTestFinished(end);
  return { url: `http://127.0.0.1:${port}`, end };
}

async function proxyOf(nodes: readonly { readonly url: string }[]) {
  const proxy = await startProxy(() => nodes.map(({ url }) => url));
  onTestFinished(proxy.close);
  return proxy;
}

/** Answers with its name and the body. */
const saying =
  (name: string): RequestListener =>
  (request, response) =>
    void request.setEncoding("utf8").on("data", (body) => response.end(`${name}: ${body}`));

describe("the proxy", () => {
  test("asks nodes in turn, and passes a node that is gone over", async () => {
    const [a, b] = [await node(saying("a")), await node(saying("b"))];
    const { url } = await proxyOf([a, b]);
    const ask = async () => (await fetch(url, { method: "POST", body: "walrus" })).text();
    expect([await ask(), await ask(), await ask()].sort()).toEqual(["a: walrus", "b: walrus", expect.any(String)]);
    await a.end();
    expect([await ask(), await ask()]).toEqual(["b: walrus", "b: walrus"]);
    await b.end();
    const refused = await fetch(url, { method: "POST", body: "walrus" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  test("sends nothing twice: a request whose node dies with it gets no answer", async () => {
    let sent = 0;
    const dying = await node((request) => {
      sent += 1;
      request.socket.destroy();
    });
    const { url } = await proxyOf([dying, dying]);
    await expect(fetch(url, { method: "POST", body: "walrus" })).rejects.toThrow();
    expect(sent).toBe(1);
  });
});

describe("what the load has shown", () => {
  function told(kills: readonly number[], created = 9): Told {
    const told = new Told();
    Object.assign(told, { created, changed: 3, answered: 1, kills });
    told.deleted.add("1");
    return told;
  }

  test("is enough if a node was killed between acknowledged writes", () => {
    expect(told([4]).unshown).toEqual([]);
    expect(told([4]).writes).toBe(13);
    expect(told([0, 4, 4, 9, 13]).killsUnderWrites).toBe(1);
    expect(told([2, 7]).killsUnderWrites).toBe(2);
  });

  test.each([[[]], [[0]], [[13]], [[4, 4]]])(
    "is nothing if all kills were before, after or without writes: %j",
    (kills) => {
      expect(told(kills).unshown).toEqual(["no node was killed while articles were written"]);
    },
  );

  test("is nothing without writes and answers", () => {
    expect(new Told().unshown).toHaveLength(5);
    expect(told([2], 0).unshown).toEqual(["no article was created"]);
  });
});

describe("what a node has at rest", () => {
  const article = (id: string, body: string) => ({ id, title: id, body });

  test("is compared with what was acknowledged", () => {
    const told = new Told();
    told.bodies.set("1", "one").set("2", "two");
    told.deleted.add("3");
    const whole = { lost: 0, back: 0, twice: 0 };
    // One that was refused may be there all the same.
    expect(compared([article("1", "one"), article("2", "two"), article("4", "four")], told)).toMatchObject(whole);
    expect(compared([article("1", "one"), article("2", "before")], told)).toMatchObject({ ...whole, lost: 1 });
    expect(compared([article("1", "one")], told)).toMatchObject({ ...whole, lost: 1 });
    const back = [article("1", "one"), article("2", "two"), article("3", "three")];
    expect(compared(back, told)).toMatchObject({ ...whole, back: 1 });
    const again = { ...article("5", "one"), title: "1" };
    expect(compared([article("1", "one"), article("2", "two"), again], told)).toMatchObject({ ...whole, twice: 1 });
  });
});
