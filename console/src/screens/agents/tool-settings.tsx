import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { ChangeAgentToolData, JsonObject, Tool } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons } from '../../ui/section.tsx';
import styles from './agents.module.css';
import { findError } from './errors.ts';
import { JsonPart } from './json-part.tsx';
import { NumberField } from './number-field.tsx';
import { toolQuery } from './queries.ts';
import { approvals, effects } from './tool-texts.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';

type Settings = NonNullable<Tool['settings']>;

interface ToolSettingsProps {
  agentId: string;
  tool: Tool;
}

/** The settings of a tool by its operator: they override the hints of its server. Each change makes a version of the agent. */
export function ToolSettings({ agentId, tool }: ToolSettingsProps) {
  const stored = tool.settings ?? {};
  // The settings that the changes began with; somebody else may change others meanwhile.
  const [base, setBase] = useState<Settings>(stored);
  const [settings, setSettings] = useState(base);
  const canWrite = useMay()('agents:write');
  const change = toChange(base, settings);
  const isChanged = Object.keys(change).length > 0;
  const show = (next: Settings) => {
    setBase(next);
    setSettings(next);
  };
  if (!isChanged && JSON.stringify(stored) !== JSON.stringify(base)) show(stored);
  const save = useSave(agentId, tool.id);
  const [hasNothing, setNothing] = useState(false);
  return (
    <form
      className={styles.settings}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setNothing(!isChanged);
        if (isChanged) save.mutate(change, { onSuccess: ({ tool: next }) => show(next.settings ?? {}) });
      }}
    >
      <h3>Settings</h3>
      <SettingFields
        settings={settings}
        set={(part) => setSettings({ ...settings, ...part })}
        errors={toFieldErrors(save.error)}
        isReadOnly={!canWrite}
      />
      <Problem error={save.error} />
      {canWrite && (
        <Buttons>
          {/* It stays enabled: a button that is disabled when it has saved loses the focus. */}
          <Button kind="main" type="submit" isPending={save.isPending}>
            Save the settings
          </Button>
          <p role="status" className={styles.saved}>
            {!isChanged &&
              (hasNothing
                ? 'Nothing is changed.'
                : save.data && `Saved in version ${save.data.agent.version}.`)}
          </p>
        </Buttons>
      )}
      <UnsavedChanges isChanged={isChanged} />
    </form>
  );
}

function useSave(agentId: string, toolId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeAgentToolData['body']) =>
      holdfast.agents.tools.update(agentId, toolId, change),
    onSuccess: async ({ tool }) => {
      queries.setQueryData(toolQuery(agentId, toolId).queryKey, (before) => before && { ...before, tool });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
}

interface SettingFieldsProps {
  settings: Settings;
  set: (part: Partial<Settings>) => void;
  errors: Readonly<Record<string, string>>;
  isReadOnly: boolean;
}

function SettingFields(props: SettingFieldsProps) {
  const { settings, set, errors, isReadOnly } = props;
  return (
    <>
      <fieldset className={styles.set} disabled={isReadOnly}>
        <legend className="visually-hidden">Use</legend>
        <Checkbox
          label="Enabled: offered to the model"
          isChecked={settings.enabled !== false}
          onChange={(isChecked) => set({ enabled: isChecked ? undefined : false })}
        />
      </fieldset>
      <div className={styles.grid}>
        <Choice
          label="Effect of a call"
          value={settings.effect ?? ''}
          options={[{ value: '', text: 'What its server or function says' }, ...effects]}
          onChange={(effect) => set({ effect: effect === '' ? undefined : effect })}
          isDisabled={isReadOnly}
        />
        <TimeFields {...props} />
      </div>
      <div className={styles.grid}>
        <Choice
          label="Approval"
          value={settings.approval ?? ''}
          options={[{ value: '', text: 'What the workspace says' }, ...approvals]}
          onChange={(approval) => set({ approval: approval === '' ? undefined : approval })}
          isDisabled={isReadOnly}
        />
        <Field
          label="Groups that approve"
          hint="With commas between them; everybody who may when empty"
          value={(settings.approvers ?? []).join(', ')}
          onChange={(text) => set({ approvers: toGroups(text) })}
          error={findError(errors, 'approvers')}
          isReadOnly={isReadOnly}
        />
      </div>
      <fieldset className={styles.set} disabled={isReadOnly}>
        <legend className="visually-hidden">Approvers</legend>
        <Checkbox
          label="Who has asked for a call may approve it"
          isChecked={settings.selfApproval !== false}
          onChange={(isChecked) => set({ selfApproval: isChecked ? undefined : false })}
        />
      </fieldset>
      <JsonPart<JsonObject>
        label="Ask when the arguments match"
        hint='A JSON Schema, such as { "properties": { "amount": { "exclusiveMinimum": 50 } } }'
        value={settings.approvalWhen}
        onChange={(approvalWhen) => set({ approvalWhen })}
        error={findError(errors, 'approvalWhen')}
        isReadOnly={isReadOnly}
      />
    </>
  );
}

function TimeFields({ settings, set, errors, isReadOnly }: SettingFieldsProps) {
  return (
    <>
      <NumberField
        label="Time of a call, in seconds"
        hint="The limit of the agent when empty"
        factor={1_000}
        value={settings.timeoutMs}
        onChange={(timeoutMs) => set({ timeoutMs })}
        error={errors['timeoutMs']}
        isReadOnly={isReadOnly}
      />
      <NumberField
        label="Try unknown calls again after, in seconds"
        hint="For keyed and idempotent tools; never when empty"
        factor={1_000}
        value={settings.settleAfterMs}
        onChange={(settleAfterMs) => set({ settleAfterMs })}
        error={errors['settleAfterMs']}
        isReadOnly={isReadOnly}
      />
    </>
  );
}

function toGroups(text: string): string[] | undefined {
  // A comma at the end stays while a person types the next name.
  const groups = text.split(',').map((group) => group.trimStart());
  return groups.length === 1 && groups[0] === '' ? undefined : groups;
}

/** The settings that a request can change. */
const changeable = [
  ...(['enabled', 'effect', 'timeoutMs', 'settleAfterMs'] as const),
  ...(['approval', 'approvalWhen', 'approvers', 'selfApproval'] as const),
];

/** The settings that differ; null for one that is back at its default. */
function toChange(before: Settings, after: Settings): ChangeAgentToolData['body'] {
  const approvers = after.approvers?.map((name) => name.trim()).filter(Boolean);
  const values: Settings = { ...after, approvers };
  const changed = changeable.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(values[name]));
  return Object.fromEntries(
    changed.map((name) => [name, values[name] ?? (name === 'enabled' ? true : null)]),
  );
}
