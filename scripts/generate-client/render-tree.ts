import type { growTree } from './grow-tree.ts';
import { isOperation } from './grow-tree.ts';

type Branch = ReturnType<typeof growTree>;

/** The TypeScript of the client's tree, with a comment for each of its first branches. */
export function renderTree(tree: Branch): string {
  const branches = Object.entries(tree).flatMap(([name, part]) => {
    const comment = isOperation(part) ? undefined : findComment(part);
    return [...(comment === undefined ? [] : [`  /** ${comment} */`]), `  ${name}: ${renderPart(part)},`];
  });
  return [
    '/** Where callers find each operation: `agents.tools.add` is the operation `addAgentTool`. */',
    'export const resourceTree = {',
    ...branches,
    '} as const;',
    '',
  ].join('\n');
}

function renderPart(part: Branch[string]): string {
  if (isOperation(part)) return `'${part.id}'`;
  const entries = Object.entries(part).map(([name, below]) => `${name}: ${renderPart(below)}`);
  return `{ ${entries.join(', ')} }`;
}

/** The description of the group of the first operation. */
function findComment(branch: Branch): string | undefined {
  const [first] = Object.values(branch).filter(isOperation);
  return first?.group;
}
