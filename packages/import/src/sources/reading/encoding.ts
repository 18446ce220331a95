import { ValidationError } from "@loredex/core";
import type { KeptOptions } from "./settings.ts";

/** @throws ValidationError if no encoding has this name */
export function requireEncoding({ encoding }: KeptOptions): void {
  if (encoding === undefined || isEncoding(encoding)) return;
  const message = `no encoding is called "${encoding}"; use a name as utf-8, windows-1252, shift_jis, gb18030, big5, euc-kr or koi8-r`;
  throw new ValidationError([{ message, field: "encoding", type: "encoding" }]);
}

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}
