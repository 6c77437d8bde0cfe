import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import type { Command } from './command.ts';
import { createInvalidInput } from '../../domain/errors.ts';

/** The content of a file with the history of one workflow. */
export interface SavedHistory {
  workflowId: string;
  /** True when texts were masked by `maskHistory`. */
  isMasked?: boolean;
  /** The history as the Web UI and `temporal workflow show --output json` write it. */
  history: unknown;
  /** The commands that `noteCommands` has noted. @default none */
  noted?: Command[];
}

/** A history that was read from a file. */
export interface ReadHistory {
  /** The name of the file without its ending. */
  name: string;
  workflowId: string;
  isMasked: boolean;
  history: History;
  noted: Command[];
}

/**
 * Reads all files of a folder that end in `.json`, in the order of their names. A file that the Web UI or the command of
 * Temporal wrote has only the history.
 * @throws HoldfastError `INVALID_INPUT` when the folder has no such file, or a file is no history
 */
export function readHistories(folder: string): ReadHistory[] {
  const files = listFiles(folder);
  if (files.length === 0)
    throw createInvalidInput([{ field: folder, message: 'has no file with a history' }]);
  return files.map((file) => readHistory(path.join(folder, file)));
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch {
    throw createInvalidInput([{ field: folder, message: 'is not a folder that can be read' }]);
  }
}

function readHistory(file: string): ReadHistory {
  const name = path.basename(file, '.json');
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Partial<SavedHistory>;
    const { workflowId = name, isMasked = false, history = saved, noted = [] } = saved;
    return { name, workflowId, isMasked, noted, history: historyFromJSON(history) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw createInvalidInput([{ field: file, message: `is not a history: ${reason}` }]);
  }
}
