import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolEffect } from '../domain/tool.ts';
import type { ProviderCategory } from '../domain/provider-category.ts';
import type { WebhookSender } from '../domain/webhook-rule.ts';
import type { Operation } from './define-operation.ts';
import type { Provider, ProviderAuth } from './define-provider.ts';
import { describeSetup } from './describe-setup.ts';
import { drawMonogram } from './draw-monogram.ts';
import { toOperationName, toOperationTools, type OperationTool } from './operation-tools.ts';
import { webhookSenders } from './webhook-senders.ts';

/** Limits a list of providers. */
export interface ProviderFilter {
  /** Words; all of them must occur in the name, the title, the description or the names of operations. */
  search?: string | undefined;
  category?: string | undefined;
}

/** An operation with the name that its provider gives it. */
export interface NamedOperation {
  name: string;
  operation: Operation;
}

/** The catalogue of providers. */
export interface ProviderRegistry {
  /** Lists providers by title. */
  listProviders: (filter?: ProviderFilter) => Provider[];
  findProvider: (name: string) => Provider | undefined;
  /** Finds how connections to a provider authenticate. */
  findProviderAuth: (name: string) => ProviderAuth | undefined;
  /** Draws the logo of a provider as SVG. */
  drawLogo: (provider: Provider) => string;
  /** Returns what a person does before connecting, as Markdown; `callbackUrl` is the redirect address of this server. */
  describeSetup: (provider: Provider, callbackUrl: string) => string;
  /** Finds the rule by which a provider signs the webhooks that triggers take. */
  findWebhookSender: (name: string) => WebhookSender | undefined;
  /** Lists the categories that have a provider, by name. */
  listCategories: () => ProviderCategory[];
  /** Lists the operations of a provider as tools; empty for a provider that is not in the catalogue. */
  listTools: (name: string) => readonly OperationTool[];
  /** Finds an operation by the name of its tool (`slack_sendMessage`) or by its own (`sendMessage`). */
  findOperation: (provider: string, toolName: string) => NamedOperation | undefined;
  /** Returns the effect of a provider's tool; `unsafe` for an unknown one. */
  effectOf: (provider: string, toolName: string) => ToolEffect;
  /** Finds the operation of a provider that has a role. */
  findOperationFor: (provider: string, role: NonNullable<Operation['role']>) => NamedOperation | undefined;
}

/**
 * Reads every file of the catalogue; each exports one provider.
 * @throws Error when a file exports another number of providers, or one with another name than the file
 */
export async function loadProviders(
  folder = path.join(import.meta.dirname, 'catalogue'),
  extension = path.extname(import.meta.filename),
): Promise<ProviderRegistry> {
  const files = (await readdir(folder)).filter(
    (file) => path.extname(file) === extension && !file.endsWith('.d.ts'),
  );
  return createProviderRegistry(await Promise.all(files.map((file) => loadProvider(folder, file))));
}

async function loadProvider(folder: string, file: string): Promise<Provider> {
  const module = (await import(pathToFileURL(path.join(folder, file)).href)) as Record<string, unknown>;
  const [provider, ...others] = Object.values(module) as Provider[];
  const expected = path.basename(file, path.extname(file));
  if (provider === undefined || others.length > 0 || provider.name !== expected)
    throw new Error(`${file} must export one provider, with the name "${expected}".`);
  return provider;
}

/** Creates the catalogue of these providers. */
export function createProviderRegistry(providers: readonly Provider[]): ProviderRegistry {
  const sorted = providers.toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
  const byName = new Map(sorted.map((provider) => [provider.name, provider]));
  const tools = new Map(sorted.map((provider) => [provider.name, toOperationTools(provider)]));
  const findOperation: ProviderRegistry['findOperation'] = (provider, toolName) => {
    const name = toOperationName(provider, toolName);
    const operations = byName.get(provider)?.operations ?? {};
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    return operation && { name, operation };
  };
  return {
    listProviders: (filter = {}) => sorted.filter((provider) => fits(provider, filter)),
    findProvider: (name) => byName.get(name),
    findProviderAuth: (name) => byName.get(name)?.auth,
    drawLogo: drawMonogram,
    describeSetup,
    findWebhookSender: (name) => (Object.hasOwn(webhookSenders, name) ? webhookSenders[name] : undefined),
    listCategories: () => [...new Set(sorted.map(({ category }) => category))].sort(),
    listTools: (name) => tools.get(name) ?? [],
    findOperation,
    effectOf: (provider, toolName) => findOperation(provider, toolName)?.operation.effect ?? 'unsafe',
    findOperationFor: (provider, role) => {
      const found = Object.entries(byName.get(provider)?.operations ?? {}).find(
        ([, one]) => one.role === role,
      );
      return found && { name: found[0], operation: found[1] };
    },
  };
}

function fits(provider: Provider, { search = '', category }: ProviderFilter): boolean {
  if (category !== undefined && provider.category !== category) return false;
  const { name, title, description, operations } = provider;
  const text = [name, title, description, ...Object.keys(operations)].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
