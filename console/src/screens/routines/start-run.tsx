import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { JsonObject, JsonValue } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { NamedChoice } from '../../ui/named-choice.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import type { Routine } from './queries.ts';

interface StartRunProps {
  routine: Pick<Routine, 'id' | 'name' | 'agentId' | 'document'>;
  /** The input of a run that is started again. */
  input?: JsonValue;
}

/** Starts a run with an input, and shows it. */
export function StartRun({ routine, input }: StartRunProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay()('routines:write')) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button kind={input === undefined ? 'main' : 'quiet'} onPress={() => setOpen(true)}>
        {input === undefined ? 'Start a run …' : 'Start again …'}
      </Button>
      <Dialog title={`Start ${routine.name}`} isOpen={isOpen} onClose={close}>
        <StartForm routine={routine} input={input ?? toExample(routine.document)} onStarted={close} />
      </Dialog>
    </>
  );
}

interface StartFormProps {
  routine: StartRunProps['routine'];
  input: JsonValue;
  onStarted: () => void;
}

function StartForm({ routine, input, onStarted }: StartFormProps) {
  const [text, setText] = useState(() => JSON.stringify(input, null, 2));
  const [agentId, setAgentId] = useState('');
  const names = useAgentNames();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const needsAgent = routine.agentId === null;
  const value = parseJson(text);
  const start = useMutation({
    mutationFn: () =>
      holdfast.routines.start(routine.id, {
        ...(value === undefined ? {} : { input: value }),
        ...(needsAgent ? { agentId } : {}),
      }),
    onSuccess: async ({ id }) => {
      onStarted();
      await navigate({ to: '/routine-runs/$runId', params: { runId: id } });
      await queries.invalidateQueries({ queryKey: ['routine-runs'] });
    },
  });
  const isReady = (value !== undefined || text.trim() === '') && (!needsAgent || agentId !== '');
  return (
    <Form onSubmit={() => start.mutate()}>
      {needsAgent && <NamedChoice label="Acts as" value={agentId} onChange={setAgentId} names={names} />}
      <JsonField label="Input" rows={10} value={text} onChange={setText} />
      <Problem error={start.error} />
      <Buttons>
        <Button kind="main" type="submit" isPending={start.isPending} isDisabled={!isReady}>
          Start
        </Button>
      </Buttons>
    </Form>
  );
}

const examples: Record<string, JsonValue> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
};

/** An input with the fields that the schema of the document asks for. */
function toExample({ input }: JsonObject): JsonObject {
  const schema = find(find(input, 'schema'), 'document');
  const required = find(schema, 'required');
  const properties = find(schema, 'properties');
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => {
      const type = find(find(properties, name), 'type');
      return [name, examples[typeof type === 'string' ? type : ''] ?? ''];
    }),
  );
}

function find(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}
