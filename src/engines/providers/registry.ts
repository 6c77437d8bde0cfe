import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProviderCategory } from '../../domain/provider-category.ts';
import type { WebhookSender } from '../../domain/webhook-rule.ts';
import type { Provider } from './define-provider.ts';
import { drawMonogram } from './draw-monogram.ts';
import { createProviderEntry, type ProviderEntry } from './provider-entry.ts';
import { webhookSenders } from './webhook-senders.ts';
import { listWantedScopes } from '../../domain/scopes.ts';

/** Limits a list of providers. */
export interface ProviderFilter {
  /** Words; all of them must occur in the name, the title, the description or the names of operations. */
  search?: string | undefined;
  category?: string | undefined;
}

/** The catalogue of providers. A record is read when it is first needed. */
export interface ProviderRegistry {
  /** The names of all providers; no record is read for them. */
  names: ReadonlySet<string>;
  /** Reads all records, and lists the providers that a filter lets through, by title. */
  listProviders: (filter?: ProviderFilter) => Promise<Provider[]>;
  /** Reads the record of a provider, and returns it with its tools; undefined for an unknown name. */
  findEntry: (name: string) => Promise<ProviderEntry | undefined>;
  /** Draws the logo of a provider as SVG. */
  drawLogo: (provider: Pick<Provider, 'name' | 'title'>) => string;
  /** Returns what a person does before connecting, as Markdown; `callbackUrl` is the redirect address of this server. */
  describeSetup: (provider: Provider, callbackUrl: string) => string;
  /** Finds the rule by which a provider signs the webhooks that triggers take. */
  findWebhookSender: (name: string) => WebhookSender | undefined;
  /** Returns whether a filter lets a provider through. */
  fitsFilter: (provider: FilteredProvider, filter: ProviderFilter) => boolean;
  /** Lists the categories that have a provider, by name. */
  listCategories: () => Promise<ProviderCategory[]>;
}

const catalogueFolder = path.join(import.meta.dirname, '../../../providers/catalogue');

/**
 * Opens a folder with a file for each provider. Files are read when their providers are needed; reading one throws an Error
 * when it exports another number of providers, or one with another name than the file.
 */
export async function openProviders(
  folder = catalogueFolder,
  extension = path.extname(import.meta.filename),
): Promise<ProviderRegistry> {
  const files = (await readdir(folder)).filter(
    (file) => path.extname(file) === extension && !file.endsWith('.d.ts'),
  );
  const names = files.map((file) => path.basename(file, extension));
  return createLazyRegistry(new Set(names), (name) => readProvider(folder, `${name}${extension}`));
}

async function readProvider(folder: string, file: string): Promise<Provider> {
  const module = (await import(pathToFileURL(path.join(folder, file)).href)) as Record<string, unknown>;
  const [provider, ...others] = Object.values(module) as Provider[];
  const expected = path.basename(file, path.extname(file));
  if (provider === undefined || others.length > 0 || provider.name !== expected)
    throw new Error(`${file} must export one provider, with the name "${expected}".`);
  return provider;
}

/** Creates the catalogue of these providers. */
export function createProviderRegistry(providers: readonly Provider[]): ProviderRegistry {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  return createLazyRegistry(new Set(byName.keys()), (name) => Promise.resolve(byName.get(name)));
}

function createLazyRegistry(
  names: ReadonlySet<string>,
  read: (name: string) => Promise<Provider | undefined>,
): ProviderRegistry {
  const entries = new Map<string, Promise<ProviderEntry | undefined>>();
  const readEntry = async (name: string) => {
    const provider = await read(name);
    return provider && createProviderEntry(provider, 'catalogue');
  };
  const readAll = async () => {
    const providers = await Promise.all([...names].map(read));
    return providers.filter((provider) => provider !== undefined);
  };
  return {
    names,
    listProviders: async (filter = {}) => {
      const found = (await readAll()).filter((provider) => fits(provider, filter));
      return found.sort((one, other) => one.title.localeCompare(other.title, 'en'));
    },
    findEntry: async (name) => {
      if (!names.has(name)) return undefined;
      const entry = entries.get(name) ?? readEntry(name);
      entries.set(name, entry);
      return entry;
    },
    fitsFilter,
    drawLogo: drawMonogram,
    describeSetup,
    findWebhookSender: (name) => (Object.hasOwn(webhookSenders, name) ? webhookSenders[name] : undefined),
    listCategories: async () => [...new Set((await readAll()).map(({ category }) => category))].sort(),
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
