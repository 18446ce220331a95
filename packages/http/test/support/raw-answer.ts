import type { WireAnswer } from "./described.ts";

/** The one answer, with its length or until the end, that has come over a connection as text. */
export function rawAnswer(received: string): WireAnswer {
  const end = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name, value.join(":").trim()];
  });
  const text = Buffer.from(received.slice(end + 4), "latin1").toString();
  return { status: Number(statusLine.split(" ")[1]), headers: new Headers(headers), text };
}
