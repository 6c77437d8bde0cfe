import MiniSearch from 'minisearch';
import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { mapTexts, stripInvisible } from '../../../domain/invisible-text.ts';
import { cutDescription } from '../../../domain/tool-description.ts';
import { toGatewayId, type GatewayCall } from './mcp-target.ts';

/** A tool behind the gateway. */
export interface GatewayTool {
  server: string;
  definition: ToolDefinition;
}

/** The tools of a gateway's servers, and the servers whose tools could not be listed. */
export interface GatewayOffer {
  tools: GatewayTool[];
  unavailable: { server: string; error: string }[];
  /** The tools that are not offered, because their definitions are no longer those that were accepted. */
  quarantined: GatewayCall[];
}

/** The longest list that a model is given, in bytes. */
const maxListBytes = 24 * 1024;

const maxBriefDescription = 120;
const maxFound = 20;

/** A tool as a list names it in full. */
export function toListEntry({ server, definition }: GatewayTool): JsonObject {
  const { name, inputSchema } = definition;
  const description = cutDescription(definition.description);
  const entry = { id: toGatewayId({ server, tool: name }), server, name, description, inputSchema };
  return mapTexts(entry, stripInvisible) as JsonObject;
}

function toBriefEntry({ server, definition }: GatewayTool): JsonObject {
  const name = stripInvisible(definition.name);
  const description = stripInvisible(definition.description);
  const isLong = description.length > maxBriefDescription;
  const brief = isLong ? `${description.slice(0, maxBriefDescription - 1)}…` : description;
  return { id: toGatewayId({ server, tool: name }), server, name, description: brief };
}

/** `searchStatute` and `search_statute` are found by "statute" alike. */
function toWords(name: string): string {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2');
}

/** The tools that fit a query, best first. */
export function rankTools(tools: GatewayTool[], query: string): GatewayTool[] {
  const index = new MiniSearch({
    fields: ['name', 'server', 'description'],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 3, server: 2 } },
  });
  index.addAll(
    tools.map(({ server, definition }, id) => ({
      id,
      server,
      name: toWords(definition.name),
      description: definition.description,
    })),
  );
  const found = index.search(query).slice(0, maxFound);
  return found.map(({ id }) => tools[id as number]).filter((tool) => tool !== undefined);
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** As many entries as fit, from the first on. */
function takeFitting(entries: JsonObject[], maxBytes: number): JsonObject[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => (bytes += sizeOf(entry) + 1) > maxBytes);
  return end === -1 ? entries : entries.slice(0, end);
}

function countByServer(tools: GatewayTool[]): JsonObject {
  const counts = new Map<string, number>();
  for (const { server } of tools) counts.set(server, (counts.get(server) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const howToSeeSchema = 'To see how a tool is called, list with its "server" and "tool".';

/** A list that leaves out what exceeds the limit of its size; its note says so. */
function toShortList(tools: GatewayTool[], unavailable: JsonObject): JsonObject {
  const servers = countByServer(tools);
  const fitting = takeFitting(
    tools.map(toBriefEntry),
    maxListBytes - sizeOf({ servers, ...unavailable }) - 400,
  );
  const isAll = fitting.length === tools.length;
  const narrow = isAll ? '' : ' Say with "query" what the tool should do, or name a "server", to see others.';
  const shown = isAll ? `All ${tools.length} tools` : `${fitting.length} of ${tools.length} tools`;
  const note = `${shown}, without their inputSchema. ${howToSeeSchema}${narrow}`;
  return { note, servers, tools: fitting, ...unavailable };
}

/**
 * The list of the tools behind a gateway for a model, as JSON: an array of `{ id, server, name, description,
 * inputSchema }`. When that would be more than 24 KB, or the tools of a server could not be listed, it is an object with the
 * `tools`, a `note` and what is `unavailable`.
 */
export function toListing({ tools, unavailable }: Pick<GatewayOffer, 'tools' | 'unavailable'>): string {
  const entries = tools.map(toListEntry);
  const missing: JsonObject =
    unavailable.length === 0 ? {} : { unavailable: unavailable.map((one) => ({ ...one })) };
  const whole = unavailable.length === 0 ? entries : { tools: entries, ...missing };
  return JSON.stringify(sizeOf(whole) <= maxListBytes ? whole : toShortList(tools, missing));
}
