import { LoredexError } from "./error.ts";

/**
 * Reads the body of an answer as text. It is streamed, and abandoned if it is too long.
 * @param bytesMax maximum bytes, unpacked
 * @throws {LoredexError} `isTooLong`
 */
export async function textOf(response: Response, bytesMax: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length;
    if (bytes > bytesMax) {
      // The error has the reason of the cancellation.
      reader.cancel().catch(() => {});
      throw new LoredexError({
        message: `The answer is longer than ${bytesMax} bytes. Ask for less (fewer documents or articles, no content), or set answerBytesMax.`,
        status: response.status,
        isTooLong: true,
        isFinal: true,
      });
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
