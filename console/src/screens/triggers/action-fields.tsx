import { useAgentNames, useRoutineNames } from '../../live/names.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { useMayTrigger } from './rights.ts';
import type { DraftProps } from './trigger-draft.ts';

const kinds = [
  { value: 'turn', text: 'A turn of an agent' },
  { value: 'routine', text: 'A run of a routine' },
] as const;

/** What an event starts. */
export function ActionFields({ draft, onChange, errors }: DraftProps) {
  const may = useMayTrigger();
  const routines = useRoutineNames();
  const offered = kinds.filter(({ value }) => may(value) || value === draft.kind);
  return (
    <>
      <Choice label="Starts" value={draft.kind} options={offered} onChange={(kind) => onChange({ kind })} />
      {draft.kind === 'turn' ? (
        <TurnFields draft={draft} onChange={onChange} errors={errors} />
      ) : (
        <>
          <NamedChoice
            label="Routine"
            value={draft.routineId}
            onChange={(routineId) => onChange({ routineId })}
            names={routines}
            error={errors['action.routineId']}
          />
          <Field
            label="Input"
            hint="A jq program that makes it. Empty for the payload."
            isCode
            rows={3}
            value={draft.input}
            onChange={(input) => onChange({ input })}
            error={errors['action.input']}
          />
        </>
      )}
    </>
  );
}

const places = [
  { value: 'agent', text: 'Conversations with an agent' },
  { value: 'conversation', text: 'One conversation' },
] as const;

function TurnFields({ draft, onChange, errors }: DraftProps) {
  return (
    <>
      <Choice label="In" value={draft.place} options={places} onChange={(place) => onChange({ place })} />
      <PlaceFields draft={draft} onChange={onChange} errors={errors} />
      <Field
        label="Message"
        hint="{{ .issue.title }} stands for a value of the payload; {{ .issue.body | data }} marks it as text from outside. Empty for the whole payload."
        isCode
        rows={4}
        value={draft.message}
        onChange={(message) => onChange({ message })}
        error={errors['action.message']}
      />
      <Field
        label="Person for whom it acts"
        hint="A template, such as slack:{{ .event.user }}. Empty for the one who creates it."
        isCode
        value={draft.actingFor}
        onChange={(actingFor) => onChange({ actingFor })}
        error={errors['action.actingFor']}
      />
    </>
  );
}

function PlaceFields({ draft, onChange, errors }: DraftProps) {
  const agents = useAgentNames();
  if (draft.place === 'conversation')
    return (
      <Field
        label="Id of the conversation"
        isCode
        value={draft.conversationId}
        onChange={(conversationId) => onChange({ conversationId })}
        error={errors['action.conversationId']}
      />
    );
  return (
    <>
      <NamedChoice
        label="Agent"
        value={draft.agentId}
        onChange={(agentId) => onChange({ agentId })}
        names={agents}
        error={errors['action.agentId']}
      />
      <Field
        label="Events of one conversation have the same"
        hint="A template, such as {{ .issue.number }}. Empty for a new conversation with each event."
        isCode
        value={draft.conversationKey}
        onChange={(conversationKey) => onChange({ conversationKey })}
        error={errors['action.conversationKey']}
      />
    </>
  );
}
