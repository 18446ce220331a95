import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PROGRAMS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The Chromium of this machine, or undefined if it has none. */
export const CHROMIUM = PROGRAMS.find((each) => each !== undefined && existsSync(each));

/** For the names of tests that a machine without Chromium skips. */
export const SKIPPED = CHROMIUM === undefined ? " (did not run: no Chromium)" : "";

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
