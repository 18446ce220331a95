import type { Terminal } from "../../src/terminal/terminal.ts";

/** Keeps what was written to it. */
export class CapturedTerminal implements Terminal {
  output = "";
  errors = "";
  constructor(
    readonly isScreen = false,
    readonly isProgressScreen = false,
  ) {}
  out = (text: string): void => {
    this.output += text;
  };
  err = (text: string): void => {
    this.errors += text;
  };
}
