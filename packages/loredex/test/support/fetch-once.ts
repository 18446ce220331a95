/** As `fetch`, on a connection that ends with the answer: for the next request on one that is kept, a server that closes waits for a moment. */
export function fetchOnce(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("connection", "close");
  return fetch(url, { ...init, headers });
}
