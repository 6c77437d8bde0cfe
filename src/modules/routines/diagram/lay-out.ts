import type { DrawnGraph } from './drawn-graph.ts';

/** A box of the drawing. Its position is relative to the box around it. */
export interface Box {
  id: string;
  type: string;
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
  children: Box[];
}

const boxHeight = 34;
const gap = 28;
const padding = 14;
const titleHeight = 14;
const dot = 10;

/** Lays out a graph: its nodes stand below each other, and the branches of a fork beside each other. */
export function layOut(graph: DrawnGraph): Box {
  const { id, type, label } = graph;
  if (graph.nodes.length === 0) {
    const isDot = label === '';
    const width = isDot ? dot : Math.max(80, 24 + Math.min(label.length, 60) * 8);
    return { id, type, label, x: 0, y: 0, width, height: isDot ? dot : boxHeight, children: [] };
  }
  const rows = toRows(graph).map((row) => row.map(layOut));
  const inner = Math.max(...rows.map(widthOf), 60);
  let y = type === 'root' ? 0 : padding + titleHeight;
  for (const row of rows) {
    let x = padding + (inner - widthOf(row)) / 2;
    for (const box of row) {
      Object.assign(box, { x, y });
      x += box.width + gap;
    }
    y += Math.max(...row.map(({ height }) => height)) + gap;
  }
  const height = y - gap + (type === 'root' ? 0 : padding);
  // The space at the right is for edges that go back up.
  return { id, type, label, x: 0, y: 0, width: inner + 2 * padding + 16, height, children: rows.flat() };
}

function widthOf(row: Box[]): number {
  return row.reduce((sum, { width }) => sum + width + gap, -gap);
}

/** The entry comes first and the exit last, wherever they are in the list. */
function toRows({ type, nodes }: DrawnGraph): DrawnGraph[][] {
  const first = nodes.filter((node) => node.type === 'start' || node.type === 'entry');
  const last = nodes.filter((node) => node.type === 'end' || node.type === 'exit');
  const between = nodes.filter((node) => !first.includes(node) && !last.includes(node));
  const middle = type === 'fork' ? [between] : between.map((node) => [node]);
  return [first, ...middle, last].filter((row) => row.length > 0);
}
