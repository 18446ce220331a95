import { ApiError, NoAnswerError } from "../../api/client.ts";
import type { Job } from "../../api/types.ts";
import { csrfToken, endSession } from "../../state/session.ts";

/**
 * Sends a file with its progress, which `fetch` cannot tell.
 * @param onProgress the sent share, 0 to 1
 */
export function sendFile(
  path: string,
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<Job> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/admin${path}`);
    request.setRequestHeader("x-csrf-token", csrfToken());
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new NoAnswerError());
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 401) endSession();
      if (request.status >= 200 && request.status < 300 && body?.data !== undefined) resolve(body.data);
      else {
        const message = body?.data === undefined ? (body?.error?.message ?? body?.message) : undefined;
        reject(new ApiError(request.status, 0, message ?? `HTTP ${request.status}`, undefined));
      }
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

interface Body {
  readonly data?: Job;
  readonly message?: string;
  readonly error?: { readonly message?: string };
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 500) };
  }
}
