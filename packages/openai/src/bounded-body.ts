import { ServerProblem } from "./server-problem.ts";

/**
 * Reads the body of an answer as text.
 * @throws ServerProblem `failed` for more than `bytesMax` bytes: no expected answer is that long
 */
export async function bodyOf(response: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new ServerProblem("failed", `The model server's answer is longer than ${bytesMax} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
