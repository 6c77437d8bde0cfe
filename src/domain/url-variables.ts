import type { FieldError } from './errors.ts';

/** A part of a vendor's address that differs from customer to customer, such as a subdomain, a region or an account id. */
export interface UrlVariable {
  /** Says where a person finds the value; shown in the form of a connection. */
  description: string;
  /** A value that is valid. */
  example: string;
  /** The only values that are valid. */
  oneOf?: readonly string[];
  /** The value of a connection that names none. */
  default?: string;
  /** Whether a value in a host may be several labels with dots, such as `acme.my`. @default false */
  severalLabels?: boolean;
}

export type UrlVariables = Readonly<Record<string, UrlVariable>>;

const placeholder = /\{(\w+)\}/g;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const oneLabel = new RegExp(`^${label}$`);
const someLabels = new RegExp(`^${label}(?:\\.${label}){0,4}$`);
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._~@:-]{1,200}$/;

/** Lists the names in braces of an address, such as `subdomain` in `https://{subdomain}.example.com`. */
export function listUrlVariables(url: string): string[] {
  return [...new Set(Array.from(url.matchAll(placeholder), ([, name = '']) => name))];
}

/** Returns whether a name in braces is part of the host of an address. */
export function isInHost(url: string, name: string): boolean {
  return (/^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? '').includes(`{${name}}`);
}

/** Replaces names in braces by values; a name without a value stays. */
export function fillUrlVariables(
  url: string,
  variables: UrlVariables = {},
  values: Readonly<Record<string, string>> = {},
): string {
  return url.replaceAll(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : variables[name]?.default;
    return value ?? whole;
  });
}

interface VariableCheck {
  /** The address that the values go into. */
  url: string;
  variables: UrlVariables;
  values: Readonly<Record<string, string>>;
}

/**
 * Finds values that are missing, unknown or not valid. A value in a host is one label, or one of a list, so that it
 * cannot point the credentials of a connection at another host.
 */
export function* findVariableProblems({ url, variables, values }: VariableCheck): Generator<FieldError> {
  for (const name of Object.keys(values))
    if (!Object.hasOwn(variables, name))
      yield { field: `variables.${name}`, message: `is not known; expected ${describeNames(variables)}` };
  for (const [name, variable] of Object.entries(variables)) {
    const field = `variables.${name}`;
    const value = Object.hasOwn(values, name) ? values[name] : variable.default;
    const isNeeded = listUrlVariables(url).includes(name);
    if (value === undefined && isNeeded)
      yield { field, message: `is missing: ${variable.description} (such as ${variable.example})` };
    if (value !== undefined && !isValid(variable, value, isInHost(url, name) || !isNeeded))
      yield { field, message: toExpectation(variable) };
  }
}

function describeNames(variables: UrlVariables): string {
  return Object.keys(variables).join(', ') || 'none';
}

function isValid({ oneOf, severalLabels }: UrlVariable, value: string, inHost: boolean): boolean {
  if (oneOf) return oneOf.includes(value);
  if (!inHost) return segment.test(value);
  return (severalLabels === true ? someLabels : oneLabel).test(value);
}

function toExpectation({ oneOf, example }: UrlVariable): string {
  return oneOf ? `expected one of ${oneOf.join(', ')}` : `expected a name such as ${example}`;
}
