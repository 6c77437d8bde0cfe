import { createInvalidInput } from '../../domain/errors.ts';

/** A position in the notes of one database. */
export interface ChangeCursor {
  /** The epoch of the log, which another one follows after a crash of Postgres. */
  epoch: string;
  /** A snapshot of Postgres, as `xmin:xmax:xip`: the reader has the notes of the transactions that it shows. */
  snapshot: string;
}

const pattern =
  /^(?<epoch>[0-9a-f]{12})\.(?<snapshot>(?<xmin>\d{1,19}):(?<xmax>\d{1,19}):(?<running>[\d,]*))$/;
const longest = 8_000;

/**
 * Parses the `id` of an event; undefined for no text.
 * @throws HoldfastError `INVALID_INPUT` that names the field
 */
export function parseChangeCursor(text: string | undefined, field: string): ChangeCursor | undefined {
  if (text === undefined) return undefined;
  const { epoch, snapshot, xmin, xmax, running } =
    (text.length <= longest && pattern.exec(text)?.groups) || {};
  if (epoch && snapshot && isSnapshot([xmin, ...toList(running), xmax])) return { epoch, snapshot };
  throw createInvalidInput([{ field, message: 'expected the id of an event of this stream' }]);
}

function toList(running = ''): string[] {
  return running === '' ? [] : running.split(',');
}

/** Postgres refuses snapshots whose transactions are not in order. Those that run begin with xmin, and end before xmax. */
function isSnapshot(texts: (string | undefined)[]): boolean {
  if (!texts.every((text) => text !== undefined && /^\d{1,19}$/.test(text))) return false;
  const ids = texts.map((text) => BigInt(text ?? ''));
  const [xmin = 0n] = ids;
  const xmax = ids.at(-1) ?? 0n;
  const running = ids.slice(1, -1);
  return (
    xmin > 0n &&
    xmin <= xmax &&
    running.every((id, index) => id >= xmin && id < xmax && id > (running[index - 1] ?? 0n))
  );
}

/** Writes a cursor as the `id` of an event. */
export function toChangeCursorText({ epoch, snapshot }: ChangeCursor): string {
  return `${epoch}.${snapshot}`;
}
