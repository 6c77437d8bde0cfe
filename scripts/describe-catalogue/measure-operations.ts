import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/** How long the operations of a provider are. */
export interface ProviderSize {
  provider: string;
  /** The lines of each operation, from its name to its closing brace. */
  lines: number[];
  /** The lines of the whole record, with what its operations share. */
  recordLines: number;
}

/** Measures the records of a folder. */
export async function measureOperations(folder: string): Promise<ProviderSize[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  return Promise.all(
    files.map(async (file) => {
      const source = ts.createSourceFile(
        file,
        await readFile(path.join(folder, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
      const operations = findOperations(source);
      return {
        provider: path.basename(file, '.ts'),
        lines: operations.map((one) => lineOf(one.end) - lineOf(one.getStart(source)) + 1),
        recordLines: lineOf(source.end),
      };
    }),
  );
}

/** Returns the entries of the first object that is named `operations`. */
function findOperations(node: ts.Node): readonly ts.Node[] {
  const isFound =
    ts.isPropertyAssignment(node) &&
    ts.isIdentifier(node.name) &&
    node.name.text === 'operations' &&
    ts.isObjectLiteralExpression(node.initializer);
  if (isFound) return node.initializer.properties;
  return (
    ts.forEachChild(node, (child) => {
      const found = findOperations(child);
      return found.length > 0 ? found : undefined;
    }) ?? []
  );
}

/** The middle one of sorted numbers, or the lower of the two in the middle. */
export function toMedian(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length / 2) - 1] ?? 0;
}
