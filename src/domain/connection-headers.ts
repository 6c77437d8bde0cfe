/** Headers that HTTP itself uses for the connection and the length of a message; a caller who sets one breaks the request. */
export const connectionHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const;
