import type { ConnectionAccess } from '../../../domain/connection.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import type { ExecutionRouter } from '../../providers/execution-router.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { failedResult } from '../failed-result.ts';
import { toTextArgument } from '../text-argument.ts';

/** The services that search the web: an operation of a provider, over a connection. */
export interface WebSearchParts {
  connections: Pick<ConnectionAccess, 'open'>;
  router: Pick<ExecutionRouter, 'searchWeb'>;
}

const defaultCount = 5;

async function run(parts: WebSearchParts | undefined, call: FunctionRun): Promise<ToolResult> {
  const { workspaceId, tool, timeoutMs, signal, idempotencyKey } = call;
  const { connectionId } = tool.config;
  if (!parts || connectionId === undefined) {
    const message =
      'The search of the web is not set up: set "config.connectionId" of the tool to a connection whose ' +
      'provider searches the web, such as brave-search.';
    return failedResult('TOOL_NOT_CONFIGURED', message);
  }
  const connection = await parts.connections.open({ workspaceId, connectionId });
  const search = { query: toTextArgument(call.arguments.query), count: countOf(call) };
  const answer = await parts.router.searchWeb(connection, search, { timeoutMs, signal, idempotencyKey });
  if (answer.status === 'failed') return answer;
  const results = answer.results
    .slice(0, search.count)
    .map(({ title, url, snippet }) => ({ title, url, snippet }));
  return { status: 'succeeded', text: connection.redact(JSON.stringify(results, null, 1)) };
}

function countOf({ arguments: { count } }: FunctionRun): number {
  return typeof count === 'number' ? count : defaultCount;
}

/** Searches the web and answers with titles, addresses and snippets. */
export function createWebSearch(parts?: WebSearchParts): ToolFunction {
  return {
    name: 'web_search',
    description:
      'Searches the web. Answers with the title, the URL and a snippet of each page that was found.',
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400 },
        count: { type: 'integer', minimum: 1, maximum: 20, default: defaultCount },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'read_only',
    run: (call) => run(parts, call),
  };
}
