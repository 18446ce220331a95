import { describe, expect, it } from "vitest";
import { exchange, KNOWLEDGE } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

/** An answer as bytes, without what differs from request to request by design. */
function comparable(answer: string): string {
  return answer.replace(/^(date|x-request-id):.*\r\n/gim, "");
}

describe("another bot's knowledge", () => {
  it("is never found, listed or filtered out of hiding", async () => {
    const [mine, theirs] = [await service().bot(), await service().bot()];
    const { id } = await theirs.publish({ title: "Secret plan", body: "The submarine leaves at dawn." });
    await theirs.import({ resourceDocId: "doc", type: "PDF", content: [{ md: "The submarine is yellow." }] });
    expect(await mine.ids("submarine")).toEqual([]);
    expect((await mine.suggest({ prefix: "secret" })).json.data).toEqual([]);
    expect(await mine.ids("Secret plan", { filters: { resourceDocId: id } })).toEqual([]);
    expect((await mine.list()).json.data).toEqual([]);
    expect((await mine.list({ id })).json.data).toEqual([]);
    expect((await mine.list({ title: "Secret plan" })).json.data).toEqual([]);
    expect((await theirs.ids("submarine")).sort()).toEqual([id, "doc"].sort());
  });

  it("is answered, route by route, byte for byte like what does not exist", async () => {
    const [mine, theirs] = [await service().bot(), await service().bot()];
    const { id } = await theirs.add({ title: "Secret plan", body: "Words." });
    const body = '{"title":"Taken over"}';
    const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const query = JSON.stringify({ query: "words", filters: { resourceDocId: id } });
    const posted = (path: string, value: unknown) => {
      const text = JSON.stringify(value);
      const headers = `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
      return `POST ${KNOWLEDGE}/${path} HTTP/1.1\r\n${headers}|${text}`;
    };
    const requests = [
      `GET ${KNOWLEDGE}?id=${id} HTTP/1.1\r\n|`,
      `PUT ${KNOWLEDGE}/${id} HTTP/1.1\r\n${json}|${body}`,
      `PUT ${KNOWLEDGE}/${id} HTTP/1.1\r\n${json}|{"title":"x","a":"b"} `,
      `DELETE ${KNOWLEDGE}/${id} HTTP/1.1\r\n|`,
      `GET ${KNOWLEDGE}/${id} HTTP/1.1\r\n|`,
      `GET ${KNOWLEDGE}/${id} HTTP/1.1\r\nIf-None-Match: *\r\n|`,
      `DELETE ${KNOWLEDGE}/${id} HTTP/1.1\r\nIf-Match: "x"\r\n|`,
      posted("preview", { id, title: "Taken over" }),
      posted("batch", {
        operations: [
          { op: "delete", id },
          { op: "update", id, article: { title: "Taken over" } },
        ],
      }),
      `POST ${KNOWLEDGE}/search HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n|${query}`,
    ];
    const ask = () =>
      Promise.all(
        requests.map(async (request) => {
          const [head = "", payload = ""] = request.split("|");
          const bytes = `${head}Host: a\r\nConnection: close\r\nx-api-key: ${mine.key}\r\n\r\n${payload}`;
          return comparable(await exchange(service().port, bytes));
        }),
      );
    const foreign = await ask();
    const statuses = foreign.map((answer) => answer.slice(9, 12)).join(" ");
    expect(statuses).toBe("200 404 404 404 404 404 404 404 200 200");
    expect((await theirs.list({ id })).json.data[0]).toMatchObject({ title: "Secret plan", body: "Words." });
    await theirs.remove(id);
    expect(await ask()).toEqual(foreign);
  });

  it("counts against its own quota only", async () => {
    const [mine, theirs] = [await service().bot({ quotaCharacters: 20 }), await service().bot()];
    await theirs.add({ title: "Long", body: "b".repeat(1_000) });
    expect((await mine.create({ title: "abc", body: "d" })).json.characterUsed).toBe(4);
  });

  it("may have the same ids of imported documents without mixing", async () => {
    const [a, b] = [await service().bot(), await service().bot()];
    await a.import({ resourceDocId: "same", type: "PDF", content: [{ md: "A giraffe." }] });
    await b.import({ resourceDocId: "same", type: "PDF", content: [{ md: "An elephant." }] });
    expect(await a.ids("elephant")).toEqual([]);
    expect(await b.ids("elephant")).toEqual(["same"]);
    await (await a.core()).removeDocument("same");
    expect(await a.ids("giraffe")).toEqual([]);
    expect(await b.ids("elephant")).toEqual(["same"]);
  });

  it("does not change the scores of mine", async () => {
    const [alone, mine, theirs] = [await service().bot(), await service().bot(), await service().bot()];
    const document = { resourceDocId: "d", type: "PDF" as const, content: [{ md: "A giraffe eats leaves." }] };
    for (let i = 0; i < 20; i += 1) await theirs.add({ title: `Giraffe ${i}`, body: "Giraffes, giraffes." });
    await theirs.allActive();
    await alone.import(document);
    await mine.import(document);
    expect(await mine.find("giraffe leaves")).toEqual(await alone.find("giraffe leaves"));
  });
});
