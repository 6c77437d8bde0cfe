/** An OpenAPI document that cannot be used. */
export class OpenApiError extends Error {
  override name = 'OpenApiError';
  /** The place in the document as a JSON pointer (RFC 6901); `''` is the whole document. */
  readonly pointer: string;

  constructor(message: string, pointer = '') {
    super(message);
    this.pointer = pointer;
  }
}

/** Adds names to a JSON pointer. */
export function toPointer(base: string, ...names: (string | number)[]): string {
  const parts = names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return `${base}${parts.join('')}`;
}
