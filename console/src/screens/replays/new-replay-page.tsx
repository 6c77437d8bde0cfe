import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form, Section, Sections } from '../../ui/section.tsx';
import { CandidateFields } from './candidate-fields.tsx';
import { toReplayBody, useDraft } from './draft.ts';
import { chosenTurnsQuery } from './queries.ts';
import styles from './replays.module.css';
import { parseNewSearch } from './search.ts';
import { SelectionFields } from './selection-fields.tsx';
import { SettingFields } from './setting-fields.tsx';

/** Starts a replay: which runs it takes, what is tried with them, and how. */
export function Page() {
  const may = useMay();
  const canStart = may('replays:write') && may('conversations:read');
  return (
    <Frame title="New replay">
      {canStart ? (
        <NewReplayForm />
      ) : (
        <Empty
          title="You cannot start a replay"
          text="It needs the scopes replays:write and conversations:read."
        />
      )}
    </Frame>
  );
}

function NewReplayForm() {
  const search = useSearchOf(parseNewSearch);
  const turnIds = search.turnIds?.split(',') ?? [];
  const [draft, change] = useDraft(search);
  const [name, setName] = useState('');
  const chosen = useQuery({ ...chosenTurnsQuery(turnIds), enabled: turnIds.length > 0 });
  const start = useStart();
  return (
    <Sections>
      <div className={styles.narrow}>
        <Form onSubmit={() => start.mutate(toReplayBody({ search, draft, name }))}>
          <Section title="Runs">
            <SelectionFields search={search} turnIds={turnIds} chosen={chosen.data} />
          </Section>
          <Section title="Candidate">
            <CandidateFields
              agentId={search.agentId ?? chosen.data?.[0]?.agentId}
              draft={draft}
              onChange={change}
            />
          </Section>
          <Section title="Replay">
            <Field label="Name" value={name} onChange={setName} placeholder="Replay" />
            <SettingFields draft={draft} onChange={change} />
          </Section>
          <Problem error={chosen.error ?? start.error} />
          <Buttons>
            <Button kind="main" type="submit" isPending={start.isPending}>
              Start the replay
            </Button>
          </Buttons>
        </Form>
      </div>
    </Sections>
  );
}

function useStart() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof toReplayBody>) => holdfast.replays.create(body),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['replays'] });
      void navigate({ to: '/replays/$replayId', params: { replayId: id }, replace: true });
    },
  });
}
