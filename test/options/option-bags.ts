import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../tidy/source-files.ts";

/** The names that an object of options may have, as the compiler knows them. */
export interface Names {
  /** Each with the names inside of it, where its value is such an object itself. */
  readonly [name: string]: Names;
}

/** A parameter of a public function that is an object with named values. */
export interface Bag {
  /** For example `core Engine.open options`, or `core Bot#search options` for a method. */
  readonly id: string;
  /** The type as it is written in the signature. */
  readonly type: string;
  /** The exported class or interface whose method it is. */
  readonly owner: string | undefined;
  readonly names: Names;
}

/** The source file of what a package exports under a subpath. */
function sourceOf(folder: string, types: string): string {
  const [, directory, name] = /^\.\/(dist|worker)\/(\w+)\.d\.ts$/.exec(types) ?? [];
  if (directory === "worker") return join(folder, types);
  return join(folder, "src", name === "index" ? "index.ts" : `${name}/index.ts`);
}

function entriesOf(packageName: string): string[] {
  const folder = join(ROOT, "packages", packageName);
  const { exports }: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [sourceOf(folder, entry.types)]));
}

/** Every parameter that may be an object of options, of every public function and method of every package that is published. */
export function publicBags(): Bag[] {
  const packages = readdirSync(join(ROOT, "packages")).filter((name) => name !== "client-python");
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return bagsOf(packages.flatMap(entriesOf), options);
}

/** Those of what some files export. */
export function bagsOf(entries: readonly string[], options: ts.CompilerOptions): Bag[] {
  const program = ts.createProgram([...entries], { ...options, noEmit: true });
  const reader = new Reader(program.getTypeChecker());
  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    if (source === undefined) throw new Error(`${entry} is not there`);
    reader.read(source);
  }
  return [...reader.bags.values()];
}

class Reader {
  readonly bags = new Map<string, Bag>();
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
      const ofMember = this.#checker.getTypeOfSymbolAtLocation(member, source);
      const signatures = this.#checker.getNonNullableType(ofMember).getCallSignatures();
      for (const signature of signatures) this.#add(signature, `${prefix}${member.name}`, owner);
    }
  }

  #add({ declaration, parameters }: ts.Signature, name: string, owner?: string): void {
    const place = packageOf(declaration);
    if (declaration === undefined || place === undefined || isPrivate(declaration)) return;
    for (const [index, parameter] of parameters.entries()) {
      const { valueDeclaration: written } = parameter;
      if (written === undefined || !ts.isParameter(written)) continue;
      const names = this.#namesOf(this.#checker.getTypeOfSymbolAtLocation(parameter, written));
      if (names === undefined) continue;
      const called = ts.isIdentifier(written.name) ? written.name.text : String(index);
      const id = `${place} ${name} ${called}`;
      const type = (written.type ?? written.name).getText();
      const before = this.bags.get(id)?.names;
      this.bags.set(id, { id, type, owner, names: { ...before, ...names } });
    }
  }

  /** The names of a value's type that is an object of ours, or may be one; undefined for any other. */
  #namesOf(type: ts.Type, within: readonly ts.Type[] = []): Names | undefined {
    const given = this.#checker.getNonNullableType(type);
    if (within.includes(given)) return undefined;
    const objects = (given.isUnion() ? given.types : [given]).filter((each) => this.#isObjectOfOurs(each));
    if (objects.length === 0) return undefined;
    const inside = [...within, given];
    const properties = objects.flatMap((each) => this.#checker.getPropertiesOfType(each));
    const types = properties.map((each) => [each.name, this.#checker.getTypeOfSymbol(each)] as const);
    return Object.fromEntries(
      types.map(([name, value]) => [name, this.#hasMethods(value) ? {} : (this.#namesOf(value, inside) ?? {})]),
    );
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
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) return false;
    if (type.getCallSignatures().length > 0) return false;
    return this.#checker
      .getPropertiesOfType(type)
      .some(({ declarations }) => packageOf(declarations?.[0]) !== undefined);
  }
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
