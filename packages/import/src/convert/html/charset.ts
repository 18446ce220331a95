import { type DecodedText, decodeText } from "../../files/decoded-text.ts";

/** Browsers search no further for it. */
const HEAD_BYTES = 4_096;

/** Decodes a page by its byte order mark, the server, the page itself, else by detection. @throws NoTextError */
export function decodePage(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const declared = charset ?? declaredCharset(bytes);
  return decodeText(bytes, declared === undefined ? {} : { declared });
}

/** Returns the charset of `<meta charset>`, `http-equiv` or an XML declaration. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString("latin1");
  const meta = /<meta\b[^>]{0,300}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{2,40})/i.exec(head)?.[1];
  return meta ?? /^\s{0,100}<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([\w.:-]{2,40})/i.exec(head)?.[1];
}
