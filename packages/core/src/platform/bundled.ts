/** For errors that a bundler causes: it takes the code of the packages along, and leaves their models, the programs of their processes and native modules behind. */
export const BUNDLED_HINT =
  "If this program was bundled, leave the packages of Loredex out of the bundle and install them beside it (esbuild: --packages=external; Next.js: serverExternalPackages; docs/library.md, Bundling).";
