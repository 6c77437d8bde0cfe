import type { ToolResult } from '../../../domain/tool.ts';
import { createZonedParts } from '../../../platform/lib/zoned-time.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';
import { toTextArgument } from '../text-argument.ts';

function describeTime(now: Date, timeZone: string): string {
  const { weekday, date, time, offset } = createZonedParts(timeZone)(now);
  return `${weekday} ${date}T${time}${offset} (${timeZone})`;
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

/** Returns the date, the time and the day of the week in a time zone. */
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
