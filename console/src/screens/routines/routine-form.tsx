import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { DocumentField, type DocumentError } from './document-field.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { findLine } from './find-line.ts';
import type { Routine } from './queries.ts';
import styles from './routines.module.css';
import { toYaml } from './to-yaml.ts';

interface RoutineFormProps {
  /** Null for a new one. */
  routine: Routine | null;
  onSaved: (routine: Routine) => void;
}

/** The document of a routine, and the agent that it acts as. Saving makes a new version. */
export function RoutineForm({ routine, onSaved }: RoutineFormProps) {
  const canWrite = useMay()('routines:write');
  const draftKey = routine === null ? 'new' : `${routine.id} ${routine.version}`;
  const stored = routine === null ? sample : toYaml(routine.document);
  const [text, setText] = useState(() => readDraft(draftKey) ?? stored);
  const [agentId, setAgentId] = useState(routine?.agentId ?? '');
  const agents = useAgentNames();
  const change = (next: string) => {
    setText(next);
    keepDraft(draftKey, next === stored ? null : next);
  };
  const save = useSave(routine, (saved) => {
    keepDraft(draftKey, null);
    onSaved(saved);
  });
  const { errors, other } = toErrors(save.error, text);
  const isChanged = routine === null || text !== stored || agentId !== (routine.agentId ?? '');
  return (
    <Form onSubmit={() => save.mutate({ document: text, agentId })}>
      {canWrite && (
        <div className={styles.narrow}>
          <NamedChoice
            label="Acts as"
            value={agentId}
            onChange={setAgentId}
            names={agents}
            none={(routine?.agentId ?? null) === null ? 'The agent that starts it' : 'No change'}
          />
        </div>
      )}
      <DocumentField value={text} onChange={change} errors={errors} isReadOnly={!canWrite} />
      <Problem error={other} />
      {canWrite && isChanged && (
        <Buttons>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={text.trim() === ''}>
            {routine === null ? 'Create' : `Save as version ${routine.version + 1}`}
          </Button>
          {text !== stored && <Button onPress={() => change(stored)}>Discard</Button>}
        </Buttons>
      )}
    </Form>
  );
}

interface Draft {
  document: string;
  agentId: string;
}

function useSave(routine: Routine | null, onSaved: (routine: Routine) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ document, agentId }: Draft) => {
      const body = { document, ...(agentId === '' ? {} : { agentId }) };
      return routine === null ? holdfast.routines.create(body) : holdfast.routines.update(routine.id, body);
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ['routines'] });
      onSaved(saved);
    },
  });
}

/** Splits the error of a refused document into the messages of its lines and every other error. */
function toErrors(error: unknown, text: string): { errors: DocumentError[]; other: unknown } {
  const last = text.split('\n').length - 1;
  const errors = Object.entries(toFieldErrors(error)).flatMap(([field, message]) => {
    if (!/^document(?=\/|$)/.test(field)) return [];
    const [, given] = / at line (\d+)/.exec(message) ?? [];
    const line = given === undefined ? findLine(text, field.slice('document'.length)) : Number(given) - 1;
    return [{ line: Math.min(line, last), message }];
  });
  return errors.length > 0 ? { errors, other: null } : { errors, other: error };
}

const sample = `document:
  dsl: '1.0.0'
  namespace: default
  name: greet
  version: '1.0.0'
input:
  schema:
    document:
      type: object
      required: [name]
      properties:
        name: { type: string }
do:
  - greet:
      set:
        greeting: \${ "Hello " + .name }
`;
