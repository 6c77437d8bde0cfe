import { layOut, type Box } from './lay-out.ts';
import type { DrawnEdge, DrawnGraph } from './drawn-graph.ts';

const margin = 16;

const colours: Record<string, string> = {
  call: '#dbeafe',
  run: '#dbeafe',
  set: '#f1f5f9',
  switch: '#fef3c7',
  raise: '#fee2e2',
  wait: '#ede9fe',
  listen: '#dcfce7',
  emit: '#dcfce7',
};

/** Draws the graph of a routine as SVG: tasks from top to bottom, and a frame around tasks that have tasks. */
export function toSvg(graph: DrawnGraph): string {
  const root = layOut(graph);
  const [width, height] = [root.width + 2 * margin, root.height + 2 * margin];
  const places = new Map<string, Box>();
  const shapes: string[] = [];
  place(root, { x: margin, y: margin }, places, shapes);
  const edges = listEdges(graph).flatMap(({ sourceId, destinationId, label }) => {
    const [from, to] = [places.get(sourceId), places.get(destinationId)];
    return from && to ? [drawEdge(from, to, label)] : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ' font-family="sans-serif" font-size="13" role="img">',
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
    '<path d="M0 0 8 4 0 8z" fill="#475569"/></marker></defs>',
    ...shapes,
    ...edges,
    '</svg>',
  ].join('');
}

// eslint-disable-next-line max-params -- the walk hands on what it fills
function place(box: Box, at: { x: number; y: number }, places: Map<string, Box>, shapes: string[]): void {
  const [x, y] = [at.x + box.x, at.y + box.y];
  const placed = { ...box, x, y };
  places.set(box.id, placed);
  shapes.push(drawBox(placed));
  for (const child of box.children) place(child, { x, y }, places, shapes);
}

function drawBox({ x, y, width, height, type, label, children }: Box): string {
  if (type === 'root') return '';
  if (label === '') {
    const filled = type === 'start' || type === 'end' ? '#475569' : '#94a3b8';
    return `<circle cx="${x + width / 2}" cy="${y + height / 2}" r="${Math.min(width, height) / 2}" fill="${filled}"/>`;
  }
  const frame = children.length > 0;
  const fill = frame ? 'none' : (colours[type] ?? '#f8fafc');
  const textY = frame ? y + 16 : y + height / 2 + 5;
  const dashes = frame ? ' stroke-dasharray="4 3"' : '';
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fill}" stroke="#64748b"${dashes}/>` +
    `<text x="${x + width / 2}" y="${textY}" text-anchor="middle" fill="#0f172a">${escapeXml(label)}</text>`
  );
}

/** An edge that goes back up runs at the right of its boxes. */
function drawEdge(from: Box, to: Box, label: string): string {
  const [fromX, toX] = [from.x + from.width / 2, to.x + to.width / 2];
  const [fromY, toY] = [from.y + from.height, to.y];
  const side = Math.max(from.x + from.width, to.x + to.width) + 14;
  const isDown = toY >= fromY;
  const line = isDown
    ? `M${fromX} ${fromY}C${fromX} ${(fromY + toY) / 2} ${toX} ${(fromY + toY) / 2} ${toX} ${toY}`
    : `M${from.x + from.width} ${from.y + from.height / 2}H${side}V${to.y + to.height / 2}H${to.x + to.width}`;
  const text =
    label === ''
      ? ''
      : `<text x="${(fromX + toX) / 2 + 4}" y="${(fromY + toY) / 2}" font-size="11" fill="#475569">${escapeXml(label)}</text>`;
  return `<path d="${line}" fill="none" stroke="#475569" marker-end="url(#arrow)"/>${text}`;
}

function listEdges({ nodes, edges }: DrawnGraph): DrawnEdge[] {
  return [...edges, ...nodes.flatMap(listEdges)];
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
