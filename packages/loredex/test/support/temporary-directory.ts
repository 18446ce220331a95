export * from "../../../import/test/support/temporary-directory.ts";
