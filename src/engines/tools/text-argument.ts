import type { JsonValue } from '../../domain/json.ts';

/** An argument as text: strings as they are, the rest as JSON, nothing for what was left out. */
export function toTextArgument(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
