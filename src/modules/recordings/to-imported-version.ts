import { createHash } from 'node:crypto';
import type { ImportedVersion } from './imported-rows.ts';
import { limitsInputSchema } from '../../domain/agent.ts';
import { noRules, rulesSchema } from '../../domain/rules.ts';
import type { RecordedTool, Recording } from '../../domain/recording.ts';
import { resultReaderFunction } from '../../domain/stored-result.ts';
import type { Tool } from '../../domain/tool.ts';
import { toImportedId } from '../../platform/lib/ids.ts';

/**
 * Returns the agent version of a recording as an agent that cannot act: each tool is a client tool, whose calls wait for
 * a program of the caller, except the tool that reads results of the conversation. Each content of an agent in the file
 * becomes one version.
 */
export function toImportedVersion(workspaceId: string, { agent, tools }: Recording): ImportedVersion {
  const content = JSON.stringify([agent, tools]);
  const hash = createHash('sha256').update(content).digest('hex');
  const id = toImportedId(workspaceId, 'version', hash);
  // Two contents with the same number are two agents, since the number of a version is unique for its agent.
  const agentId = toImportedId(workspaceId, 'agent', `${agent.id}\n${hash}`);
  const limits = limitsInputSchema.safeParse(agent.limits);
  const rules = rulesSchema.safeParse({ ...agent.rules, canaryTokens: [] });
  return {
    id,
    agentId,
    version: 1,
    name: `${agent.name.slice(0, 160)} (imported, version ${agent.version})`,
    model: agent.model,
    instructions: agent.instructions,
    limits: limits.success ? limits.data : {},
    rules: rules.success ? rules.data : noRules,
    toolCallsInText: agent.toolCallsInText,
    tools: tools.map((tool, index) => toTool(tool, toImportedId(workspaceId, 'tool', `${hash}\n${index}`))),
  };
}

function toTool({ name, type, description, schema, effect }: RecordedTool, id: string): Tool {
  const settings = effect === null ? {} : { settings: { effect } };
  const isReader = type === 'function' && name === resultReaderFunction;
  const config = isReader ? {} : { runs: 'client' as const };
  return { id, type: 'function', name, description, schema, config, ...settings };
}
