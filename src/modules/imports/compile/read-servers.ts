import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { isInHost, type UrlVariable } from '../../../domain/url-variables.ts';
import { OpenApiError, toPointer } from '../../../engines/openapi/openapi-error.ts';
import { toName, toPlainText, toText } from './texts.ts';

/** The address of an API, with the parts that a connection sets in braces. */
export interface ServerAddress {
  /** Without a slash at the end. */
  baseUrl: string;
  variables: Record<string, UrlVariable>;
}

interface ServerList {
  servers: JsonValue | undefined;
  pointer: string;
  /** The address of the document, which addresses without a host are relative to. */
  documentUrl: string | undefined;
}

/** Reads the first of a list of servers. @throws OpenApiError when it is no address */
export function readServer({ servers, pointer, documentUrl }: ServerList): ServerAddress {
  const list = Array.isArray(servers) ? servers : [];
  const index = Math.max(
    0,
    list.findIndex((server) => isJsonObject(server) && toText(server.url).startsWith('https:')),
  );
  const server = list[index];
  const { url = '/', variables } = isJsonObject(server) ? server : {};
  const urlPointer = list.length === 0 ? pointer : toPointer(pointer, index, 'url');
  const known = toVariables(isJsonObject(variables) ? variables : {});
  return toAddress(toText(url), known, { pointer: urlPointer, documentUrl });
}

/** Checks an address that the caller of an import gives in place of that of the document. @throws OpenApiError */
export function toGivenAddress(url: string, { variables }: ServerAddress): ServerAddress {
  const known = new Map(Object.entries(variables));
  return toAddress(url, known, { pointer: '/servers', documentUrl: undefined });
}

function toVariables(variables: JsonObject): Map<string, UrlVariable> {
  const entries = Object.entries(variables).map(([name, value]): [string, UrlVariable] => {
    const { default: given, enum: list, description } = isJsonObject(value) ? value : {};
    const oneOf = (Array.isArray(list) ? list : []).map(String);
    const standard = typeof given === 'string' && given !== '' ? given : oneOf[0];
    const text = toPlainText(description, 300);
    return [
      name,
      {
        description: text === '' ? `The part "${name}" of the address` : text,
        example: standard ?? name.toLowerCase().replaceAll('_', '-'),
        ...(oneOf.length > 0 ? { oneOf } : {}),
        ...(standard === undefined ? {} : { default: standard }),
      },
    ];
  });
  return new Map(entries);
}

function toAddress(
  given: string,
  variables: ReadonlyMap<string, UrlVariable>,
  { pointer, documentUrl }: Pick<ServerList, 'pointer' | 'documentUrl'>,
): ServerAddress {
  const withScheme = given.replace(/^\{([^{}]+)\}(?=:)/, (_, name: string) => {
    const { oneOf = [], default: value } = variables.get(name) ?? {};
    return oneOf.includes('https') ? 'https' : (value ?? 'https');
  });
  const url = withScheme.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${toVariableName(name)}}`);
  const absolute = /^https?:\/\//i.test(url) ? url : resolveUrl(url, documentUrl);
  const isWhole = absolute !== null && URL.canParse(absolute.replaceAll(/[{}]/g, ''));
  if (!isWhole || /[?#\s\\@]/.test(absolute))
    throw new OpenApiError(
      `"${given}" is no address of a server; give baseUrl in the request, such as https://api.example.com/v1`,
      pointer,
    );
  const baseUrl = absolute.replace(/\/+$/, '');
  const used = [...absolute.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { baseUrl, variables: Object.fromEntries(used.map((name) => [name, describe(name)])) };

  function describe(name: string): UrlVariable {
    const found = [...variables].find(([one]) => toVariableName(one) === name)?.[1];
    const { default: value, ...rest }: UrlVariable = found ?? {
      description: `The part "${name}" of the address`,
      example: name.toLowerCase().replaceAll('_', '-'),
    };
    const isHost =
      isInHost(absolute ?? '', name) && new RegExp(`//\\{${name}\\}(?:[/:]|$)`).test(absolute ?? '');
    // The default of a whole host is only an example, so each connection has to name its own host.
    if (isHost && !rest.oneOf) return { ...rest, severalLabels: true };
    return value === undefined ? rest : { ...rest, default: value };
  }
}

function toVariableName(name: string): string {
  return toName(name, 50).replaceAll('-', '_');
}

function resolveUrl(url: string, documentUrl: string | undefined): string | null {
  if (documentUrl === undefined || url.includes('{')) return null;
  return URL.parse(url, documentUrl)?.href ?? null;
}
