import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import type {
  ImportedOperationSummary,
  ImportOptions,
  ImportReport,
  ImportWarning,
} from '../provider-import.ts';
import { listWantedScopes } from '../../../domain/scopes.ts';
import { OpenApiError } from '../../../engines/openapi/openapi-error.ts';
import type { ProviderAuth, Verification } from '../../../engines/providers/define-provider.ts';
import type {
  ImportedDefinition,
  ImportedOperation,
} from '../../../engines/providers/imported-definition.ts';
import { chooseEffects, chooseOperations, ImportInputError } from './choose-operations.ts';
import { compileOperation, type DocumentFacts } from './compile-operation.ts';
import type { Warn } from './convert-schema.ts';
import { listOperations, requireOpenApi, type ListedOperation } from './list-operations.ts';
import { readAuth, readRequirements } from './read-auth.ts';
import { readServer, toGivenAddress, type ServerAddress } from './read-servers.ts';
import { toName, toPlainText, toText } from './texts.ts';

const mostWarnings = 200;

/** The maximum number of characters of a provider as it is stored. */
const mostCharacters = 6 * 1024 * 1024;

/** The options of an import, and the address of its document if it has one. */
export interface CompileOptions extends ImportOptions {
  documentUrl?: string | undefined;
}

/** A provider that was made of a document, and what was made. */
export interface CompiledDocument {
  definition: ImportedDefinition;
  report: ImportReport;
}

/**
 * Makes a provider of an OpenAPI document.
 * @throws OpenApiError with the JSON pointer of what is wrong; ImportInputError for options that do not fit the document
 */
export function compileDocument(document: JsonObject, options: CompileOptions): CompiledDocument {
  requireOpenApi(document);
  const { warnings, warn } = createWarnings();
  const head = toHead(document, options);
  const listed = listOperations(document, 63 - head.name.length);
  const chosen = chooseOperations(listed, options);
  const address = findAddress(document, options);
  const auth = readAuth({
    ...{ document, baseUrl: address.baseUrl, warn },
    requirements: chosen.map(({ operation }) => readRequirements(document, operation)),
  });
  const facts: DocumentFacts = {
    ...{ document, title: head.title, baseUrl: address.baseUrl, warn },
    authHeaders: listAuthHeaders(auth),
    effects: chooseEffects(chosen, options),
  };
  const compiled = chosen.flatMap((one): [ListedOperation, ImportedOperation][] => {
    const operation = compileOperation(facts, one);
    if (!operation) return [];
    return [[one, { ...operation, ...toOwnAddress({ one, address, options }) }]];
  });
  if (compiled.length === 0)
    throw new ImportInputError([{ field: 'operations', message: describeNone(warnings) }]);
  const operations = Object.fromEntries(compiled.map(([{ name }, operation]) => [name, operation]));
  const definition: ImportedDefinition = {
    ...head,
    baseUrl: address.baseUrl,
    ...(Object.keys(address.variables).length > 0 ? { variables: address.variables } : {}),
    auth,
    setup: toSetup(document, head.title),
    verify: toVerification(compiled, warn),
    errors,
    operations,
  };
  refuseTooLarge(definition);
  return {
    definition,
    report: {
      operations: compiled.map(([one, operation]) => toSummary(one, operation)),
      warnings: warnings.slice(0, mostWarnings),
      warningCount: warnings.length,
    },
  };
}

function createWarnings(): { warnings: ImportWarning[]; warn: Warn } {
  const warnings: ImportWarning[] = [];
  const seen = new Set<string>();
  const warn: Warn = (pointer, message) => {
    const key = `${pointer} ${message}`;
    if (seen.has(key)) return;
    seen.add(key);
    warnings.push({ pointer, message });
  };
  return { warnings, warn };
}

/** Where most APIs have the message of an error. */
const errors: ImportedDefinition['errors'] = {
  message: [
    'error.message',
    'message',
    'error_description',
    'detail',
    'errors.0.message',
    'errors.0.detail',
    'errors.0',
    'error',
    'title',
    'errorSummary',
  ],
  details: ['errors', 'error.details', 'details'],
};

function toHead(
  document: JsonObject,
  { name, title, description, category = 'other' }: CompileOptions,
): Pick<ImportedDefinition, 'name' | 'title' | 'description' | 'category'> {
  const info = isJsonObject(document.info) ? document.info : {};
  const own = title ?? (toPlainText(info.title, 100) || 'Imported API');
  const plain = toName(own.toLowerCase(), 40);
  const text = description ?? toPlainText(info.description, 400);
  return { name: name ?? plain, title: own, description: text === '' ? own : text, category };
}

function findAddress(document: JsonObject, { baseUrl, documentUrl }: CompileOptions): ServerAddress {
  const read = () => readServer({ servers: document.servers, pointer: '/servers', documentUrl });
  if (baseUrl === undefined) return read();
  return toGivenAddress(baseUrl, { baseUrl, variables: {} });
}

/** Servers of a path or an operation replace those of the document, unless the import has its own address. */
function toOwnAddress({
  one: { operation, item, pointer, itemPointer },
  address,
  options: { baseUrl, documentUrl },
}: {
  one: ListedOperation;
  address: ServerAddress;
  options: CompileOptions;
}): Pick<ImportedOperation, 'baseUrl'> {
  const [servers, serversPointer] = operation.servers
    ? [operation.servers, `${pointer}/servers`]
    : [item.servers, `${itemPointer}/servers`];
  if (baseUrl !== undefined || !Array.isArray(servers) || servers.length === 0) return {};
  const own = readServer({ servers, pointer: serversPointer, documentUrl: documentUrl ?? address.baseUrl });
  if (own.baseUrl === address.baseUrl) return {};
  const unknown = Object.keys(own.variables).find((name) => !Object.hasOwn(address.variables, name));
  if (unknown !== undefined)
    throw new OpenApiError(
      `the address of the document has no variable "${unknown}"; give baseUrl`,
      serversPointer,
    );
  return { baseUrl: own.baseUrl };
}

function listAuthHeaders({ apiKey, keys = {} }: ProviderAuth): ReadonlySet<string> {
  const headers = Object.values(keys).flatMap((place) => ('header' in place ? [place.header] : []));
  return new Set([...headers, ...(apiKey ? [apiKey.header] : [])].map((header) => header.toLowerCase()));
}

function describeNone(warnings: ImportWarning[]): string {
  const first = warnings.find(({ message }) => message.includes('left out'));
  return `no request of these operations can be sent${first ? `; ${first.pointer}: ${first.message}` : ''}`;
}

function toSetup(document: JsonObject, title: string): ImportedDefinition['setup'] {
  const { externalDocs } = document;
  const url = isJsonObject(externalDocs) ? URL.parse(toText(externalDocs.url)) : null;
  const where = url && /^https?:$/.test(url.protocol) ? `[documentation of ${title}](${url.href})` : title;
  return [`Get credentials as the ${url ? where : `documentation of ${title}`} says.`];
}

const accountWords =
  /(^|[_/-])(me|myself|whoami|self|user|account|profile|current|ping|status|health)([_/-]|$)/i;

/** Chooses a request that needs no input, the one about the account if there is one. */
function toVerification(compiled: [ListedOperation, ImportedOperation][], warn: Warn): Verification {
  const plain = compiled.filter(
    ([{ method }, { schema, baseUrl, answer }]) =>
      method === 'GET' && schema.required === undefined && baseUrl === undefined && answer !== 'file',
  );
  const [, chosen] =
    plain.find(([{ path }]) => accountWords.test(path)) ?? plain.find(([{ path }]) => path.length < 40) ?? [];
  if (chosen) return { request: chosen.request, account: ['email', 'login', 'name', 'username'] };
  warn(
    '',
    'no operation without input tells whether credentials are good; a test of a connection asks for "/"',
  );
  return { request: 'GET /', accept: [400, 404, 405] };
}

function toSummary(
  { name, operationId, method, path, tags }: ListedOperation,
  { description, effect, scopes = [] }: ImportedOperation,
): ImportedOperationSummary {
  return {
    ...{ name, operationId, tags, description, effect },
    request: `${method} ${path}`,
    destructive: method === 'DELETE',
    scopes: listWantedScopes([], { [name]: { scopes } }),
  };
}

function refuseTooLarge(definition: ImportedDefinition): void {
  const { length } = JSON.stringify(definition);
  if (length <= mostCharacters) return;
  const count = Object.keys(definition.operations).length;
  const message = `the ${count} operations take ${length} characters, and at most ${mostCharacters} are stored; choose fewer`;
  throw new ImportInputError([{ field: 'operations', message }]);
}
