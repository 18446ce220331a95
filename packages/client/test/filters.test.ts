import { expect, it } from "vitest";
import { and, not, or, where } from "../src/index.ts";

it("has a function for each operator and group of filters", () => {
  const field = "metaData.a";
  expect([
    where.eq(field, "x"),
    where.ne(field, 1),
    where.in(field, ["x", 1, true]),
    where.nin(field, ["x"]),
    where.gt(field, 1),
    where.gte(field, "2020-01-01"),
    where.lt(field, new Date("2020-01-01T00:00:00Z")),
    where.lte(field, 0.5),
    where.exists(field),
    where.exists(field, false),
    where.contains(field, "x"),
    where.startsWith(field, "x"),
  ]).toEqual(
    [
      { eq: "x" },
      { ne: 1 },
      { in: ["x", 1, true] },
      { nin: ["x"] },
      { gt: 1 },
      { gte: "2020-01-01" },
      { lt: "2020-01-01T00:00:00.000Z" },
      { lte: 0.5 },
      { exists: true },
      { exists: false },
      { contains: "x" },
      { startsWith: "x" },
    ].map((operators) => ({ [field]: operators })),
  );
  const [one, other] = [where.eq("type", "PDF"), { status: "active" }];
  expect(and(one, or(other, not(one)))).toEqual({ and: [one, { or: [other, { not: one }] }] });
});

it("refuses a value that the operator does not take", () => {
  const wrong: readonly [() => unknown, string][] = [
    [() => where.gte("metaData.a", Number.NaN), "where.gte: value must be a finite number, a date as text, or a Date"],
    [() => where.lt("metaData.a", new Date("soon")), "where.lt: value must be"],
    [() => where.in("metaData.a", "x" as never), "where.in: value must be a list"],
    [() => where.contains("metaData.a", 1 as never), "where.contains: value must be a string"],
    [() => where.exists(1 as never), "where.exists: field must be a string"],
    [() => or([where.exists("url")] as never), "or: filters.0 must be an object"],
    [() => not("x" as never), "not: filter must be an object"],
  ];
  for (const [call, message] of wrong) expect(call).toThrow(message);
});
