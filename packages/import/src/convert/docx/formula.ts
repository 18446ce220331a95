/** Writes a formula of an office file in one line, as in plain text: `(a+b)/(2c)`, `x^2`, `√(y)`. */
export class FormulaText {
  #text = "";
  #isText = false;

  open(name: string, attribute: (name: string) => string | undefined): void {
    if (name === "t") this.#isText = true;
    else if (name === "chr") this.#text += attribute("val") ?? "";
    else this.#text += BEFORE[name] ?? "";
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else this.#text += AFTER[name] ?? "";
  }

  text(text: string): void {
    if (this.#isText) this.#text += text;
  }

  toString(): string {
    // Brackets around a single character are superfluous.
    return this.#text.replace(/([/^_])\((.)\)/gu, "$1$2").replace(/\((\w)\)(?=\/)/g, "$1");
  }
}

const BEFORE: Readonly<Record<string, string>> = {
  num: "(",
  den: "/(",
  sup: "^(",
  sub: "_(",
  rad: "√(",
  d: "(",
  oMath: "",
};
const AFTER: Readonly<Record<string, string>> = { num: ")", den: ")", sup: ")", sub: ")", rad: ")", d: ")", mr: "; " };
