/** The hint in errors that a bundler causes: a bundle has the packages' code, but not their models, child programs and native modules. */
export const BUNDLED_HINT =
  "If this program was bundled, leave the packages of Loredex out of the bundle and install them beside it (esbuild: --packages=external; Next.js: serverExternalPackages; docs/library.md, Bundling).";
