import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import { useMay } from '../../app/session.tsx';
import { NotFound } from '../../app/failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { AgentForm } from './agent-form.tsx';
import { emptyDraft, toChange } from './draft.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';

/** Creates an agent; it gets its tools afterwards. */
export function Page() {
  const [draft, setDraft] = useState(emptyDraft);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => {
      const { name, model, instructions } = draft;
      return holdfast.agents.create({
        ...toChange(emptyDraft, draft),
        name: name.trim(),
        model,
        instructions,
      });
    },
    onSuccess: async ({ id }) => {
      await navigate({
        to: '/agents/$agentId',
        params: { agentId: id },
        search: { tab: 'tools' },
        ignoreBlocker: true,
      });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  if (!useMay()('agents:write')) return <NotFound />;
  return (
    <Frame title="New agent">
      <AgentForm
        draft={draft}
        onChange={setDraft}
        error={create.error}
        errors={toFieldErrors(create.error)}
        onSubmit={() => create.mutate()}
        actions={(isReady) => (
          <Button kind="main" type="submit" isPending={create.isPending} isDisabled={!isReady}>
            Create
          </Button>
        )}
      />
      <UnsavedChanges isChanged={Object.keys(toChange(emptyDraft, draft)).length > 0} />
    </Frame>
  );
}
