import { isOfEveryKey, rights, type Right } from '../../src/domain/rights.ts';
import type { DeclaredRoute } from '../../src/platform/http/route.ts';
import { doorWays, functionWays, storedWays, workflowWays, type Way } from './ways.ts';

const sections = {
  routes: describeRoutes,
  functions: () => describeWays('Function', functionWays),
  stored: () => describeWays('Stored work', storedWays),
  doors: () => describeWays('Address', doorWays),
  workflows: () => describeWays('Workflow', workflowWays),
} as const;

/** Replaces the tables in the page about rights. @throws Error when the page has no place for one of them */
export function replaceTables(page: string, routes: readonly DeclaredRoute[]): string {
  return Object.entries(sections).reduce((text, [name, describe]) => {
    const begin = `<!-- The table of ${name} is written by "npm run generate". -->`;
    const end = `<!-- End of the table of ${name}. -->`;
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from < 0 || to < from) throw new Error(`The page has no place for the table: ${begin} … ${end}.`);
    return `${text.slice(0, from + begin.length)}\n\n${describe(routes)}\n${text.slice(to)}`;
  }, page);
}

function describeRoutes(routes: readonly DeclaredRoute[]): string {
  const byRight = Map.groupBy(routes, ({ right }) => right ?? null);
  const list = (right: Right | null) =>
    (byRight.get(right) ?? []).map(({ method, path }) => `\`${method} ${path}\``).join(', ');
  const rows = Object.entries(rights).map(([name, rule]) => [
    `\`${name}\``,
    rule.protects,
    isOfEveryKey(name as Right)
      ? 'any'
      : rule.scopes.map((scope) => `\`${scope}\``).join('any' in rule ? ' or ' : ' and '),
    list(name as Right) || 'none: use cases ask for it besides the right of their route',
  ]);
  return toTable([
    ['Right', 'Protects', 'Scopes', 'Routes'],
    ...rows,
    ['none', 'whether the programs run', 'none', list(null)],
  ]);
}

function describeWays(head: string, ways: Record<string, Way>): string {
  const rows = Object.entries(ways).map(([name, { reaches, check, test }]) => [
    `\`${name}\``,
    reaches,
    check,
    `\`${test}\``,
  ]);
  return toTable([[head, 'Reaches', 'What holds', 'Shown by'], ...rows]);
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
