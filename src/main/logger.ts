import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** Fields that may hold a secret, at the top of a line and one level down. */
const secretFields = [
  'authorization',
  'cookie',
  'apiKey',
  'api_key',
  'key',
  'password',
  'secret',
  'token',
  'headers',
];

/** How `pino-pretty` shows lines to people. */
export const prettyOptions = { singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'name' };

/**
 * Creates the logger of a process, which redacts secrets. It writes JSON lines to standard output, and lines as people read them
 * when that is a terminal.
 */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, name: string): Logger {
  return pino({
    ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty', options: prettyOptions } } : {}),
    name,
    level: logLevel,
    base: { name },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
