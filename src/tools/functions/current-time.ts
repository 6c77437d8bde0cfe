import type { ToolResult } from '../../domain/tool.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { toTextArgument } from '../text-argument.ts';

const fields = {
  weekday: 'long',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
} as const;

function describeTime(now: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { ...fields, timeZone });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const offset = (part.timeZoneName ?? '').replace('GMT', '') || '+00:00';
  const date = `${part.year}-${part.month}-${part.day}`;
  return `${part.weekday} ${date}T${part.hour}:${part.minute}:${part.second}${offset} (${timeZone})`;
}

function run({ arguments: { timeZone = 'UTC' }, now }: FunctionRun): ToolResult {
  const name = toTextArgument(timeZone);
  try {
    return { status: 'succeeded', text: describeTime(now(), name) };
  } catch {
    const message = `"${name}" is not a time zone: expected an IANA name such as "Europe/Berlin".`;
    return { status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS', message } };
  }
}

/** Tells the date, the time and the day of the week in a time zone. */
export const currentTime: ToolFunction = {
  name: 'current_time',
  description: 'Tells the current date, time and day of the week in a time zone.',
  schema: {
    type: 'object',
    properties: {
      timeZone: {
        type: 'string',
        maxLength: 100,
        description: 'IANA name of the time zone, such as "Europe/Berlin". UTC when it is left out.',
      },
    },
    additionalProperties: false,
  },
  effect: 'read_only',
  run,
};
