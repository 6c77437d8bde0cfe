interface MigrationStatements {
  /** The statements that the migration ran. */
  sql: string[];
  isCompatible: boolean;
}

/** Changes of tables that programs know, after which they may fail. */
const breakingChanges = [
  /\bDROP\s+(?!INDEX\b|NOT\s+NULL\b)\w+/i,
  /\bRENAME\b/i,
  /\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i,
  /\bADD\s+COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
  /^\s*(?:REVOKE|TRUNCATE|DELETE)\b/i,
];

/** Replaces a check by one that names the allowed values; `findNarrowedChecks` compares them. */
const replacedCheck =
  /\bDROP\s+CONSTRAINT\s+(?:IF\s+EXISTS\s+)?(\w+),\s*ADD\s+CONSTRAINT\s+\1\s+CHECK\s*\(\w+ IN \([^()]*\)\)\s+NOT\s+VALID/i;

/** The checks of a database by their names, as Postgres shows them. */
export type Checks = Record<string, string>;

/** Lists the checks of a database that are gone after a migration, or allow less than before. */
export function findNarrowedChecks(before: Checks, after: Checks): string[] {
  const listValues = (check = ''): string[] => check.match(/'[^']*'/g) ?? [];
  return Object.entries(before).flatMap(([name, check]) => {
    if (after[name] === check) return [];
    const [values, allowed] = [listValues(check), listValues(after[name])];
    const isWider = values.length > 0 && values.every((value) => allowed.includes(value));
    return isWider ? [] : [`${name} allows less: ${after[name] ?? 'it is gone'}`];
  });
}

/**
 * Lists what a migration must not do: change a table in a way that older programs do not expect, without saying so, or
 * create an index that keeps programs from writing. Tables and functions that the migration creates are its own.
 */
export function findBrokenRules({ sql, isCompatible }: MigrationStatements): string[] {
  const statements = sql.flatMap((text) => withoutBodies(text).split(';')).map((text) => text.trim());
  const created = new Set(statements.flatMap((text) => findName(text, /^CREATE (?:UNLOGGED )?TABLE (\w+)/i)));
  const functions = new Set(
    statements.flatMap((text) => findName(text, /^CREATE OR REPLACE FUNCTION (\w+)/i)),
  );
  return statements.flatMap((text) => {
    const [indexed] = findName(text, /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\b)(?:\w+ )?ON (\w+)/i);
    if (indexed !== undefined && !created.has(indexed)) return [`blocks writers: ${text}`];
    const [altered] = findName(text, /^ALTER TABLE (\w+)/i);
    const [revoked] = findName(text, /^REVOKE EXECUTE ON FUNCTION (\w+)/i);
    const isOwn =
      (altered !== undefined && created.has(altered)) || (revoked !== undefined && functions.has(revoked));
    const kept = text.replace(replacedCheck, '');
    const breaks = !isOwn && breakingChanges.some((pattern) => pattern.test(kept));
    return breaks && !isCompatible ? [] : breaks ? [`is not additive: ${text}`] : [];
  });
}

/** Bodies of functions and comments say nothing about tables. */
function withoutBodies(text: string): string {
  return text.replaceAll(/\$\$[\s\S]*?\$\$/g, '').replaceAll(/--.*$/gm, '');
}

function findName(text: string, pattern: RegExp): string[] {
  const name = pattern.exec(text.replaceAll(/\s+/g, ' '))?.[1];
  return name === undefined ? [] : [name];
}
