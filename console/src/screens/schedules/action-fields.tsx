import { useAgentNames, useRoutineNames } from '../../live/names.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { useMaySchedule } from './rights.ts';
import type { DraftProps } from './schedule-draft.ts';

const kinds = [
  { value: 'turn', text: 'A message to an agent' },
  { value: 'routine', text: 'A run of a routine' },
  { value: 'replay', text: 'A replay of recorded turns' },
] as const;

/** What a schedule starts. */
export function ActionFields({ draft, onChange }: DraftProps) {
  const may = useMaySchedule();
  const offered = kinds.filter(({ value }) => may(value) || value === draft.kind);
  return (
    <>
      <Choice label="Starts" value={draft.kind} options={offered} onChange={(kind) => onChange({ kind })} />
      {draft.kind === 'turn' && <TurnFields draft={draft} onChange={onChange} />}
      {draft.kind === 'routine' && <RoutineFields draft={draft} onChange={onChange} />}
      {draft.kind === 'replay' && (
        <JsonField
          label="Replay, as JSON"
          hint="The body of a replay as the API takes it: name, selection and candidate."
          rows={12}
          value={draft.replay}
          onChange={(replay) => onChange({ replay })}
        />
      )}
    </>
  );
}

const places = [
  { value: 'agent', text: 'A new conversation each time' },
  { value: 'conversation', text: 'One conversation' },
] as const;

function TurnFields({ draft, onChange }: DraftProps) {
  const names = useAgentNames();
  return (
    <>
      <Choice label="In" value={draft.place} options={places} onChange={(place) => onChange({ place })} />
      {draft.place === 'agent' ? (
        <NamedChoice
          label="Agent"
          value={draft.agentId}
          onChange={(agentId) => onChange({ agentId })}
          names={names}
        />
      ) : (
        <Field
          label="Id of the conversation"
          isCode
          value={draft.conversationId}
          onChange={(conversationId) => onChange({ conversationId })}
        />
      )}
      <Field label="Message" rows={4} value={draft.message} onChange={(message) => onChange({ message })} />
      <Field
        label="Person for whom it acts"
        hint="Empty for the one who creates it."
        value={draft.actingFor}
        onChange={(actingFor) => onChange({ actingFor })}
      />
    </>
  );
}

function RoutineFields({ draft, onChange }: DraftProps) {
  const names = useRoutineNames();
  return (
    <>
      <NamedChoice
        label="Routine"
        value={draft.routineId}
        onChange={(routineId) => onChange({ routineId })}
        names={names}
      />
      <JsonField
        label="Input of each run, as JSON"
        value={draft.input}
        onChange={(input) => onChange({ input })}
      />
    </>
  );
}
