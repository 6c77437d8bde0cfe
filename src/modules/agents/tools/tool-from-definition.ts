import type { ToolDefinition } from '../../../domain/discovered-tool.ts';
import { toStorableJson, toStorableText } from '../../../domain/storable.ts';
import type { ToolInput, ToolSettings } from '../../../domain/tool.ts';
import { cutDescription } from '../../../domain/tool-description.ts';
import { hintedApproval, hintedEffect } from '../../../engines/tools/tool-definition.ts';

/** The description, cut, and the input schema of a definition, without characters that cannot be stored. */
export function toStorableParts({
  description,
  inputSchema,
}: Pick<ToolDefinition, 'description' | 'inputSchema'>): Pick<ToolInput, 'description' | 'schema'> {
  return {
    description: cutDescription(toStorableText(description)),
    schema: JSON.parse(toStorableJson(inputSchema)) as ToolInput['schema'],
  };
}

/** Sets the settings that the server's annotations hint at, unless the operator has set them. */
export function withHints<Input extends ToolInput>(tool: Input, definition: ToolDefinition): Input {
  return withSettings(tool, toHints(definition));
}

/**
 * Sets the approval that the annotations of a provider's operation hint at, unless the operator has set it. The effect of
 * an operation is read from the catalogue at each call.
 */
export function withApprovalHint<Input extends ToolInput>(
  tool: Input,
  operation: Pick<ToolDefinition, 'annotations'>,
): Input {
  return withSettings(tool, toSetting('approval', hintedApproval(operation)));
}

function withSettings<Input extends ToolInput>(tool: Input, hints: ToolSettings): Input {
  const settings = { ...hints, ...tool.settings };
  return Object.keys(settings).length === 0 ? tool : { ...tool, settings };
}

/**
 * The settings of a tool whose definition changes. The hints of the new definition replace those of the old one; settings
 * that the operator chose stay.
 */
export function toSettingsAfter(
  settings: ToolSettings = {},
  { before, after }: { before: ToolDefinition; after: ToolDefinition },
): ToolSettings {
  const { effect, approval, ...rest } = settings;
  const [former, now] = [toHints(before), toHints(after)];
  return {
    ...rest,
    ...toSetting('effect', effect === former.effect ? now.effect : effect),
    ...toSetting('approval', approval === former.approval ? now.approval : approval),
  };
}

function toHints(definition: ToolDefinition): Pick<ToolSettings, 'effect' | 'approval'> {
  return {
    ...toSetting('effect', hintedEffect(definition)),
    ...toSetting('approval', hintedApproval(definition)),
  };
}

function toSetting<Name extends keyof ToolSettings>(
  name: Name,
  value: ToolSettings[Name],
): Pick<ToolSettings, Name> | object {
  return value === undefined ? {} : { [name]: value };
}
