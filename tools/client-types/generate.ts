import openapiTS, { astToString } from "openapi-typescript";
import { OPENAPI_DOCUMENT } from "../../packages/http/src/openapi/document.ts";
import { REFUSAL_SCHEMAS } from "../../packages/http/src/openapi/failures.ts";

const HEAD = "// Written by `npm run write-client-types` from the OpenAPI document. Changes are made there.\n\n";

/** The client's types of what is sent and answered, as the OpenAPI document gives them. */
export async function clientTypes(): Promise<string> {
  const { responses, ...components } = OPENAPI_DOCUMENT.components;
  // What Dify alone says and is told is nothing for the client, and the client has one error for all refusals.
  const { RetrievalRequest, RetrievalCondition, RetrievalAnswer, RetrievalFailure, ...others } = components.schemas;
  const schemas = Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(REFUSAL_SCHEMAS, name)));
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
