import openapiTS, { astToString } from "openapi-typescript";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";

const HEAD = "// Written by `npm run write-client-types` from the OpenAPI document. Changes are made there.\n\n";

/** The client's types of what is sent and answered, as the OpenAPI document gives them. */
export async function clientTypes(): Promise<string> {
  const { components } = OPENAPI_DOCUMENT;
  // What Dify alone says and is told is nothing for the client.
  const { RetrievalRequest, RetrievalCondition, RetrievalAnswer, ...schemas } = components.schemas;
  const nodes = await openapiTS(
    JSON.stringify({ ...OPENAPI_DOCUMENT, paths: {}, components: { ...components, schemas } }),
    {
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      silent: true,
    },
  );
  return HEAD + astToString(nodes);
}
