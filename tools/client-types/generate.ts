import openapiTS, { astToString } from "openapi-typescript";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";

const HEAD = "// Written by `npm run write-client-types` from the OpenAPI document. Changes are made there.\n\n";

/** The client's types of what is sent and answered, as the OpenAPI document gives them. */
export async function clientTypes(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify({ ...OPENAPI_DOCUMENT, paths: {} }), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  return HEAD + astToString(nodes);
}
