import { expect, it } from "vitest";
import { SLOW } from "../../vitest.config.ts";
import { forgetSettings, withoutSettings } from "./no-settings.ts";

it("takes a developer's own settings out of an environment, and nothing else", () => {
  const environment = { PATH: "/bin", LOREDEX_DATA: "/srv", loredex_key: "k", MY_LOREDEX_DATA: "/x", TESTS_SHORT: "1" };
  const rest = { PATH: "/bin", MY_LOREDEX_DATA: "/x", TESTS_SHORT: "1" };
  expect(withoutSettings(environment)).toEqual(rest);
  expect(environment.LOREDEX_DATA).toBe("/srv");
  forgetSettings(environment);
  expect(environment).toEqual(rest);
});

it("is done before every test file, quick and slow, so that no process that a test starts is moved by them", () => {
  expect(Object.keys(withoutSettings(process.env))).toEqual(Object.keys(process.env));
  // All projects have the setup file in common.
  expect(SLOW.test?.setupFiles).toEqual([expect.stringMatching(/test\/support\/setup\.ts$/)]);
});
