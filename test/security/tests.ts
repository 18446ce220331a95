/** The tests that show what SECURITY.md says: patterns of files, which `npm run test:security` runs. */
export const SECURITY_TESTS = [
  // Whoever reaches the port.
  "packages/http/test/{bodies,checks,connection,connections-end,json,json-keys,json-numbers,request-target,every-answer}.test.ts",
  "packages/http/test/{docs-page,strangers,tls,unix-socket,compressed-answers,openapi,handler}.test.ts",
  "packages/http/test/compression/*.test.ts",
  "packages/http/test/routes/retrieval.test.ts",
  "packages/loredex/test/tls/*.test.ts",
  "test/http/requests.test.ts",
  "test/property/requests{,.slow}.test.ts",
  "test/fuzzed/*.test.ts",
  "packages/core/test/administration/*.test.ts",
  "packages/http/test/admin/*.test.ts",
  // Whoever has a key, and wants what is another's, or all of the machine.
  "test/security/*.test.ts",
  "test/http/{keys,tenants,quota,rate,retrieval}.test.ts",
  "packages/http/test/{keys,fairness,patience,load,long-answers}.test.ts",
  "packages/http/test/admission/*.test.ts",
  "packages/core/test/engine/keys.test.ts",
  "packages/core/test/background/index-pinned.test.ts",
  // Whoever writes the texts, and the files and pages that are imported.
  "test/property/hostile-texts{,.slow}.test.ts",
  "packages/core/test/search/hostile-questions{,.slow}.test.ts",
  "packages/import/test/isolated/*.test.ts",
  "packages/import/test/convert/pdf/hostile-pdf.test.ts",
  "packages/import/test/web/{addresses,web}.test.ts",
  "packages/loredex/test/import/hostile.test.ts",
  "test/tidy/regexes.slow.test.ts",
  // A server that a client asks.
  "packages/client/test/strange-answers.test.ts",
  "packages/mcp/test/{visible,process}.test.ts",
  // What we use of others.
  "test/docs/third-party.test.ts",
  "test/tools/audit.test.ts",
  // Whoever has an account on the machine.
  "packages/loredex/test/{users,forbidden-files,purge}.test.ts",
  "packages/loredex/test/operator/operator-server.test.ts",
  "packages/loredex/test/log/*.test.ts",
  "packages/core/test/storage/directory-owner.test.ts",
  "packages/core/test/engine/{purge,loader-fuzz.slow,loader-fuzz}.test.ts",
] as const;
