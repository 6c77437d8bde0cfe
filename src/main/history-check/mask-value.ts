import { isJsonObject, type JsonValue } from '../../domain/json.ts';

/** The fields whose texts decide about the way of a workflow: ids, types, states and codes. */
const plainFields = new Set([
  ...['outcome', 'status', 'finishReason', 'type', 'execution', 'tools', 'step', 'code', 'decision', 'how'],
  ...['activityType', 'workflowType', 'workflowId', 'runId', 'taskQueue', 'actionId', 'signalName', 'turnId'],
  ...['workspaceId', 'agentId', 'conversationId', 'parentTurnId', 'documentId', 'deliveryId', 'webhookId'],
  ...[
    'decided',
    'actionIds',
    'replayId',
    'swarmId',
    'scheduleId',
    'scheduledAt',
    'routineRunId',
    'sweep',
    'sweeps',
  ],
]);

/** The fields with values of users: their numbers are masked as well. */
const userFields = new Set(['arguments', 'answer', 'details', 'result', 'input', 'memo']);

/** Results of steps that are a text alone. */
const plainValues = new Set(['busy']);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Keeps a text that is an id and nothing else, as signals have it, since workflow code compares such ids. */
function isPlainText(text: string, { numbers }: MaskOptions): boolean {
  return plainValues.has(text) || (!numbers && uuid.test(text));
}

interface MaskOptions {
  /** Whether numbers are masked too. */
  numbers?: boolean;
}

/**
 * Replaces each letter by `x` and each digit by `0` in all texts, but for fields that steer workflows. Each character is
 * masked separately, so that texts which workflow code cuts or joins are still equal, and masking twice changes nothing.
 */
export function maskValue(value: JsonValue, options: MaskOptions = {}): JsonValue {
  if (typeof value === 'string') return isPlainText(value, options) ? value : maskText(value);
  if (typeof value === 'number') return options.numbers ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, options));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, content]) => [field, maskField(field, content, options)]),
  );
}

function maskField(field: string, content: JsonValue, options: MaskOptions): JsonValue {
  const isOfUser = options.numbers === true || userFields.has(field);
  if (!isOfUser && plainFields.has(field) && isPlain(content)) return content;
  return maskValue(content, isOfUser ? { numbers: true } : options);
}

function isPlain(content: JsonValue): boolean {
  return (Array.isArray(content) ? content : [content]).every((item) => typeof item === 'string');
}

/** Masks the compared fields of a command as the payloads of its event are masked. */
export function maskFields(fields: Record<string, JsonValue | undefined>) {
  const { workflowType } = fields;
  const numbers = typeof workflowType === 'string' && !isOwnType(workflowType);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      if (value === undefined || (field !== 'input' && plainFields.has(field))) return [field, value];
      if (field === 'input' || field === 'result') {
        const payloads = Array.isArray(value) ? value : [value];
        return [field, payloads.map((payload) => maskValue(payload, { numbers }))];
      }
      return [field, maskValue(value)];
    }),
  );
}

/** The types of Holdfast's workflows. */
export const ownTypes = [
  ...['agentTurn', 'fastTurn', 'recordedTurn', 'turnSubmission', 'documentIngestion'],
  ...['turnSweep', 'recordRemoval', 'webhookDelivery', 'batchReplay', 'scheduledRun', 'routineRun', 'swarm'],
];

/** Returns whether a workflow type is one of Holdfast: those of operators have inputs and results of unknown form. */
export function isOwnType(workflowType: string): boolean {
  return ownTypes.includes(workflowType);
}

/** Masks a text character by character. */
export function maskText(text: string): string {
  return text.replaceAll(/\p{L}/gu, 'x').replaceAll(/\p{N}/gu, '0');
}
