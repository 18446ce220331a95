import { acceptedCoding } from "../compression/accepted-coding.ts";
import { HttpError } from "../errors.ts";
import { bytesInSlices, type Reply } from "../reply.ts";
import { PAGE_FILES, viewerFile } from "../viewer-files.ts";
import type { ServerState } from "./health.ts";
import type { OpenRequest } from "./open-request.ts";

/** The page with the API's description: a viewer (Swagger UI) that this server delivers. Its addresses are relative, so the page works under any prefix. */

/** The page loads only files of this server and sends requests only to this server. No other page may frame it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loredex: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/${PAGE_FILES.style}">
<script src="docs/${PAGE_FILES.viewer}" defer></script>
<script src="docs/${PAGE_FILES.start}" type="module"></script>
</head>
<body>
<noscript>This page needs JavaScript. What it shows is in <a href="openapi.json">openapi.json</a>.</noscript>
<div id="docs"></div>
</body>
</html>
`;

/** Requests that a user tries go to the origin of the page, prefix included. No key is stored, and no validator is called. */
const START = `const here = new URL(".", location.href).href.slice(0, -1);
const answer = await fetch("openapi.json");
const description = await answer.json();
SwaggerUIBundle({
  spec: { ...description, servers: [{ url: here }] },
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** The viewer's files by name. No other file can be requested. */
const VIEWER_TYPES: Readonly<Record<string, string>> = {
  [PAGE_FILES.viewer]: JAVASCRIPT,
  [PAGE_FILES.style]: "text/css; charset=utf-8",
};

/** `GET /docs` */
export function showDocs(): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY };
  return { status: 200, headers, slices: [PAGE] };
}

/** `GET /docs/:file` */
export function sendPageFile(_state: ServerState, { parameters, header }: OpenRequest): Reply {
  const name = parameters.get("file") ?? "";
  if (name === PAGE_FILES.start) return { status: 200, headers: { "content-type": JAVASCRIPT }, slices: [START] };
  const type = Object.hasOwn(VIEWER_TYPES, name) ? VIEWER_TYPES[name] : undefined;
  if (type === undefined) throw new HttpError("ROUTE_NOT_FOUND");
  const asGzip = acceptedCoding(header("accept-encoding"), ["gzip"]) === "gzip";
  const bytes = viewerFile(name, asGzip);
  const coded = asGzip ? { "content-encoding": "gzip" } : {};
  const headers = {
    "content-type": type,
    "content-length": String(bytes.length),
    vary: "accept-encoding",
    ...coded,
  };
  return { status: 200, headers, slices: bytesInSlices(bytes) };
}
