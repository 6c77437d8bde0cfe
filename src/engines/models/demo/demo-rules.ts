import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { ModelTool } from '../../../domain/model.ts';
import { pickNamedCall, toNamedExample, type DemoToolCall } from './demo-phrases.ts';

interface DemoRule {
  /** A message that the rule matches, for the help text. */
  example: string;
  /** Patterns of the names of tools that can do it, best first. */
  toolNames: RegExp[];
  /** Returns the values of the arguments, or undefined when the message does not match. */
  match: (text: string) => string[] | undefined;
  /** For each value of `match`, the names of the argument that it goes to, best first. */
  propertyNames: string[][];
  propertyType: 'string' | 'number';
}

const maxNamedExamples = 5;

const rules: DemoRule[] = [
  {
    example: 'what time is it in Europe/Berlin',
    toolNames: [/current_time/],
    match: (text) => {
      if (!/\bwhat(?:'s| is)?(?: the)? (?:current )?time\b|\btime is it\b/i.test(text)) return undefined;
      const timeZone = /\b(?:[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_]+|UTC)\b/.exec(text)?.[0];
      return timeZone ? [timeZone] : [];
    },
    propertyNames: [['timeZone', 'timezone', 'time_zone']],
    propertyType: 'string',
  },
  {
    example: 'what is 12 * (3 + 4)',
    toolNames: [/calculate$/],
    match: (text) => {
      const expression = /[\d(][\d\s.()]*(?:[-+*/^%][\d\s.()-]*\d[\d\s.()]*)+/.exec(withoutPaths(text))?.[0];
      return expression ? [expression.trim().replace(/\.$/, '')] : undefined;
    },
    propertyNames: [['expression']],
    propertyType: 'string',
  },
  {
    example: 'echo hello',
    toolNames: [/echo$/],
    match: (text) =>
      captures(
        /\becho\s+["']?(.+?)["']?\s*(?:$|[.!?](?:\s|$)|,|\band\s+(?:add|sum|what|list|read)\b)/i,
        text,
      ),
    propertyNames: [['message', 'text']],
    propertyType: 'string',
  },
  {
    example: 'add 2 and 3',
    toolNames: [/get[-_]sum$/, /(?:^|[-_])add$/, /(?:^|[-_])sum$/],
    match: (text) =>
      captures(
        /\b(?:add|sum(?:\s+of)?)\s+(-?\d+(?:\.\d+)?)(?:\s*,\s*|\s+(?:and|to|plus)\s+)(-?\d+(?:\.\d+)?)/i,
        text,
      ),
    propertyNames: [['a'], ['b']],
    propertyType: 'number',
  },
  {
    example: 'list files',
    toolNames: [/list_directory$/],
    match: (text) => {
      if (!/\blist\b.{0,20}\b(?:files?|director(?:y|ies)|folders?)\b/i.test(text)) return undefined;
      return captures(/\b(?:files|directory|folder)\s+(?:in|of|under)\s+["'`]?([^\s"'`?,]+)/i, text) ?? ['.'];
    },
    propertyNames: [['path', 'directory']],
    propertyType: 'string',
  },
  {
    example: 'read notes.txt',
    toolNames: [/read_text_file$/, /read_file$/],
    match: (text) => captures(/\bread\s+(?:the\s+)?(?:file\s+)?["'`]?([^\s"'`?,]*[./][^\s"'`?,]*\w)/i, text),
    propertyNames: [['path', 'file', 'filename']],
    propertyType: 'string',
  },
];

/**
 * Returns the tool calls that a message asks for: the one tool that it names, otherwise one call for each rule that
 * matches and has a tool.
 */
export function pickToolCalls(text: string, tools: ModelTool[]): DemoToolCall[] {
  const named = pickNamedCall(text, tools);
  if (named) return [named];
  return rules.flatMap((rule) => {
    const tool = findTool(rule, tools);
    const values = tool && rule.match(text);
    return values ? [{ name: tool.name, arguments: toArguments(rule, values, tool.schema) }] : [];
  });
}

/** Returns messages that make the demo model call one of these tools. */
export function listExamples(tools: ModelTool[]): string[] {
  const examples = rules.filter((rule) => findTool(rule, tools)).map(({ example }) => example);
  return examples.length > 0 ? examples : tools.slice(0, maxNamedExamples).map(toNamedExample);
}

function findTool({ toolNames }: DemoRule, tools: ModelTool[]): ModelTool | undefined {
  return toolNames.map((pattern) => tools.find(({ name }) => pattern.test(name))).find((tool) => tool);
}

function toArguments(rule: DemoRule, values: string[], schema: JsonObject): JsonObject {
  const free = listProperties(schema, rule.propertyType);
  const entries = values.flatMap((value, index): [string, JsonValue][] => {
    const wanted = rule.propertyNames[index] ?? [];
    const name = wanted.find((candidate) => free.includes(candidate)) ?? free[index] ?? wanted[0];
    return name === undefined ? [] : [[name, rule.propertyType === 'number' ? Number(value) : value]];
  });
  return Object.fromEntries(entries);
}

function listProperties(schema: JsonObject, type: DemoRule['propertyType']): string[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const types: JsonValue[] = type === 'number' ? ['number', 'integer'] : ['string'];
  return Object.keys(properties).filter((name) => {
    const property = properties[name];
    return isJsonObject(property) && types.includes(property['type'] ?? null);
  });
}

function captures(pattern: RegExp, text: string): string[] | undefined {
  return pattern.exec(text)?.slice(1);
}

/** Removes dates and paths, which look like calculations: `2026-11-21`, `a/1/2`. */
function withoutPaths(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}\b|\S*[A-Za-z_]\S*/g, ' ');
}
