import { expect, it } from "vitest";
import { CODE_MS, SignInCodes } from "../../src/admin/sign-in-codes.ts";

it("a code signs in once, within ten minutes, however it is typed", () => {
  let nowMs = 0;
  const codes = new SignInCodes(() => nowMs);
  const identity = { name: "start", scope: "write" } as const;
  const code = codes.make(identity);
  expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  expect(codes.redeem("wrong")).toBeUndefined();
  expect(codes.redeem(` ${code.toUpperCase().replaceAll("-", " ")}`)).toEqual(identity);
  expect(codes.redeem(code)).toBeUndefined();

  const late = codes.make(identity);
  nowMs += CODE_MS;
  expect(codes.redeem(late)).toBeUndefined();

  const [first, second] = [codes.make(identity), codes.make(identity)];
  expect(codes.redeem(first)).toBeUndefined();
  expect(codes.redeem(second)).toEqual(identity);
});
