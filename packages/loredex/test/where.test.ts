import { describe, expect, it } from "vitest";
import { allOf, conditionOf, filterOfJson } from "../src/commands/where.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

describe("a condition of the command line", () => {
  it.each<[string, object]>([
    ["type=PDF", { type: { eq: "PDF" } }],
    ["metaData.team != sales", { "metaData.team": { ne: "sales" } }],
    ["metaData.year=2020", { "metaData.year": { in: [2020, "2020"] } }],
    ["metaData.draft!=true", { "metaData.draft": { nin: [true, "true"] } }],
    ['metaData.zip="02134"', { "metaData.zip": { eq: "02134" } }],
    ['metaData.note=""', { "metaData.note": { eq: "" } }],
    ["metaData.year>=2020", { "metaData.year": { gte: 2020 } }],
    ["metaData.year>2020", { "metaData.year": { gt: 2020 } }],
    ["metaData.since<=2020-01-01", { "metaData.since": { lte: "2020-01-01" } }],
    ["metaData.size < -1.5e3", { "metaData.size": { lt: -1500 } }],
    ["metaData.team in billing, sales,7", { "metaData.team": { in: ["billing", "sales", 7, "7"] } }],
    ['metaData.team in ["a, b", 7]', { "metaData.team": { in: ["a, b", 7] } }],
    ["metaData.team nin billing", { "metaData.team": { nin: ["billing"] } }],
    ["metaData.tags contains a = b", { "metaData.tags": { contains: "a = b" } }],
    ['url startsWith "https://a.example/ "', { url: { startsWith: "https://a.example/ " } }],
    ["url exists", { url: { exists: true } }],
    ["metaData.title=salt and pepper", { "metaData.title": { eq: "salt and pepper" } }],
    ['metaData.title="a and b = c"', { "metaData.title": { eq: "a and b = c" } }],
    ['metaData.sign="=="', { "metaData.sign": { eq: "==" } }],
    ["url exists false", { url: { exists: false } }],
    ["metaData.place of birth=Rome", { "metaData.place of birth": { eq: "Rome" } }],
  ])("%j is read", (given, filter) => {
    expect(conditionOf(given)).toEqual(filter);
  });

  it.each([
    ["type", "--where takes FIELD with one of != >= <= = > <"],
    ["=PDF", "--where takes FIELD"],
    ["type=", "lacks a value"],
    ["type in", "lacks a value"],
    ["type containsPDF", "--where takes FIELD"],
    ["url exists maybe", "true, false or nothing"],
    ['type="PDF', "written as in JSON"],
    ["type in [PDF]", "is JSON"],
    ["metaData.team == billing", "stands in double quotes"],
    ["metaData.year=>2024", "stands in double quotes"],
    ["metaData.year<>2024", "stands in double quotes"],
    ["metaData.team='billing'", "stands in double quotes"],
    ["metaData.team in (billing, shop)", "stands in double quotes"],
    ["metaData.title not contains x", "--where-json"],
    ["metaData.team in billing and metaData.year=2024", "another --where"],
    ["metaData.team=billing or metaData.team = people", "another --where"],
  ])("%j is wrong usage", (given, why) => {
    expect(() => conditionOf(given)).toThrow(why);
  });

  it("stands beside others, of the same field too", () => {
    const [one, other] = [conditionOf("metaData.a>1"), conditionOf("metaData.a<5")];
    expect(allOf([one, { type: "PDF" }])).toEqual({ "metaData.a": { gt: 1 }, type: "PDF" });
    expect(allOf([one, other])).toEqual({ and: [one, other] });
  });

  it("may be JSON", () => {
    expect(filterOfJson('{"or":[{"type":"PDF"}]}')).toEqual({ or: [{ type: "PDF" }] });
    for (const given of ["[]", "1", "null", "{", ""]) expect(() => filterOfJson(given)).toThrow("takes a JSON object");
  });
});

describe("a search with conditions", () => {
  it("finds what fits all of them, and says which one is wrong", async () => {
    const directory = await temporaryDirectory();
    const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", `${directory}/data`);
    const line = (id: string, metaData: object): string =>
      JSON.stringify({ ...JSON.parse(documentLine(id, "Money is kept in the bank.")), metaData });
    const lines = [
      line("old", { year: 1999 }),
      line("new", { year: 2024, team: "billing" }),
      line("text", { year: "2024" }),
    ];
    await writeFiles(directory, { "all.jsonl": lines.join("\n") });
    await at("bot", "create", "shop", "--embedder", "none");
    await at("import", "shop", `${directory}/all.jsonl`);
    const ids = async (...argv: string[]): Promise<string[]> => {
      const { out, err } = await at("search", "shop", "money", "--json", ...argv);
      expect(err).toBe("");
      return (JSON.parse(out) as { resourceDocId: string }[]).map(({ resourceDocId }) => resourceDocId).sort();
    };
    expect(await ids("--where", "metaData.year>=2000")).toEqual(["new"]);
    expect(await ids("--where", "metaData.year=2024")).toEqual(["new", "text"]);
    expect(await ids("--where", "metaData.year=2024", "--where", "metaData.team exists")).toEqual(["new"]);
    expect(await ids("--where", "metaData.year>1990", "--where", "metaData.year<2000")).toEqual(["old"]);
    expect(await ids("--filter", "type=DOCUMENT", "--where", "metaData.team in billing, sales")).toEqual(["new"]);
    expect(await ids("--where-json", '{"not":{"metaData.team":{"exists":true}}}')).toEqual(["old", "text"]);
    expect(await at("search", "shop", "money", "--where", "metaData.year>=soon")).toMatchObject({
      code: 2,
      err: expect.stringContaining("filters.metaData.year.gte must be a number, or a date"),
    });
    expect(await at("search", "shop", "money", "--where", "year>=2000")).toMatchObject({
      code: 2,
      err: expect.stringContaining("year is not a known filter"),
    });
    expect(await at("search", "shop", "money", "--where-json", '{"__proto__":{"type":"PDF"}}')).toMatchObject({
      code: 2,
      err: expect.stringContaining("__proto__ is not a known filter"),
    });
    const dropped = await at("explain", "shop", "money", "old", "--where", "metaData.year>=2000");
    expect(dropped.out).toContain("filters.metaData.year.gte asks for 2000, and it has 1999");
    const group = await at("explain", "shop", "money", "old", "--where-json", '{"or":[{"type":"PDF"}]}');
    expect(group.out).toContain('filters.or asks for [{"type":"PDF"}], and it does not fit');
  });
});
