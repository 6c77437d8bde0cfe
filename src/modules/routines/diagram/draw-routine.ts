import type { JsonObject } from '../../../domain/json.ts';
import { buildGraph } from './build-graph.ts';
import { toMermaid } from './to-mermaid.ts';
import { toSvg } from './to-svg.ts';

/** The flowchart of a routine as Mermaid code and as SVG. */
export interface RoutineDiagram {
  mermaid: string;
  svg: string;
}

/** Draws a document that was checked. Its time is not limited here. */
export function drawRoutine(document: JsonObject): RoutineDiagram {
  const graph = buildGraph(document);
  return { mermaid: toMermaid(graph), svg: toSvg(graph) };
}
