import type { ToolEffect } from '../../domain/tool.ts';
import type { Operation } from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { toOperationName, toOperationTools, type OperationTool } from './operation-tools.ts';

/** An operation with the name that its provider gives it. */
export interface NamedOperation {
  name: string;
  operation: Operation;
}

/** A provider with its tools. */
export interface ProviderEntry {
  provider: Provider;
  source: 'catalogue' | 'imported';
  tools: readonly OperationTool[];
  /** Finds an operation by the name of its tool (`slack_sendMessage`) or by its own (`sendMessage`). */
  findOperation: (toolName: string) => NamedOperation | undefined;
  /** Finds the operation that has a role. */
  findOperationFor: (role: NonNullable<Operation['role']>) => NamedOperation | undefined;
  /** Returns the effect of a tool; `unsafe` for an unknown one. */
  effectOf: (toolName: string) => ToolEffect;
}

/** Creates the entry of a provider. */
export function createProviderEntry(provider: Provider, source: ProviderEntry['source']): ProviderEntry {
  const { operations } = provider;
  const findOperation: ProviderEntry['findOperation'] = (toolName) => {
    const name = toOperationName(provider.name, toolName);
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    return operation && { name, operation };
  };
  return {
    provider,
    source,
    tools: toOperationTools(provider),
    findOperation,
    findOperationFor: (role) => {
      const found = Object.entries(operations).find(([, one]) => one.role === role);
      return found && { name: found[0], operation: found[1] };
    },
    effectOf: (toolName) => findOperation(toolName)?.operation.effect ?? 'unsafe',
  };
}

/** The provider of a workspace to find. */
export interface ProviderRef {
  workspaceId: string;
  name: string;
}

/**
 * Finds the providers of a workspace: those of the catalogue at once, and its imported ones in the database. Undefined for
 * other names, such as `mcp`.
 */
export type FindProviderEntry = (ref: ProviderRef) => Promise<ProviderEntry | undefined>;
