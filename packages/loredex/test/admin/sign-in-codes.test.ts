import { expect, it } from "vitest";
import { CODE_MS, SignInCodes } from "../../src/admin/sign-in-codes.ts";

it("a code signs in once, within ten minutes, however it is typed", () => {
  let nowMs = 0;
  const codes = new SignInCodes(() => nowMs);
  const name = "start";
  const code = codes.make(name);
  expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  expect(codes.redeem("wrong")).toBeUndefined();
  expect(codes.redeem(` ${code.toUpperCase().replaceAll("-", " ")}`)).toEqual(name);
  expect(codes.redeem(code)).toBeUndefined();

  const late = codes.make(name);
  nowMs += CODE_MS;
  expect(codes.redeem(late)).toBeUndefined();

  const [first, second] = [codes.make(name), codes.make(name)];
  expect(codes.redeem(first)).toBeUndefined();
  expect(codes.redeem(second)).toEqual(name);
});
