import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A function at the top of a file. */
interface FunctionRef {
  file: string;
  name: string;
}

interface Source {
  functions: Map<string, ts.Node>;
  imported: Map<string, FunctionRef>;
}

/** The effort to read all code that a function calls. */
export interface Walk {
  /** How often the reader opens a file, each file that is opened again included. */
  stops: number;
  /** How often that file was open before. */
  returns: number;
}

/**
 * Counts how a reader moves through the files who follows a function into each function that it calls by name, in the order of
 * the text and as deep as calls go. A function that was read before is not opened again. Methods, and files that `isKnown` accepts,
 * end the walk.
 * @throws Error when the file has no such function
 */
export function walkCalls(start: FunctionRef, isKnown: (file: string) => boolean): Walk {
  const sources = new Map<string, Source>();
  const read = new Set<string>();
  const stops: string[] = [];

  const findSource = (file: string): Source => {
    const source = sources.get(file) ?? readSource(file);
    sources.set(file, source);
    return source;
  };
  const enter = ({ file, name }: FunctionRef): void => {
    const body = isKnown(file) ? undefined : findSource(file).functions.get(name);
    if (body === undefined || read.has(`${file}#${name}`)) return;
    read.add(`${file}#${name}`);
    if (stops.at(-1) !== file) stops.push(file);
    follow(body, file);
  };
  const follow = (node: ts.Node, file: string): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      enter(findSource(file).imported.get(name) ?? { file, name });
    }
    ts.forEachChild(node, (child) => follow(child, file));
  };

  enter(start);
  if (stops.length === 0) throw new Error(`${start.file} has no function ${start.name}`);
  return { stops: stops.length, returns: stops.length - new Set(stops).size };
}

function readSource(file: string): Source {
  const source: Source = { functions: new Map(), imported: new Map() };
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name && statement.body)
      source.functions.set(statement.name.text, statement.body);
    if (ts.isImportDeclaration(statement))
      for (const [name, ref] of listImported(file, statement)) source.imported.set(name, ref);
  }
  return source;
}

/** Returns the functions that a statement may import from a file, by their names in the importing file. */
function listImported(file: string, statement: ts.ImportDeclaration): [string, FunctionRef][] {
  const { moduleSpecifier, importClause } = statement;
  const names = importClause?.namedBindings;
  if (!names || !ts.isNamedImports(names) || !ts.isStringLiteral(moduleSpecifier)) return [];
  if (!moduleSpecifier.text.startsWith('.')) return [];
  const from = path.posix.join(path.posix.dirname(file), moduleSpecifier.text);
  return names.elements.map(({ name, propertyName }) => [
    name.text,
    { file: from, name: (propertyName ?? name).text },
  ]);
}
