import type { DrawnEdge, DrawnGraph } from './drawn-graph.ts';

const shapes: Record<string, string> = {
  entry: ':::hidden',
  exit: ':::hidden',
  start: '(( ))',
  end: '((( )))',
  condition: '{" "}',
};

/** Writes the flowchart of a routine as Mermaid code. */
export function toMermaid(graph: DrawnGraph): string {
  const hidden = new Set<string>();
  return ['flowchart TD', ...listContents(graph, hidden), '', 'classDef hidden display: none;'].join('\n');
}

/** Lists the lines of the nodes and edges in a graph, and notes the nodes that are not shown. */
function listContents({ nodes, edges }: DrawnGraph, hidden: Set<string>): string[] {
  const lines = nodes.flatMap((node) => listLines(node, hidden));
  return [...lines, ...edges.map((edge) => toLine(edge, hidden))].map((line) => `    ${line}`);
}

function listLines(node: DrawnGraph, hidden: Set<string>): string[] {
  const { id, type, label, nodes } = node;
  if (nodes.length > 0) return [`subgraph ${id} ["${escape(label)}"]`, ...listContents(node, hidden), 'end'];
  if (type === 'entry' || type === 'exit') hidden.add(id);
  return [`${id}${shapes[type] ?? `["${escape(label)}"]`}`];
}

function toLine({ sourceId, destinationId, label }: DrawnEdge, hidden: Set<string>): string {
  const text = label === '' ? '' : `--"${escape(label)}"`;
  return `${sourceId} ${text}--${hidden.has(destinationId) ? '-' : '>'} ${destinationId}`;
}

/** Mermaid has its own entities, without the ampersand. */
function escape(text: string): string {
  const entities: Record<string, string> = {
    '#': '#35;',
    '"': '#quot;',
    '<': '#lt;',
    '>': '#gt;',
    '&': '#amp;',
  };
  return text.replaceAll(/[#"<>&]/g, (character) => entities[character] ?? '');
}
