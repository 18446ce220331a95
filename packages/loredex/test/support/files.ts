export * from "../../../import/test/support/files.ts";
