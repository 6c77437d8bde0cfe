import { isJsonObject, parseJsonObject, type JsonObject } from '../../../domain/json.ts';
import type { ModelTool } from '../../../domain/model.ts';

/** A tool call that the demo model wants to make. */
export interface DemoToolCall {
  name: string;
  arguments: JsonObject;
}

/** A form of sentence that names the tool to call. */
interface DemoPhrase {
  pattern: RegExp;
  toCall: (groups: Record<string, string | undefined>, tools: ModelTool[]) => DemoToolCall | undefined;
}

const phrases: DemoPhrase[] = [
  {
    // call files:read_file with {"path": "notes.txt"}
    pattern: /\bcall\s+(?<server>[\w.-]+):(?<tool>[\w./-]*\w)(?:\s+with\s+(?<input>\{.*\}))?/is,
    toCall: ({ server = '', tool = '', input }, tools) =>
      callGateway(tools, { action: 'call', server, tool, args: parseObject(input) ?? {} }),
  },
  {
    // list the tools; list the tools of files
    pattern: /\blist\s+(?:all\s+)?(?:the\s+|your\s+)?tools(?:\s+(?:of|on)\s+(?<server>[\w.-]*\w))?/i,
    toCall: ({ server }, tools) =>
      callGateway(tools, { action: 'list', ...(server === undefined ? {} : { server }) }),
  },
  {
    // search the handbook for parental leave
    pattern: /\bsearch\s+(?:the\s+|our\s+|my\s+)?(?<name>\S+(?:\s+\S+){0,4}?)\s+for\s+(?<input>.+)/is,
    toCall: callNamed,
  },
  {
    // ask the researcher to compare both offers
    pattern:
      /\bask\s+(?:the\s+|our\s+|my\s+)?(?<name>\S+(?:\s+\S+){0,4}?)(?::|\s+(?:to|about|for))\s+(?<input>.+)/is,
    toCall: callNamed,
  },
  {
    // run the nightly report with {"day": "2026-11-21"}; use lookup_order with A-17
    pattern:
      /\b(?:use|run|start)\s+(?:the\s+|our\s+|my\s+)?(?<name>\S+(?:\s+\S+){0,4}?)(?:\s+(?:with|for|on)\s+(?<input>.+)|[.!?]?\s*$)/is,
    toCall: callNamed,
  },
];

/** Finds the call that a message asks for by the name of a tool; `nightly_report` is also found as "nightly report". */
export function pickNamedCall(text: string, tools: ModelTool[]): DemoToolCall | undefined {
  for (const { pattern, toCall } of phrases) {
    const groups = pattern.exec(text)?.groups;
    const call = groups && toCall(groups, tools);
    if (call) return call;
  }
  return undefined;
}

/** Returns a message that makes the demo model call this tool. */
export function toNamedExample(tool: ModelTool): string {
  if (isGateway(tool)) return 'list the tools';
  const names = listProperties(tool);
  if (names.includes('query')) return `search ${tool.name} for something`;
  return names.includes('message') ? `ask ${tool.name} to say hello` : `use ${tool.name}`;
}

function callGateway(tools: ModelTool[], input: JsonObject): DemoToolCall | undefined {
  const gateway = tools.find(isGateway);
  return gateway && { name: gateway.name, arguments: input };
}

function callNamed(
  { name = '', input }: Record<string, string | undefined>,
  tools: ModelTool[],
): DemoToolCall | undefined {
  const tool = findByWords(name, tools);
  return tool && { name: tool.name, arguments: toInput(tool, input) };
}

/** Words that people put after the name of a tool; they are not part of it. */
const kindWords = new Set(['tool', 'function', 'workflow', 'routine', 'agent', 'base']);

function findByWords(name: string, tools: ModelTool[]): ModelTool | undefined {
  const exact = tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase());
  const words = toWords(name).filter((word) => !kindWords.has(word));
  if (exact || words.length === 0) return exact;
  return tools.find((tool) => {
    const known = new Set(toWords(tool.name));
    return words.every((word) => known.has(word));
  });
}

function toWords(name: string): string[] {
  const separated = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return separated.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

const textProperties = ['query', 'message', 'input', 'text', 'task', 'question'];

/** Uses JSON as the arguments; puts any other text into the property that is most likely meant for it. */
function toInput(tool: ModelTool, input: string | undefined): JsonObject {
  const given = parseObject(input);
  if (given || input === undefined) return given ?? {};
  const names = listProperties(tool);
  const property = textProperties.find((name) => names.includes(name)) ?? names[0];
  return property === undefined ? {} : { [property]: input.trim().replace(/(?<=\w)[.!?]$/, '') };
}

function parseObject(text: string | undefined): JsonObject | undefined {
  const json = /\{.*\}/s.exec(text ?? '')?.[0];
  return json === undefined ? undefined : (parseJsonObject(json) ?? undefined);
}

function isGateway(tool: ModelTool): boolean {
  const names = listProperties(tool);
  return ['action', 'server', 'tool', 'args'].every((name) => names.includes(name));
}

function listProperties({ schema }: ModelTool): string[] {
  return isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
}
