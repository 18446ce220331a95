import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import ts from "typescript";

/** What of a package's manifest says which packages are there wherever it is installed. */
interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Folders of data: what is in them is no code of the package's. */
const DATA = new Set(["node_modules", "model", "viewer"]);

/**
 * What the code of a published package refers to that a bundler could not find, or that is not there for every user: a file outside of the package,
 * a package that is not among its dependencies, or a file that bundlers take for a module, since `new URL` names it beside `import.meta.url`.
 * @param directory the package as it is published
 * @returns one line each, with file and line
 */
export function strayReferences(directory: string): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  return programsBelow(directory).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    return referencesOf(source).flatMap(({ node, text, how }) => {
      const why =
        how === "url" ? "is an address that bundlers resolve" : whyStray(text, how, file, directory, manifest);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const place = `${relative(directory, file).replaceAll(sep, "/")}:${line + 1}`;
      return why === undefined ? [] : [`${manifest.name} ${place}: ${text} ${why}`];
    });
  });
}

type How = "import" | "url" | "path";

interface Reference {
  readonly node: ts.Node;
  readonly text: string;
  readonly how: How;
}

function referencesOf(source: ts.SourceFile): Reference[] {
  const found: Reference[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
      const how = howUsed(node);
      if (how !== undefined) found.push({ node, text: node.text, how });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function howUsed(node: ts.StringLiteralLike | ts.TemplateHead): How | undefined {
  const value = ts.isTemplateHead(node) ? node.parent : node;
  const { parent } = value;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return "import";
  if (ts.isCallExpression(parent) && parent.arguments[0] === value) {
    if (parent.expression.kind === ts.SyntaxKind.ImportKeyword) return "import";
    // Also what `createRequire` makes, whose name ends with a number where a bundler has renamed it.
    if (/^(require|createRequire)\b|^require\d/.test(parent.expression.getText())) return "import";
  }
  if (ts.isNewExpression(parent) && parent.arguments?.[1]?.getText() === "import.meta.url") return "url";
  return /^\.\.\//.test(node.text) ? "path" : undefined;
}

function whyStray(
  text: string,
  how: How,
  file: string,
  directory: string,
  { name, dependencies = {} }: Manifest,
): string | undefined {
  if (text.startsWith(".")) {
    const target = join(dirname(file), text);
    if (relative(directory, target).startsWith("..")) return "is outside of the package";
    return how === "import" && !existsSync(target) ? "is not there" : undefined;
  }
  const [first = "", second = ""] = text.split("/");
  const needed = first.startsWith("@") ? `${first}/${second}` : first;
  if (isBuiltin(text) || needed.startsWith("#") || needed === name || needed in dependencies) return undefined;
  return "is not among the dependencies that every user has";
}

/** Every program of the package, wherever it lies. */
function programsBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return DATA.has(entry.name) ? [] : programsBelow(path);
    return /\.[cm]?js$/.test(entry.name) ? [path] : [];
  });
}
