import type { ToolDefinition } from '../domain/discovered-tool.ts';
import { toStorableJson, toStorableText } from '../domain/storable.ts';
import type { ToolInput, ToolSettings } from '../domain/tool.ts';
import { hintedEffect } from '../tools/tool-definition.ts';

/** The longest description that a tool keeps, in characters. */
const longestDescription = 4000;

/** The description, cut, and the input schema of a definition, without characters that cannot be stored. */
export function toStorableParts({
  description,
  inputSchema,
}: Pick<ToolDefinition, 'description' | 'inputSchema'>): Pick<ToolInput, 'description' | 'schema'> {
  return {
    description: toStorableText(description.slice(0, longestDescription)),
    schema: JSON.parse(toStorableJson(inputSchema)) as ToolInput['schema'],
  };
}

/** Sets `settings.effect` to the one that the server's annotations hint at, unless the operator has set it. */
export function withHintedEffect<Input extends ToolInput>(tool: Input, definition: ToolDefinition): Input {
  const effect = tool.settings?.effect ?? hintedEffect(definition);
  return effect === undefined ? tool : { ...tool, settings: { ...tool.settings, effect } };
}

/**
 * The settings of a tool whose definition changes. An effect that was hinted at by the old definition is replaced by
 * the hint of the new one; an effect that the operator chose stays.
 */
export function toSettingsAfter(
  settings: ToolSettings | undefined,
  { before, after }: { before: ToolDefinition; after: ToolDefinition },
): ToolSettings {
  const { effect, ...rest } = settings ?? {};
  const chosen = effect === hintedEffect(before) ? hintedEffect(after) : effect;
  return chosen === undefined ? rest : { ...rest, effect: chosen };
}
