import type { AgentDraft } from '../../domain/agent.ts';
import type { JsonObject } from '../../domain/json.ts';
import { noRules, type Rules } from '../../domain/rules.ts';
import type { ToolInput } from '../../domain/tool.ts';

/**
 * Creates the demo agent, with tools that work without any setup and a model that is available. Without the demo MCP
 * servers it has the built-in functions alone.
 */
export function createDemoAgent(model: string, { hasServers = true } = {}): AgentDraft {
  return {
    name: demoAgentName,
    model,
    instructions:
      'You are the demo agent of Holdfast. Use your tools where they help, several at once where that is possible, ' +
      `and say in a few words what you found.${hasServers ? aboutFiles : ''}`,
    tools: hasServers ? [...functionTools, ...everythingTools, ...filesystemTools] : functionTools,
    rules,
    limits: {},
    execution: 'inspectable',
  };
}

const aboutFiles =
  ' The files that you can see are in the working folder of the tools; ask for the path "." to list them.';

/**
 * A text that the agent reads, such as a file, may instruct it to send data somewhere (prompt injection). The demo shows
 * that requests work, so the agent may read the pages that exist for examples (RFC 2606), and nothing else.
 */
const rules: Rules = {
  ...noRules,
  toolPolicies: {
    http_request: {
      allowedValues: { method: ['GET', 'HEAD'] },
      patterns: { url: 'https://(www\\.)?example\\.(com|net|org)/?' },
      forbiddenFields: ['headers', 'body'],
    },
  },
};

/** The name by which the demo agent is found again. */
export const demoAgentName = 'Demo agent';

function createSchema(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, required };
}

function createFunctionTool(name: string, description: string, schema: JsonObject): ToolInput {
  return { type: 'function', name, description, schema, config: { functionName: name } };
}

/** The definitions of the built-in functions. Their effects are known, so they have no setting for it. */
const functionTools: ToolInput[] = [
  createFunctionTool(
    'current_time',
    'Tells the current date, time and day of the week in a time zone.',
    createSchema({
      timeZone: { type: 'string', description: 'IANA name, such as "Europe/Berlin"; UTC without one.' },
    }),
  ),
  createFunctionTool(
    'calculate',
    'Calculates an arithmetic expression, such as "2 * (3.5 + 4)", "18% * 250" or "5 inch to cm".',
    createSchema({ expression: { type: 'string' } }, ['expression']),
  ),
  createFunctionTool(
    'http_request',
    'Makes an HTTP request to example.com, example.net or example.org. Redirects are not followed, but shown.',
    createSchema(
      {
        method: { type: 'string', enum: ['GET', 'HEAD'] },
        url: {
          type: 'string',
          description: 'https://example.com, https://example.net or https://example.org',
        },
      },
      ['url'],
    ),
  ),
];

/** The harmless tools of `@modelcontextprotocol/server-everything`. */
const everythingTools: ToolInput[] = [
  createReadingTool('everything', 'echo', {
    description: 'Echoes back the input string',
    schema: createSchema({ message: { type: 'string', description: 'Message to echo' } }, ['message']),
  }),
  createReadingTool('everything', 'get-sum', {
    description: 'Returns the sum of two numbers',
    schema: createSchema(
      {
        a: { type: 'number', description: 'First number' },
        b: { type: 'number', description: 'Second number' },
      },
      ['a', 'b'],
    ),
  }),
  createReadingTool('everything', 'get-structured-content', {
    description: 'Returns the weather of a city as structured content',
    schema: createSchema({ location: { type: 'string', enum: ['New York', 'Chicago', 'Los Angeles'] } }, [
      'location',
    ]),
  }),
  createReadingTool('everything', 'trigger-long-running-operation', {
    description: 'Demonstrates a long running operation with progress updates.',
    schema: createSchema({
      duration: { type: 'number', default: 10, description: 'Duration of the operation in seconds' },
      steps: { type: 'number', default: 5, description: 'Number of steps in the operation' },
    }),
  }),
];

const path = { type: 'string' };

/** Tools of `@modelcontextprotocol/server-filesystem`. Writing a file is idempotent. */
const filesystemTools: ToolInput[] = [
  createReadingTool('filesystem', 'list_directory', {
    description: 'Lists the files and folders in a folder, each with [FILE] or [DIR] before its name.',
    schema: createSchema({ path }, ['path']),
  }),
  createReadingTool('filesystem', 'read_text_file', {
    description: 'Reads a text file, or with head or tail only its first or last lines.',
    schema: createSchema({ path, head: { type: 'number' }, tail: { type: 'number' } }, ['path']),
  }),
  {
    ...createReadingTool('filesystem', 'write_file', {
      description: 'Creates a file, or replaces all that is in it.',
      schema: createSchema({ path, content: { type: 'string' } }, ['path', 'content']),
    }),
    settings: { effect: 'idempotent' },
  },
];

function createReadingTool(
  server: string,
  name: string,
  { description, schema }: { description: string; schema: JsonObject },
): ToolInput {
  return { type: 'mcp', name, description, schema, config: { server }, settings: { effect: 'read_only' } };
}
