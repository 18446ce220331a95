import { EmbedderError, type EmbedderOffer } from "@loredex/core";
import { checkModelServer, type OpenAiOptions, openOpenAiEmbedder } from "@loredex/openai";

/** Environment variables. docs/openai.md explains them. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The prefix of all variables. */
const PREFIX = "LOREDEX_OPENAI_";

/** The variables whose value is used unchanged. */
const TEXTS = {
  API_KEY: "apiKey",
  QUERY_PREFIX: "queryPrefix",
  PASSAGE_PREFIX: "passagePrefix",
  QUERY_INPUT_TYPE: "queryInputType",
  PASSAGE_INPUT_TYPE: "passageInputType",
} as const satisfies Readonly<Record<string, keyof OpenAiOptions>>;

const NUMBERS = {
  DIMENSIONS: "dimensions",
  WEIGHT: "weight",
  TIMEOUT_MS: "timeoutMs",
  QUESTION_MS_MAX: "questionMsMax",
  TEXTS_PER_REQUEST: "textsPerRequest",
  CONCURRENCY: "concurrency",
} as const satisfies Readonly<Record<string, keyof OpenAiOptions>>;

/**
 * The embedder of the model server in the environment. Bots choose it by name. It is the default only of the languages in `LOREDEX_OPENAI_LANGUAGES`.
 * If the variables are missing or wrong, its bots are searched without it, and the operator is told why.
 */
export function openAiOffer(environment: Environment): EmbedderOffer & Required<Pick<EmbedderOffer, "open">> {
  return {
    languages:
      variable(environment, "LANGUAGES")
        ?.split(/[\s,]+/)
        .filter((language) => language !== "") ?? [],
    open: async (signal) => openOpenAiEmbedder(optionsOf(environment), signal),
    check: async (signal) => checkModelServer(optionsOf(environment), signal),
  };
}

/** Reads the options of the embedder. @throws Error with one line that names the variable */
function optionsOf(environment: Environment): OpenAiOptions {
  const baseUrl = required(environment, "BASE_URL", "http://127.0.0.1:8000/v1");
  const model = required(environment, "MODEL", "text-embedding-3-small");
  const options: Record<string, string | number> = {};
  for (const [name, option] of Object.entries(TEXTS)) {
    const value = environment[PREFIX + name];
    if (value !== undefined && value !== "") options[option] = value;
  }
  for (const [name, option] of Object.entries(NUMBERS)) {
    const value = variable(environment, name);
    if (value === undefined) continue;
    if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value)) throw new Error(`${PREFIX}${name} must be a number.`);
    options[option] = Number(value);
  }
  return { baseUrl, model, ...options };
}

function required(environment: Environment, name: string, example: string): string {
  const value = variable(environment, name);
  if (value !== undefined) return value;
  const mend = `set ${PREFIX}BASE_URL and ${PREFIX}MODEL, for example ${PREFIX}${name}=${example}`;
  throw new EmbedderError("EMBEDDER_UNAVAILABLE", `no model server is named: ${PREFIX}${name} is not set`, { mend });
}

/** The value of a variable, without white space around it; undefined if it is missing or empty. */
function variable(environment: Environment, name: string): string | undefined {
  const value = environment[PREFIX + name]?.trim();
  return value === "" ? undefined : value;
}
