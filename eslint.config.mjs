import parser from "@typescript-eslint/parser";
import regexp from "eslint-plugin-regexp";

/**
 * Biome lints; only these two it cannot.
 * - Whether a regular expression may take more than linear time on a text made for it. Users' texts reach every package, so all sources are looked at.
 * - Whether `toMatchObject` is given a regular expression. It has no fields of its own, so it matches every text, and the test cannot fail.
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
  {
    files: ["{packages,test}/**/*.test.ts", "packages/core/testing/*.ts"],
    languageOptions: { parser },
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='toMatchObject'] :not(CallExpression) > Literal[regex]",
          message: "It matches every text. Write expect.stringMatching(/…/).",
        },
      ],
    },
  },
];
