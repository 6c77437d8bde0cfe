import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { HoldfastApiError } from '../../clients/client/index.ts';
import type { CreateResourceData, ListResourcesData, Resource } from '../../clients/client/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';
import type { ChatServices } from '../../clients/cli/chat-services.ts';
import { addList, addOneId, run } from '../../clients/cli/command.ts';
import { readAll } from '../../clients/cli/pages.ts';
import { printJson, type OutputOptions } from '../../clients/cli/output.ts';

type CommandServices = Pick<ChatServices, 'client' | 'terminal'>;

type ListOptions = OutputOptions & Omit<NonNullable<ListResourcesData['query']>, 'limit' | 'cursor'>;

interface ContentOptions extends OutputOptions {
  /** The attributes as JSON. */
  attributes?: string;
  /** A file with the attributes. */
  file?: string;
  resourceVersion?: string;
}

/** Adds the commands of resources; memories are resources. */
export function addResources(program: Command): void {
  const resources = program
    .command('resources')
    .description('Keep notes, prompts, standards, teams and other things, and what agents remember.');
  addList(resources, listResources)
    .description('List or search resources.')
    .option('--kind <kind>', 'of this kind, such as note, routine or memory')
    .option('--query <words>', 'words, phrases in quotes, or, and -word')
    .option('--filters <json>', 'what the kind can be narrowed by, such as {"scope":"user","person":"ann"}')
    .option('--made-by <maker>', 'person:<name>, key:<id> or agent:<id>');
  addOneId(resources, 'show <resource>', showResource).description('Print the attributes of a resource.');
  const create = resources.command('create <kind>').option('--json', 'print JSON');
  addContent(create)
    .description('Create a resource.')
    .action(async (kind: string, _options: unknown, command: Command) => {
      await run<ContentOptions>(command, (services, options) => createResource(services, kind, options));
    });
  addContent(addOneId(resources, 'update <resource>', updateResource))
    .description('Change attributes of a resource, which gets a new version.')
    .option('--resource-version <number>', 'only when it has this version');
  addOneId(resources, 'versions <resource>', listVersions).description('List the versions of a resource.');
  addOneId(resources, 'delete <resource>', deleteResource)
    .description('Delete a resource; it can be restored for 30 days.')
    .option('--resource-version <number>', 'only when it has this version');
  addOneId(resources, 'restore <resource>', restoreResource)
    .description('Bring back a deleted resource, or an earlier version of one.')
    .option('--resource-version <number>', 'the version to bring back');
}

function addContent(command: Command): Command {
  return command
    .option('--attributes <json>', 'the attributes as JSON')
    .option('--file <file>', 'a file with the attributes as JSON');
}

async function listResources({ client, terminal }: CommandServices, options: ListOptions): Promise<void> {
  const { kind, query, filters, madeBy } = options;
  const wanted = Object.entries({ kind, query, filters, madeBy }).filter(([, value]) => value !== undefined);
  const more = Object.fromEntries(wanted) as ListOptions;
  const resources = await readAll((page) => client.resources.list({ ...page, ...more }));
  if (options.json) {
    printJson(terminal, resources);
    return;
  }
  if (resources.length === 0) terminal.line('There are no such resources.');
  for (const resource of resources) terminal.line(toLine(resource));
}

function toLine({ id, kind, version, name, attributes }: Resource): string {
  const { content } = attributes;
  const shown = name || toOneLine(typeof content === 'string' ? content : '', 80);
  return `${id}  ${kind}  version ${version}  ${shown}`;
}

async function showResource({ client, terminal }: CommandServices, id: string, { json }: OutputOptions) {
  const resource = await client.resources.get(id);
  printJson(terminal, json ? resource : resource.attributes);
}

async function createResource({ client, terminal }: CommandServices, kind: string, options: ContentOptions) {
  const attributes = await readAttributes(options);
  // The API says which kinds there are, and what their attributes are.
  const resource = await client.resources.create({
    kind,
    attributes,
  } as unknown as CreateResourceData['body']);
  printResource({ client, terminal }, resource, options);
}

async function updateResource(services: CommandServices, id: string, options: ContentOptions) {
  const attributes = await readAttributes(options);
  const change = { attributes, ...toVersion(options) };
  printResource(services, await services.client.resources.update(id, change), options);
}

async function listVersions({ client, terminal }: CommandServices, id: string, { json }: OutputOptions) {
  const versions = await client.resources.versions(id);
  if (json) {
    printJson(terminal, versions);
    return;
  }
  for (const { version, createdAt } of versions) terminal.line(`version ${version}  ${createdAt}`);
}

async function deleteResource({ client, terminal }: CommandServices, id: string, options: ContentOptions) {
  await client.resources.delete(id, toVersion(options));
  terminal.line(`Resource ${id} is deleted. It can be restored for 30 days.`);
}

async function restoreResource(services: CommandServices, id: string, options: ContentOptions) {
  printResource(services, await services.client.resources.restore(id, toVersion(options)), options);
}

function printResource({ terminal }: CommandServices, resource: Resource, { json }: OutputOptions): void {
  if (json) printJson(terminal, resource);
  else terminal.line(toLine(resource));
}

function toVersion({ resourceVersion }: ContentOptions): { version?: number } {
  if (resourceVersion === undefined) return {};
  const version = Number(resourceVersion);
  if (Number.isInteger(version)) return { version };
  throw new HoldfastApiError(
    'INVALID_INPUT',
    `--resource-version is "${resourceVersion}", expected a number.`,
  );
}

async function readAttributes({ attributes, file }: ContentOptions): Promise<JsonObject> {
  const text = file === undefined ? attributes : await readFile(file, 'utf8');
  if (text === undefined)
    throw new HoldfastApiError('INVALID_INPUT', 'Give the attributes with --attributes or --file.');
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new HoldfastApiError('INVALID_INPUT', `${file ?? '--attributes'} is not JSON.`);
  }
}
