import parser from "@typescript-eslint/parser";
import regexp from "eslint-plugin-regexp";

/**
 * Biome lints; only this it cannot: whether a regular expression may take more than linear time on a text made for it.
 * Users' texts reach every package, so all sources are looked at.
 */
export default [
  {
    files: ["packages/*/src/**/*.{ts,js}"],
    languageOptions: { parser },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" },
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
];
