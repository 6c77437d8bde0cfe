import type { JsonObject } from '../../domain/json.ts';
import { loadSdk } from '../load-sdk.ts';
import { toSvg } from './to-svg.ts';

/** The flowchart of a routine as Mermaid code and as SVG. */
export interface RoutineDiagram {
  mermaid: string;
  svg: string;
}

/** Draws a document that was checked. */
export async function drawRoutine(document: JsonObject): Promise<RoutineDiagram> {
  const { buildGraph, convertToMermaidCode } = await loadSdk();
  const workflow = document as unknown as Parameters<typeof buildGraph>[0];
  return { mermaid: convertToMermaidCode(workflow), svg: toSvg(buildGraph(workflow)) };
}
