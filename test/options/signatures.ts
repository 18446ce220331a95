import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../tidy/source-files.ts";

/** Values of every kind, with which calls are tried. */
export const SAMPLES = {
  undefined: undefined,
  null: null,
  string: "no such word",
  number: 7,
  boolean: true,
  list: [],
  object: {},
  function: () => undefined,
  symbol: Symbol("text"),
} as const satisfies Readonly<Record<string, unknown>>;
export type Sample = keyof typeof SAMPLES;

/** What the compiler knows of a type. */
export interface Shape {
  /** Those samples that the type takes. */
  readonly takes: ReadonlySet<Sample>;
  /** Its named values, where it may be an object of ours; none where that has methods: it works for the call, and may have more of its own. */
  readonly names?: Readonly<Record<string, Shape>>;
  /** What a list of it holds, where it may be one. */
  readonly elements?: Shape;
  /** What an object of it holds under any name, where it may be one. */
  readonly values?: Shape;
}

/** A parameter of a public function. */
export interface Parameter {
  /** For example `core Engine.open options`, or `core Bot#search options` for a method. */
  readonly id: string;
  readonly name: string;
  /** The type as it is written in the signature. */
  readonly type: string;
  readonly shape: Shape;
}

/** A public function. */
export interface Call {
  /** For example `core Engine.open`, or `core Bot#search` for a method. */
  readonly id: string;
  /** The exported class or interface whose method it is. */
  readonly owner: string | undefined;
  readonly parameters: readonly Parameter[];
}

/** The source file of what a package exports under a subpath. */
function sourceOf(folder: string, types: string): string {
  const [, directory, name] = /^\.\/(dist|worker)\/(\w+)\.d\.ts$/.exec(types) ?? [];
  if (directory === "worker") return join(folder, types);
  return join(folder, "src", name === "index" ? "index.ts" : `${name}/index.ts`);
}

/** What only tests import: a wrong value fails the test that gave it. */
const FOR_TESTS = "./testing";

function entriesOf(packageName: string): string[] {
  const folder = join(ROOT, "packages", packageName);
  const { exports }: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.entries(exports).flatMap(([subpath, entry]) =>
    typeof entry === "string" || subpath === FOR_TESTS ? [] : [sourceOf(folder, entry.types)],
  );
}

/** Every public function and method with parameters, of every package that is published. */
export function publicCalls(): readonly Call[] {
  known ??= readPublicCalls();
  return known;
}

/** The compiler takes some seconds for them. */
let known: readonly Call[] | undefined;

function readPublicCalls(): Call[] {
  const packages = readdirSync(join(ROOT, "packages")).filter((name) => !name.endsWith("-python"));
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return callsOf(packages.flatMap(entriesOf), options);
}

/** Those of what some files export. */
export function callsOf(entries: readonly string[], options: ts.CompilerOptions): Call[] {
  const program = ts.createProgram([...entries], { ...options, noEmit: true });
  const reader = new Reader(program.getTypeChecker());
  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    if (source === undefined) throw new Error(`${entry} is not there`);
    reader.read(source);
  }
  return [...reader.calls.values()];
}

class Reader {
  readonly calls = new Map<string, Call>();
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  read(source: ts.SourceFile): void {
    const module = this.#checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${source.fileName} exports nothing`);
    for (const exported of this.#checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      this.#readSymbol(isAlias ? this.#checker.getAliasedSymbol(exported) : exported, exported.name, source);
    }
  }

  #readSymbol(symbol: ts.Symbol, name: string, source: ts.SourceFile): void {
    if ((symbol.flags & ts.SymbolFlags.Value) !== 0) {
      const type = this.#checker.getTypeOfSymbolAtLocation(symbol, source);
      for (const signature of type.getCallSignatures()) this.#add(signature, name);
      for (const signature of type.getConstructSignatures()) this.#add(signature, `new ${name}`);
      this.#addMethods(type, `${name}.`, source);
    }
    if ((symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0) {
      this.#addMethods(this.#checker.getDeclaredTypeOfSymbol(symbol), `${name}#`, source, name);
    }
  }

  #addMethods(type: ts.Type, prefix: string, source: ts.SourceFile, owner?: string): void {
    for (const member of this.#checker.getPropertiesOfType(type)) {
      // A private field may hold a function.
      if (member.name.includes("#")) continue;
      const ofMember = this.#checker.getTypeOfSymbolAtLocation(member, source);
      const signatures = this.#checker.getNonNullableType(ofMember).getCallSignatures();
      for (const signature of signatures) this.#add(signature, `${prefix}${member.name}`, owner);
    }
  }

  #add({ declaration, parameters }: ts.Signature, called: string, owner?: string): void {
    const place = packageOf(declaration);
    if (declaration === undefined || place === undefined || isPrivate(declaration) || parameters.length === 0) return;
    const id = `${place} ${called}`;
    const before = this.calls.get(id)?.parameters ?? [];
    const own = parameters.flatMap((symbol, index) => this.#parameterOf(symbol, index, id, before));
    this.calls.set(id, { id, owner, parameters: own });
  }

  /** Of overloads, what any of them takes is taken. */
  #parameterOf(symbol: ts.Symbol, index: number, call: string, before: readonly Parameter[]): Parameter[] {
    const { valueDeclaration: written } = symbol;
    if (written === undefined || !ts.isParameter(written) || written.dotDotDotToken !== undefined) return [];
    const name = ts.isIdentifier(written.name) ? written.name.text : String(index);
    const own = this.#shapeOf(this.#checker.getTypeOfSymbolAtLocation(symbol, written));
    const isOptional = written.questionToken !== undefined || written.initializer !== undefined;
    const shape = merged(isOptional ? withUndefined(own) : own, before[index]?.shape);
    return [{ id: `${call} ${name}`, name, type: (written.type ?? written.name).getText(), shape }];
  }

  #shapeOf(type: ts.Type, within: readonly ts.Type[] = []): Shape {
    const given = this.#checker.getNonNullableType(type);
    const parts = this.#partsOf(type);
    const shape = { takes: this.#takenBy(type, parts) };
    if (within.includes(given)) return shape;
    const inside = [...within, given];
    const list = parts.find((part) => this.#isList(part));
    const elements = list === undefined ? undefined : this.#checker.getIndexTypeOfType(list, ts.IndexKind.Number);
    const objects = parts.filter((part) => !this.#isList(part) && (part.flags & ts.TypeFlags.Object) !== 0);
    const [values] = objects.flatMap((part) => this.#checker.getIndexTypeOfType(part, ts.IndexKind.String) ?? []);
    const names = this.#namesOf(parts, inside);
    return {
      ...shape,
      ...(elements === undefined ? {} : { elements: this.#shapeOf(elements, inside) }),
      ...(values === undefined ? {} : { values: this.#shapeOf(values, inside) }),
      ...(names === undefined ? {} : { names }),
    };
  }

  #takenBy(type: ts.Type, parts: readonly ts.Type[] = this.#partsOf(type)): ReadonlySet<Sample> {
    const samples = Object.keys(SAMPLES) as Sample[];
    return new Set(samples.filter((sample) => this.#isTaken(sample, type, parts)));
  }

  #partsOf(type: ts.Type): readonly ts.Type[] {
    const given = this.#checker.getNonNullableType(type);
    return given.isUnion() ? given.types : [given];
  }

  #namesOf(parts: readonly ts.Type[], inside: readonly ts.Type[]): Readonly<Record<string, Shape>> | undefined {
    // An object of any names, such as a filter, has fields beside those that its type names: no field is an unknown option.
    const isOpen = (part: ts.Type): boolean =>
      this.#checker.getIndexTypeOfType(part, ts.IndexKind.String) !== undefined;
    if (parts.some(isOpen)) return undefined;
    const objects = parts.filter((part) => this.#isObjectOfOurs(part));
    if (objects.length === 0) return undefined;
    const properties = objects.flatMap((each) => this.#checker.getPropertiesOfType(each));
    return Object.fromEntries(
      properties.map((property) => {
        const type = this.#checker.getTypeOfSymbol(property);
        // A list has methods too, and its elements may have such lists in turn.
        const shape = this.#hasMethods(type) ? { takes: this.#takenBy(type) } : this.#shapeOf(type, inside);
        const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
        return [property.name, isOptional ? withUndefined(shape) : shape];
      }),
    );
  }

  #isTaken(sample: Sample, type: ts.Type, parts: readonly ts.Type[]): boolean {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return true;
    switch (sample) {
      case "undefined":
        return this.#checker.isTypeAssignableTo(this.#checker.getUndefinedType(), type);
      case "null":
        return this.#checker.isTypeAssignableTo(this.#checker.getNullType(), type);
      case "string":
        return this.#checker.isTypeAssignableTo(this.#checker.getStringType(), type);
      case "number":
        return this.#checker.isTypeAssignableTo(this.#checker.getNumberType(), type);
      case "boolean":
        return this.#checker.isTypeAssignableTo(this.#checker.getTrueType(), type);
      case "list":
        return parts.some((part) => this.#isList(part));
      case "function":
        return parts.some((part) => part.getCallSignatures().length > 0);
      case "object":
        return parts.some((part) => this.#isEmptyTaken(part));
      case "symbol":
        return false;
    }
  }

  #isList(type: ts.Type): boolean {
    return this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
  }

  #isEmptyTaken(type: ts.Type): boolean {
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
    if (!isObject || this.#isList(type) || type.getCallSignatures().length > 0) return false;
    return this.#checker.getPropertiesOfType(type).every(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0);
  }

  /** What has methods is something that works, and may have more of its own. */
  #hasMethods(type: ts.Type): boolean {
    const given = this.#checker.getNonNullableType(type);
    return this.#checker
      .getPropertiesOfType(given)
      .some(
        (each) => this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(each)).getCallSignatures().length > 0,
      );
  }

  #isObjectOfOurs(type: ts.Type): boolean {
    if ((type.flags & ts.TypeFlags.Object) === 0 && !type.isIntersection()) return false;
    if (this.#isList(type) || type.getCallSignatures().length > 0) return false;
    return this.#checker
      .getPropertiesOfType(type)
      .some(({ declarations }) => packageOf(declarations?.[0]) !== undefined);
  }
}

function withUndefined(shape: Shape): Shape {
  return { ...shape, takes: new Set<Sample>([...shape.takes, "undefined"]) };
}

/** What one of two overloads takes. A name that the other lacks may be left out. */
function merged(one: Shape, other: Shape | undefined): Shape {
  if (other === undefined) return one;
  const takes = new Set([...one.takes, ...other.takes]);
  const [own, others] = [one.names, other.names];
  if (own === undefined || others === undefined) return { ...other, ...one, takes };
  const both = Object.entries({ ...others, ...own });
  const names = both.map(([name, shape]) => [name, name in own && name in others ? shape : withUndefined(shape)]);
  return { ...other, ...one, takes, names: Object.fromEntries(names) };
}

/** The package of ours that says it. */
function packageOf(declaration: ts.Node | undefined): string | undefined {
  const file = declaration?.getSourceFile().fileName;
  return file?.includes("/node_modules/") === false ? /\/packages\/(\w+)\//.exec(file)?.[1] : undefined;
}

function isPrivate(declaration: ts.SignatureDeclaration | ts.JSDocSignature): boolean {
  if (ts.isJSDocSignature(declaration)) return false;
  const { name } = declaration;
  const isInternal = ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
  const isSaidPrivate = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0;
  return isInternal || isSaidPrivate || (name !== undefined && ts.isPrivateIdentifier(name));
}
