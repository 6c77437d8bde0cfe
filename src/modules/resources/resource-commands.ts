import type { Resource } from '../../clients/client/index.ts';
import { operation, type CommandTable, type Given } from '../../clients/cli/command-table.ts';
import { invalid, parseJson, readJson } from '../../clients/cli/option-values.ts';
import { toSafeJson } from '../../clients/cli/visible-text.ts';
import { toOneLine } from '../../domain/text.ts';

const attributes = {
  text: 'the attributes as JSON',
  required: false,
  parse: (text: string, flag: string) => parseJson(text, flag),
};
const file = { '--file <file>': 'a file with the attributes as JSON' };
const toVersion = (text: string) => ({ flags: '--resource-version <number>', text });

/** The commands of resources; memories are resources. */
export const commands: CommandTable = {
  resources: 'Keep notes, prompts, standards, teams and other things, and what agents remember.',
  'resources list': operation('listResources', {
    description: 'List or search resources.',
    none: 'There are no such resources.',
    line: toColumns,
  }),
  'resources show <resource>': operation('getResource', {
    description: 'Print the attributes of a resource.',
    lines: (resource) => toSafeJson(resource.attributes, 2),
  }),
  'resources create <kind>': operation('createResource', {
    description: 'Create a resource.',
    fields: { attributes },
    options: file,
    input: readAttributes,
    line: toColumns,
  }),
  'resources update <resource>': operation('updateResource', {
    description: 'Change attributes of a resource, which gets a new version.',
    fields: { attributes, version: toVersion('only when it has this version') },
    options: file,
    input: readAttributes,
    line: toColumns,
  }),
  'resources versions <resource>': operation('listResourceVersions', {
    description: 'List the versions of a resource.',
    lines: (versions) => versions.map(({ version, createdAt }) => `version ${version}  ${createdAt}`),
  }),
  'resources delete <resource>': operation('deleteResource', {
    description: 'Delete a resource; it can be restored for 30 days.',
    fields: { version: toVersion('only when it has this version') },
    lines: (_, { id }) => `Resource ${id} is deleted. It can be restored for 30 days.`,
  }),
  'resources restore <resource>': operation('restoreResource', {
    description: 'Bring back a deleted resource, or an earlier version of one.',
    fields: { version: toVersion('the version to bring back') },
    line: toColumns,
  }),
};

function toColumns({ id, kind, version, name, attributes: { content } }: Resource): string[] {
  return [id, kind, `version ${version}`, name || toOneLine(typeof content === 'string' ? content : '', 80)];
}

async function readAttributes({ input, options }: Given<{ file?: string }>): Promise<object> {
  if (options.file !== undefined) return { attributes: await readJson(options.file) };
  if (input['attributes'] !== undefined) return {};
  throw invalid('Give the attributes with --attributes or --file.');
}
