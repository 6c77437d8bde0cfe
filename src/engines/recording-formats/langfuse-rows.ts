import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { Usage } from '../../domain/model.ts';
import { getText, parseJson, type DraftStep } from './draft.ts';

/** A model call of Langfuse. */
export interface Generation {
  traceId: string;
  /** The line of the file, from 1. */
  line: number;
  sessionId: string | undefined;
  traceName: string | undefined;
  /** ISO 8601. */
  startTime: string;
  input: JsonValue;
  output: JsonValue;
  model: string | undefined;
  usage: Usage | undefined;
  sampling: DraftStep['sampling'];
}

interface Trace {
  sessionId: string | undefined;
  name: string | undefined;
}

/** A document of a file, and the line on which it begins, from 1. */
export interface DocumentAt {
  value: JsonValue;
  line: number;
}

/** A part of a file that cannot be read. */
export interface Refusal {
  line: number;
  /** The trace that is left out; undefined where the file does not name one. */
  traceId?: string | undefined;
  message: string;
}

/** Lists the generations of rows: observations, traces that hold theirs, and pages of either. */
export function listGenerations(rows: readonly DocumentAt[]): {
  generations: Generation[];
  refused: Refusal[];
} {
  const traces = new Map<string, Trace>();
  const refused: Refusal[] = [];
  const read = <Result>({ value, line }: DocumentAt, take: (value: JsonValue) => Result[]): Result[] => {
    try {
      return take(value);
    } catch (error) {
      const traceId = isJsonObject(value) ? getText(value, 'traceId', 'trace_id') : undefined;
      refused.push({ line, traceId, message: toMessage(error) });
      return [];
    }
  };
  const observations = rows.flatMap((row) =>
    read(row, (value) => listObservations(value, traces)).map((value) => ({ value, line: row.line })),
  );
  const generations = observations
    .filter(({ value }) => isGeneration(value))
    .flatMap((row) =>
      read(row, (value) => [{ ...toGeneration(value as JsonObject, traces), line: row.line }]),
    );
  const broken = new Set(refused.map(({ traceId }) => traceId));
  return { generations: generations.filter(({ traceId }) => !broken.has(traceId)), refused };
}

/** Returns the message of an error. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function listObservations(row: JsonValue, traces: Map<string, Trace>): JsonObject[] {
  if (!isJsonObject(row)) throw new Error('expected objects of Langfuse');
  const inner = ['data', 'traces'].flatMap((name) => row[name] ?? []);
  if (inner.length > 0) return inner.flatMap((one) => listObservations(one, traces));
  const trace = isJsonObject(row['trace']) ? row['trace'] : row;
  const observations = row['observations'] ?? trace['observations'];
  if (getText(row, 'traceId', 'trace_id') !== undefined) return [row];
  const id = getText(trace, 'id');
  if (id === undefined) throw new Error('expected observations or traces of Langfuse, with "id"');
  const sessionId = getText(trace, 'sessionId', 'session_id');
  traces.set(id, { sessionId, name: getText(trace, 'name') });
  if (!Array.isArray(observations)) return [];
  // Old exports list only the ids of the observations.
  return observations.filter(isJsonObject).map((one) => ({ traceId: id, ...one }));
}

function isGeneration(row: JsonObject): boolean {
  return getText(row, 'type')?.toUpperCase() === 'GENERATION';
}

function toGeneration(row: JsonObject, traces: Map<string, Trace>): Omit<Generation, 'line'> {
  const traceId = getText(row, 'traceId', 'trace_id') ?? '';
  const trace = traces.get(traceId);
  const usage = readJson(row['usageDetails'] ?? row['usage_details'] ?? row['usage']);
  const parameters = readJson(row['modelParameters'] ?? row['model_parameters']);
  return {
    traceId,
    sessionId: getText(row, 'sessionId', 'session_id') ?? trace?.sessionId,
    traceName: getText(row, 'traceName', 'trace_name') ?? trace?.name,
    startTime: toTime(getText(row, 'startTime', 'start_time')),
    input: readJson(row['input']),
    output: row['output'] ?? null,
    model: getText(row, 'model', 'providedModelName', 'provided_model_name'),
    usage: isJsonObject(usage) ? toUsage(usage) : undefined,
    sampling: isJsonObject(parameters) ? toSampling(parameters) : undefined,
  };
}

/** Inputs, outputs and details of exports to files are texts of JSON. */
function readJson(value: JsonValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null;
  return /^\s*[[{"]/.test(value) ? (parseJson(value) ?? value) : value;
}

/** Exports to files write times as `2024-05-29 13:46:19.963000`, in UTC. */
function toTime(text: string | undefined): string {
  const isBare = text !== undefined && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text);
  const time = new Date(isBare ? `${text.replace(' ', 'T').slice(0, 23)}Z` : (text ?? NaN));
  if (Number.isFinite(time.getTime())) return time.toISOString();
  throw new Error(`expected the start time of an observation, found ${JSON.stringify(text)}`);
}

/** https://langfuse.com/docs/observability/features/token-and-cost-tracking: `input` is without tokens of the cache. */
function toUsage(usage: JsonObject): Usage {
  const count = (...names: string[]) => {
    const value = names.map((name) => Number(usage[name])).find((number) => Number.isFinite(number));
    return Math.max(0, Math.round(value ?? 0));
  };
  return {
    inputTokens: count('input', 'promptTokens'),
    cacheReadTokens: count('input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read'),
    cacheWriteTokens: count('cache_creation_input_tokens', 'input_cache_creation'),
    outputTokens: count('output', 'completionTokens'),
    reasoningTokens: count('output_reasoning_tokens', 'output_reasoning'),
  };
}

/** The API writes numbers of parameters as texts. */
function toNumber(value: JsonValue | undefined): number {
  return typeof value === 'string' || typeof value === 'number' ? Number.parseFloat(`${value}`) : NaN;
}

function toSampling(parameters: JsonObject): DraftStep['sampling'] {
  const number = (...names: string[]) =>
    names.map((name) => toNumber(parameters[name])).find(Number.isFinite);
  const temperature = number('temperature');
  const maxOutputTokens = number('max_tokens', 'maxTokens', 'max_completion_tokens', 'maxOutputTokens');
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens: Math.round(maxOutputTokens) }),
  };
}
