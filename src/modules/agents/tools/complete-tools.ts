import { createInvalidInput } from '../../../domain/errors.ts';
import type { ToolDraft, ToolInput } from '../../../domain/tool.ts';
import { completeTool } from '../../../engines/tools/complete-tool.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { toToolPrefix } from '../check-agent.ts';

/** An agent, or a change of one, whose tools may lack fields that Holdfast knows. */
export type DraftAgent<Input extends { tools?: ToolInput[] | undefined }> = Omit<Input, 'tools'> &
  (Input extends { tools: ToolInput[] } ? { tools: ToolDraft[] } : { tools?: ToolDraft[] | undefined });

interface DraftList {
  tools: ToolDraft[];
  /** Gives the text before the fields of a tool in an error. @default `tools.<index>.` */
  toPrefix?: ((index: number) => string) | undefined;
}

/**
 * Adds the descriptions and schemas that a caller has left out of new tools.
 * @throws HoldfastError `INVALID_INPUT` with every field that is missing
 */
export function completeTools(
  { functions }: Pick<AgentDependencies, 'functions'>,
  { tools, toPrefix = toToolPrefix }: DraftList,
): ToolInput[] {
  const completed = tools.map((draft) => completeTool(draft, { functions }));
  const errors = completed.flatMap(({ errors: wrong }, index) =>
    wrong.map(({ field, message }) => ({ field: toPrefix(index) + field, message })),
  );
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 50));
  return completed.flatMap(({ tool }) => tool ?? []);
}
