import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { JsonValue, UpdateSwarmData } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonField } from '../../ui/json-field.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section, Sections } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Swarm } from './queries.ts';
import { useMayChange } from './swarm-actions.tsx';

/** What the agents of a swarm share: the blackboard, and the configuration of the team. */
export function SharedState({ swarm }: { swarm: Swarm }) {
  const { blackboard, teamConfig } = swarm.state;
  const mayChange = useMayChange(swarm);
  return (
    <Sections>
      <Section title="Blackboard" actions={mayChange && <SetValue swarm={swarm} />}>
        <Table
          label="Values on the blackboard"
          items={blackboard}
          toKey={({ id }) => id}
          empty="Nothing is written there."
          columns={[
            { name: 'Name', width: '', cell: ({ id }) => <code>{id}</code> },
            { name: 'Value', width: '', cell: ({ value }) => <JsonView value={value} open={1} /> },
            { name: 'Changed', width: '', cell: ({ updatedAt }) => <Time at={updatedAt} />, isWide: true },
            {
              name: 'Actions',
              hidesName: true,
              width: '',
              cell: ({ id, value }) => mayChange && <Actions swarm={swarm} id={id} value={value} />,
            },
          ]}
        />
      </Section>
      <Section title="Team" actions={mayChange && <ChangeTeam swarm={swarm} />}>
        <JsonView value={JSON.parse(JSON.stringify(teamConfig)) as JsonValue} open={3} />
      </Section>
    </Sections>
  );
}

function useUpdate(swarm: Swarm, onSuccess: () => void = () => undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateSwarmData['body']) => holdfast.swarms.update(swarm.id, body),
    onSuccess,
    onSettled: () => queries.invalidateQueries({ queryKey: ['swarms'] }),
  });
}

interface Item {
  swarm: Swarm;
  id: string;
  value: JsonValue;
}

function Actions({ swarm, id, value }: Item) {
  const remove = useUpdate(swarm);
  return (
    <Buttons>
      <Problem error={remove.error} />
      <SetValue swarm={swarm} item={{ id, value }} />
      <ConfirmButton
        title={`Delete ${id}?`}
        text="Agents do not see it from their next step on."
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ blackboard: { delete: [id] } })}
      >
        Delete
      </ConfirmButton>
    </Buttons>
  );
}

/** Writes on the blackboard, or changes what stands there. */
function SetValue({ swarm, item }: { swarm: Swarm; item?: Omit<Item, 'swarm'> }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} {...(item && { label: `Change ${item.id} …` })}>
        {item ? 'Change …' : 'Write on it …'}
      </Button>
      <Dialog title={item ? `Change ${item.id}` : 'Write on the blackboard'} isOpen={isOpen} onClose={close}>
        <ValueForm swarm={swarm} item={item ?? { id: '', value: '' }} onDone={close} />
      </Dialog>
    </>
  );
}

interface ValueFormProps {
  swarm: Swarm;
  item: Omit<Item, 'swarm'>;
  onDone: () => void;
}

function ValueForm({ swarm, item, onDone }: ValueFormProps) {
  const [id, setId] = useState(item.id);
  const [text, setText] = useState(item.id === '' ? '""' : JSON.stringify(item.value, null, 2));
  const save = useUpdate(swarm, onDone);
  const value = parseJson(text);
  return (
    <Form
      onSubmit={() => {
        if (value !== undefined) save.mutate({ blackboard: { set: [{ id: id.trim(), value }] } });
      }}
    >
      <Field label="Name" isCode value={id} onChange={setId} isReadOnly={item.id !== ''} />
      <JsonField label="Value, as JSON" value={text} onChange={setText} />
      <Problem error={save.error} />
      <Buttons>
        <Button
          kind="main"
          type="submit"
          isPending={save.isPending}
          isDisabled={value === undefined || id.trim() === ''}
        >
          Save
        </Button>
      </Buttons>
    </Form>
  );
}

/** Replaces fields of the configuration of the team. */
function ChangeTeam({ swarm }: { swarm: Swarm }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} label="Change the team …">
        Change …
      </Button>
      <Dialog title="Change the team" isOpen={isOpen} onClose={close} isWide>
        <TeamForm swarm={swarm} onDone={close} />
      </Dialog>
    </>
  );
}

function TeamForm({ swarm, onDone }: { swarm: Swarm; onDone: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(swarm.state.teamConfig, null, 2));
  const save = useUpdate(swarm, onDone);
  const value = parseJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    <Form
      onSubmit={() => {
        if (isObject) save.mutate({ teamConfig: value });
      }}
    >
      <JsonField
        label="Configuration, as JSON"
        hint="Fields that it has are replaced; members have agentId, name and role."
        rows={14}
        value={text}
        onChange={setText}
      />
      <Problem error={save.error} />
      <Buttons>
        <Button kind="main" type="submit" isPending={save.isPending} isDisabled={!isObject}>
          Save
        </Button>
      </Buttons>
    </Form>
  );
}
