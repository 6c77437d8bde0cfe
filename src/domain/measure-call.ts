import { estimatePartTokens } from './estimate-part-tokens.ts';
import { listCallFiles } from './model-part.ts';
import type { ModelCall } from './model.ts';

/** A model call, as far as its size depends on it. */
export type SizedCall = Pick<
  ModelCall,
  'instructions' | 'messages' | 'note' | 'tools' | 'maxOutputTokens' | 'responseSchema'
>;

/** The tokens with which vendors wrap each message and tool, at most. */
export const wrapperTokens = 32;

/** The size of the input of a model call. */
interface CallSize {
  /** The bytes of all texts as UTF-8: instructions, messages, tools and the schema of the answer. */
  bytes: number;
  /** How many texts there are. */
  texts: number;
  /** The tokens of the files that are sent as they are, estimated by their kind. */
  fileTokens: number;
  /** The bytes of these files in base64. */
  fileBytes: number;
}

/** Leaves out the bytes of files, whose tokens are estimated by their kind. */
function withoutBytes(name: string, value: unknown): unknown {
  return name === 'base64' ? undefined : value;
}

/** Measures the input of a model call. */
export function measureCall({ instructions, messages, note, tools, responseSchema }: SizedCall): CallSize {
  const texts = [
    instructions,
    ...(note === undefined ? [] : [note]),
    ...messages.map((one) => JSON.stringify(one, withoutBytes)),
    ...tools.map((one) => JSON.stringify(one)),
    ...(responseSchema ? [JSON.stringify(responseSchema)] : []),
  ];
  const files = listCallFiles(messages).flatMap(({ file, shown }) =>
    shown?.as === 'bytes' ? [{ file, bytes: shown.base64.length }] : [],
  );
  return {
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    texts: texts.length,
    fileTokens: files.reduce((sum, { file }) => sum + estimatePartTokens(file), 0),
    fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
