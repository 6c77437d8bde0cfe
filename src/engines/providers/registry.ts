import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolEffect } from '../../domain/tool.ts';
import type { ProviderCategory } from '../../domain/provider-category.ts';
import type { WebhookSender } from '../../domain/webhook-rule.ts';
import type { Provider, ProviderAuth } from './define-provider.ts';
import { drawMonogram } from './draw-monogram.ts';
import type { OperationTool } from './operation-tools.ts';
import { createProviderEntry, type ProviderEntry } from './provider-entry.ts';
import { webhookSenders } from './webhook-senders.ts';
import { listWantedScopes } from '../../domain/scopes.ts';

/** Limits a list of providers. */
export interface ProviderFilter {
  /** Words; all of them must occur in the name, the title, the description or the names of operations. */
  search?: string | undefined;
  category?: string | undefined;
}

/** The catalogue of providers. */
export interface ProviderRegistry {
  /** Lists providers by title. */
  listProviders: (filter?: ProviderFilter) => Provider[];
  findProvider: (name: string) => Provider | undefined;
  /** Finds a provider with its tools. */
  findEntry: (name: string) => ProviderEntry | undefined;
  /** Finds how connections to a provider authenticate. */
  findProviderAuth: (name: string) => ProviderAuth | undefined;
  /** Draws the logo of a provider as SVG. */
  drawLogo: (provider: Pick<Provider, 'name' | 'title'>) => string;
  /** Returns what a person does before connecting, as Markdown; `callbackUrl` is the redirect address of this server. */
  describeSetup: (provider: Provider, callbackUrl: string) => string;
  /** Finds the rule by which a provider signs the webhooks that triggers take. */
  findWebhookSender: (name: string) => WebhookSender | undefined;
  /** Returns whether a filter lets a provider through. */
  fitsFilter: (provider: FilteredProvider, filter: ProviderFilter) => boolean;
  /** Lists the categories that have a provider, by name. */
  listCategories: () => ProviderCategory[];
  /** Lists the operations of a provider as tools; empty for a provider that is not in the catalogue. */
  listTools: (name: string) => readonly OperationTool[];
  /** Returns the effect of a provider's tool; `unsafe` for an unknown one. */
  effectOf: (provider: string, toolName: string) => ToolEffect;
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
  const entries = new Map(
    sorted.map((provider) => [provider.name, createProviderEntry(provider, 'catalogue')]),
  );
  const findProvider = (name: string) => entries.get(name)?.provider;
  return {
    listProviders: (filter = {}) => sorted.filter((provider) => fits(provider, filter)),
    findProvider,
    findEntry: (name) => entries.get(name),
    findProviderAuth: (name) => findProvider(name)?.auth,
    fitsFilter,
    drawLogo: drawMonogram,
    describeSetup,
    findWebhookSender: (name) => (Object.hasOwn(webhookSenders, name) ? webhookSenders[name] : undefined),
    listCategories: () => [...new Set(sorted.map(({ category }) => category))].sort(),
    listTools: (name) => entries.get(name)?.tools ?? [],
    effectOf: (provider, toolName) => entries.get(provider)?.effectOf(toolName) ?? 'unsafe',
  };
}

function fits(provider: Provider, filter: ProviderFilter): boolean {
  return fitsFilter({ ...provider, operationNames: Object.keys(provider.operations) }, filter);
}

/** The parts of a provider that a filter looks at. */
interface FilteredProvider extends Pick<Provider, 'name' | 'title' | 'description' | 'category'> {
  operationNames: readonly string[];
}

function fitsFilter(provider: FilteredProvider, { search = '', category }: ProviderFilter): boolean {
  if (category !== undefined && provider.category !== category) return false;
  const { name, title, description, operationNames } = provider;
  const text = [name, title, description, ...operationNames].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Returns what a person does before connecting, as Markdown: the steps at the vendor, and for OAuth the address of the
 * callback and the scopes of the app.
 */
function describeSetup({ auth, operations, setup }: Provider, callbackUrl: string): string {
  const { oauth } = auth;
  const scopes = oauth ? listWantedScopes(oauth.scopes, operations) : [];
  const steps = [
    ...setup,
    ...(auth.types.includes('oauth2_authorization_code')
      ? [`For OAuth, register \`${callbackUrl}\` as the redirect address of the app.`]
      : []),
    ...(scopes.length > 0
      ? [`Allow the app these scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`]
      : []),
  ];
  return steps.map((step, index) => `${index + 1}. ${step}\n`).join('');
}
