import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Folded } from '../../ui/folded.tsx';
import styles from './agents.module.css';
import type { AgentDraft, PartProps } from './draft.ts';
import { findError, hasError } from './errors.ts';
import { JsonPart } from './json-part.tsx';
import { NumberField } from './number-field.tsx';
import { withValue } from './with-value.ts';

type Settings = AgentDraft['modelSettings'];

const toOptions = (values: readonly string[], none = 'The default of the model') => [
  { value: '', text: none },
  ...values.map((value) => ({ value, text: value })),
];

const efforts = toOptions(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const cachings = toOptions(['auto', '1h', 'off'], 'auto');
const outputs = toOptions(['native', 'asked']);
const parallels = [
  { value: '', text: 'The default of the model' },
  { value: 'true', text: 'Yes' },
  { value: 'false', text: 'One after the other' },
];
const media = ['image', 'document', 'audio', 'video'] as const;

const numbers = [
  { name: 'temperature', label: 'Temperature, 0 to 2' },
  { name: 'topP', label: 'Top P, 0 to 1' },
  { name: 'maxOutputTokens', label: 'Tokens of an answer' },
] as const;

/** What is sent to the model with each call. */
export function ModelSettingsFields({ draft, set, errors, isReadOnly }: PartProps) {
  const { modelSettings: settings } = draft;
  const change = (name: keyof Settings, value: unknown) =>
    set({ modelSettings: withValue(settings, name, value === '' ? undefined : value) });
  const count = Object.keys(settings).length;
  return (
    <Folded
      title="Model settings"
      summary={count === 0 ? 'the defaults' : Object.keys(settings).join(', ')}
      isNeeded={hasError(errors, 'modelSettings')}
    >
      <div className={styles.grid}>
        {numbers.map(({ name, label }) => (
          <NumberField
            key={name}
            label={label}
            value={settings[name]}
            onChange={(value) => change(name, value)}
            error={errors[`modelSettings.${name}`]}
            isReadOnly={isReadOnly}
          />
        ))}
        <Choices {...{ draft, settings, change, errors, isReadOnly }} />
      </div>
      <fieldset className={styles.set} disabled={isReadOnly}>
        <legend>Files that it takes, for a model that Holdfast does not know</legend>
        {media.map((medium) => (
          <Checkbox
            key={medium}
            label={medium}
            isChecked={settings.takes?.includes(medium) === true}
            onChange={(isChecked) => change('takes', toTakes(settings.takes, medium, isChecked))}
          />
        ))}
      </fieldset>
      <JsonParts {...{ settings, change, errors, isReadOnly }} />
    </Folded>
  );
}

/** The settings of which one value of a list is chosen. */
type Texts = 'reasoningEffort' | 'promptCaching' | 'structuredOutput';

interface ChangeProps extends Pick<PartProps, 'errors' | 'isReadOnly'> {
  settings: Settings;
  change: (name: keyof Settings, value: unknown) => void;
}

function Choices({ draft, settings, change, errors, isReadOnly }: ChangeProps & Pick<PartProps, 'draft'>) {
  const { toolChoice, parallelToolCalls: parallel } = settings;
  const shared = { isDisabled: isReadOnly };
  const choose = (name: Texts, options: { value: string; text: string }[], label: string) => (
    <Choice
      label={label}
      value={settings[name] ?? ''}
      options={options}
      onChange={(value) => change(name, value)}
      error={errors[`modelSettings.${name}`]}
      {...shared}
    />
  );
  return (
    <>
      {choose('reasoningEffort', efforts, 'Reasoning')}
      <Choice
        label="First call of a turn"
        value={typeof toolChoice === 'object' ? `tool:${toolChoice.tool}` : (toolChoice ?? '')}
        options={toToolChoices(draft, toolChoice)}
        onChange={(value) =>
          change('toolChoice', value.startsWith('tool:') ? { tool: value.slice(5) } : value)
        }
        error={findError(errors, 'modelSettings.toolChoice')}
        {...shared}
      />
      <Choice
        label="Several tool calls at once"
        value={parallel === undefined ? '' : String(parallel)}
        options={parallels}
        onChange={(value) => change('parallelToolCalls', value === '' ? '' : value === 'true')}
        {...shared}
      />
      {choose('promptCaching', cachings, 'Prompt caching')}
      {choose('structuredOutput', outputs, 'Structured answers')}
    </>
  );
}

function toToolChoices({ tools }: AgentDraft, present: Settings['toolChoice']) {
  const chosen = typeof present === 'object' ? [present.tool] : [];
  const names = new Set([...tools.map(({ name }) => name), ...chosen]);
  return [
    { value: '', text: 'The model decides' },
    { value: 'auto', text: 'auto' },
    { value: 'required', text: 'Some tool' },
    { value: 'none', text: 'No tool' },
    ...[...names].map((name) => ({ value: `tool:${name}`, text: `The tool ${name}` })),
  ];
}

function JsonParts({ settings, change, errors, isReadOnly }: ChangeProps) {
  return (
    <>
      <JsonPart
        label="Options of vendors"
        hint='By the prefix of their models, such as { "openai": { … } }'
        value={settings.providerOptions}
        onChange={(value) => change('providerOptions', value)}
        error={findError(errors, 'modelSettings.providerOptions')}
        isReadOnly={isReadOnly}
      />
      <JsonPart
        label="Headers"
        value={settings.headers}
        onChange={(value) => change('headers', value)}
        error={findError(errors, 'modelSettings.headers')}
        isReadOnly={isReadOnly}
      />
    </>
  );
}

type Medium = (typeof media)[number];

function toTakes(present: Settings['takes'] = [], medium: Medium, isTaken: boolean): Medium[] | undefined {
  const next = media.filter((one) => (one === medium ? isTaken : present.includes(one)));
  return next.length === 0 ? undefined : next;
}
