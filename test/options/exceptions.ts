import { type Call, type Parameter, SAMPLES, type Sample, type Shape } from "./signatures.ts";

const MADE_BY_CALLERS = "callers make it, and Loredex calls it";
const GIVEN_BACK = "what Loredex itself has given";

/** Classes and interfaces whose methods no caller calls. */
const CALLED_BY_LOREDEX: Readonly<Record<string, string>> = {
  AdminInsights: MADE_BY_CALLERS,
  AdminJobs: MADE_BY_CALLERS,
  AdminOperator: MADE_BY_CALLERS,
  Answering: MADE_BY_CALLERS,
  ApiAdmin: MADE_BY_CALLERS,
  ApiEngine: MADE_BY_CALLERS,
  ApiHandlerOptions: MADE_BY_CALLERS,
  ApiServerOptions: MADE_BY_CALLERS,
  BatchOptions: MADE_BY_CALLERS,
  BlockStore: MADE_BY_CALLERS,
  CopyOptions: MADE_BY_CALLERS,
  Creation: MADE_BY_CALLERS,
  Embedder: MADE_BY_CALLERS,
  EmbedderOffer: MADE_BY_CALLERS,
  EncoderModel: MADE_BY_CALLERS,
  EngineOptions: MADE_BY_CALLERS,
  EvaluateOptions: MADE_BY_CALLERS,
  GraphBackend: MADE_BY_CALLERS,
  GraphRows: GIVEN_BACK,
  Graphs: MADE_BY_CALLERS,
  ImportSourcesOptions: MADE_BY_CALLERS,
  JobWaitOptions: MADE_BY_CALLERS,
  Lease: MADE_BY_CALLERS,
  LoredexClientOptions: MADE_BY_CALLERS,
  Metrics: GIVEN_BACK,
  ModelDeps: MADE_BY_CALLERS,
  Pace: MADE_BY_CALLERS,
  PatienceOptions: MADE_BY_CALLERS,
  PostgresOptions: MADE_BY_CALLERS,
  Random: MADE_BY_CALLERS,
  RecoveryVisitor: MADE_BY_CALLERS,
  SalvageVisitor: MADE_BY_CALLERS,
  ServeMcpOptions: MADE_BY_CALLERS,
  ServeOptions: MADE_BY_CALLERS,
  SharedStorage: MADE_BY_CALLERS,
  SharedStore: MADE_BY_CALLERS,
  StaticEmbedder: MADE_BY_CALLERS,
  Storage: MADE_BY_CALLERS,
  StorageInspection: MADE_BY_CALLERS,
  Store: MADE_BY_CALLERS,
  SyncOptions: MADE_BY_CALLERS,
  SyncSourcesOptions: MADE_BY_CALLERS,
  TokenEncoder: MADE_BY_CALLERS,
  VectorGraph: MADE_BY_CALLERS,
  WatchSourcesOptions: MADE_BY_CALLERS,
};

const HIDES = "an error that threw another one would hide what went wrong";
const ANY = "it takes anything";
const PURE = "a function of plain values, for those who have them from Loredex";
const SHARED = "what the packages share: they are compiled against it";

/** Functions whose arguments are not checked, each with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  "client new LoredexError": HIDES,
  "import new VocabularyFileError": HIDES,
  "client requireArguments": SHARED,
  "core Engine#admitRequest": GIVEN_BACK,
  "core Semaphore#acquire": SHARED,
  "core Semaphore#run": SHARED,
  "core articleTag": GIVEN_BACK,
  "core contentTag": GIVEN_BACK,
  "core carefulLogger": SHARED,
  "core foundBy": SHARED,
  "core isKnownArticle": GIVEN_BACK,
  "core isShortOfMemory": ANY,
  "core jsonContents": ANY,
  "core jsonPieces": SHARED,
  "core languageOf": PURE,
  "core nearest": SHARED,
  "core new CorruptError": HIDES,
  "core new EmbedderError": HIDES,
  "core new ImportBytesExceededError": HIDES,
  "core new LoredexError": HIDES,
  "core new QuotaBytesExceededError": HIDES,
  "core new QuotaExceededError": HIDES,
  "core new RateBytesExceededError": HIDES,
  "core new RateExceededError": HIDES,
  "core new Semaphore": SHARED,
  "core new ValidationError": HIDES,
  "core readJson": SHARED,
  "core renamed": SHARED,
  "core refuseLosses": SHARED,
  "core requireArguments": SHARED,
  "core systemReason": ANY,
  "core unicodeForm": SHARED,
  "encoder beginning": SHARED,
  "encoder modelDirectory": SHARED,
  "encoder readFloats": SHARED,
  "encoder readManifest": SHARED,
  "encoder readModelFile": SHARED,
  "encoder serveEncoder": SHARED,
  "encoder startEncoderWorker": SHARED,
  "encoder workerProgram": SHARED,
  "http ApiServer#probe": SHARED,
  "import countFiles": SHARED,
  "import countFilesOf": SHARED,
  "import fileIdOf": SHARED,
  "import isLeft": GIVEN_BACK,
  "import linesOf": SHARED,
  "import new ConversionError": HIDES,
  "import new UserFileError": HIDES,
  "import placeInFile": SHARED,
  "import readJsonLines": SHARED,
  "import uploadedPath": SHARED,
  "import whileShort": SHARED,
  "import reasonOf": ANY,
  "import sourceNamed": SHARED,
  "import sourceNameProblem": SHARED,
};

/** The same by what their names begin with: namespaces, and tables of kinds, which are written in capitals. */
const UNCHECKED_BEGINNINGS: readonly (readonly [RegExp, reason: string])[] = [
  [/^(client|core) kinds\./, SHARED],
  [/^core storageKit\./, SHARED],
  [/^core measures\./, PURE],
  [/^core [A-Z_]{2,}(\.|$)/, SHARED],
  [/^loredex Engine\.__@hasInstance/, ANY],
];

/** Why the arguments of a call are not checked; undefined where they are. */
export function uncheckedFor({ id, owner }: Pick<Call, "id" | "owner">): string | undefined {
  const [, reason] = UNCHECKED_BEGINNINGS.find(([beginning]) => beginning.test(id)) ?? [];
  const ofOwner = owner !== undefined && Object.hasOwn(CALLED_BY_LOREDEX, owner) ? CALLED_BY_LOREDEX[owner] : undefined;
  return reason ?? ofOwner ?? (Object.hasOwn(UNCHECKED, id) ? UNCHECKED[id] : undefined);
}

/** Entries of the tables that stand for no function any more. */
export function lostEntries(calls: readonly Call[]): string[] {
  const known = new Set(
    calls.flatMap(({ id, owner, parameters }) => [id, owner, ...parameters.flatMap((each) => [each.id, each.type])]),
  );
  const lost = [CALLED_BY_LOREDEX, UNCHECKED, NO_OPTIONS, ALSO_TAKEN]
    .flatMap(Object.keys)
    .filter((entry) => !known.has(entry));
  const beginnings = UNCHECKED_BEGINNINGS.map(([beginning]) => beginning);
  return [...lost, ...beginnings.filter((each) => !calls.some(({ id }) => each.test(id))).map(String)];
}

const WORKS = "it works for the call, and may have more of its own";
const WHOLE = "a value of which no part may be left out: what is mistyped is missing";
const ARTICLE_FIELDS = "the fields of an article, which the server holds against its rules";

const SENT = "what the admin API takes, and the server holds against its rules";

/** Types of parameters that are objects and hold no options, each with the reason. */
const NO_OPTIONS: Readonly<Record<string, string>> = {
  Answering: WORKS,
  ApiAdmin: WORKS,
  ApiEngine: WORKS,
  Engine: WORKS,
  ImportTarget: WORKS,
  Operator: WORKS,
  SourceOwner: WORKS,
  Storage: WORKS,
  SystemUsers: WHOLE,
  NewArticle: ARTICLE_FIELDS,
  ArticleChanges: ARTICLE_FIELDS,
  "Partial<NewArticle> & { id?: string }": ARTICLE_FIELDS,
  "readonly NewArticle[]": ARTICLE_FIELDS,
  'Schemas["AdminBotCreate"]': SENT,
  'Schemas["AdminBotChanges"]': SENT,
  'Schemas["AdminKeyCreate"]': SENT,
  'Schemas["AdminImport"]': SENT,
  'Schemas["AdminExplain"]': SENT,
  GivenVocabulary: SENT,
  GivenGolden: SENT,
  'Schemas["AdminRunStart"]': SENT,
  "readonly BatchOperation[]": ARTICLE_FIELDS,
};

/** What of a parameter's type can be tried: nothing inside of what holds no options, and of articles any object is sent. */
export function triedShape({ type, shape }: Parameter): Shape {
  if (!Object.hasOwn(NO_OPTIONS, type)) return shape;
  return { takes: NO_OPTIONS[type] === WORKS ? shape.takes : new Set<Sample>([...shape.takes, "object"]) };
}

/** Whether a parameter is an object of options: unknown ones are refused. */
export function hasOptions(parameter: Parameter): boolean {
  return parameter.shape.names !== undefined && !Object.hasOwn(NO_OPTIONS, parameter.type);
}

/** What is no mistake there though the type does not say so: a name alone, or nothing. */
export const ALSO_TAKEN: Readonly<Record<string, readonly unknown[]>> = {
  // A list of no pairs.
  "core parseArticleFilter parameters": [SAMPLES.list],
  "core unlessAborted work": Object.values(SAMPLES),
  // A source may be given by its name, and none at all.
  "loredex Operator#importDocument origin": [SAMPLES.string, undefined],
  "loredex Operator#removeDocument by": [SAMPLES.string],
};
