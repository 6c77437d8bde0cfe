import { HoldfastApiError } from '../client/index.ts';
import { isJsonObject } from '../../domain/json.ts';
import { toNotRunningMessage } from './api-access.ts';

/** Returns the lines about an error for a person, with the invalid fields or the turn that runs. */
export function describeError(error: unknown, baseUrl?: string): string[] {
  if (!(error instanceof HoldfastApiError)) return [error instanceof Error ? error.message : String(error)];
  if (error.code === 'CONNECTION_FAILED' && baseUrl !== undefined && isUnreachable(error)) {
    return [toNotRunningMessage(baseUrl)];
  }
  return [error.message, ...describeDetails(error.details)];
}

function isUnreachable(error: HoldfastApiError): boolean {
  return error.message.startsWith('No answer from ');
}

function describeDetails(details: unknown): string[] {
  if (Array.isArray(details)) return details.flatMap(describeDetails);
  if (!isJsonObject(details)) return [];
  if (typeof details['field'] === 'string' && typeof details['message'] === 'string') {
    return [`  ${details['field']}: ${details['message']}`];
  }
  return Object.entries(details).flatMap(([name, value]) =>
    Array.isArray(value) ? describeDetails(value) : [`  ${name}: ${toText(value)}`],
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
