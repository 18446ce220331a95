import { csrfToken, endSession } from "../state/session.ts";
import { BASE, NoAnswerError, refusal } from "./client.ts";

/**
 * Sends a file with its progress, which `fetch` cannot tell. Resolves to the data of the answer.
 * @param onProgress the sent share, 0 to 1
 */
export function sendFile<Data>(
  path: string,
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<Data> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", BASE + path);
    request.setRequestHeader("x-csrf-token", csrfToken());
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new NoAnswerError());
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 401) endSession();
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText).data);
      else reject(refusal(status, responseText, request.getResponseHeader("retry-after")));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
