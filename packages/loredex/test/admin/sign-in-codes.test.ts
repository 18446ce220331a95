import type { AdminIdentity } from "@loredex/core";
import { expect, it } from "vitest";
import { CODE_MS, SignInCodes } from "../../src/admin/sign-in-codes.ts";

it("a code signs in once, within ten minutes, however it is typed", () => {
  let nowMs = 0;
  const codes = new SignInCodes(() => nowMs);
  const key: AdminIdentity = { name: "start", scope: "write", keyId: "1".repeat(16) };
  const code = codes.make(key);
  expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  expect(codes.redeem("wrong")).toBeUndefined();
  expect(codes.redeem(` ${code.toUpperCase().replaceAll("-", " ")}`)).toEqual(key);
  expect(codes.redeem(code)).toBeUndefined();

  const late = codes.make(key);
  nowMs += CODE_MS;
  expect(codes.redeem(late)).toBeUndefined();

  const [first, second] = [codes.make(key), codes.make(key)];
  expect(codes.redeem(first)).toBeUndefined();
  expect(codes.redeem(second)).toEqual(key);
});
