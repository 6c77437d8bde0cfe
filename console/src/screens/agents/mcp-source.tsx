import { mcpServer } from '../../live/connect/targets.ts';
import { ConnectionStep } from './connection-step.tsx';
import type { SourceProps } from './source.ts';

/** MCP servers: first a connection to one, then its tools. */
export function McpSource({ present, basket }: SourceProps) {
  return <ConnectionStep target={mcpServer} present={present} basket={basket} />;
}
