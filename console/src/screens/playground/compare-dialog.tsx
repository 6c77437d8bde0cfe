import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { versionsQuery } from './queries.ts';

interface CompareDialogProps {
  turnId: string;
  agentId: string;
  conversationId: string;
  onClose: () => void;
}

const toolAnswers = [
  { value: 'recorded', text: 'Recorded results: nothing outside is reached' },
  { value: 'live', text: 'Run again: what they change, they change a second time' },
] as const;

/** Runs a turn once more with another version of its agent, in a fork beside the conversation. */
export function CompareDialog({ turnId, agentId, conversationId, onClose }: CompareDialogProps) {
  const navigate = useNavigate();
  const versions = useQuery(versionsQuery(agentId));
  const [chosen, setChosen] = useState('');
  const [tools, setTools] = useState<'recorded' | 'live'>('recorded');
  const options = versions.data?.items.map(({ id, version, model, createdAt }) => ({
    value: id,
    text: `Version ${version}: ${model}, ${formatDateTime(createdAt)}`,
  }));
  const agentVersionId = chosen === '' ? options?.[0]?.value : chosen;
  const fork = useMutation({
    mutationFn: (version: string) =>
      holdfast.conversations.fork(conversationId, { turnId, agentVersionId: version, tools }),
    onSuccess: ({ conversation }) => {
      onClose();
      void navigate({ to: '/playground', search: { conversation: conversationId, beside: conversation.id } });
    },
  });
  return (
    <Dialog
      title="Compare with another version"
      isOpen
      onClose={onClose}
      actions={
        <Button
          kind="main"
          isPending={fork.isPending}
          isDisabled={agentVersionId === undefined}
          onPress={() => {
            if (agentVersionId !== undefined) fork.mutate(agentVersionId);
          }}
        >
          Run it beside this one
        </Button>
      }
    >
      <p>The turn runs once more in a fork. This conversation does not change.</p>
      <Choice label="Version" value={agentVersionId ?? ''} options={options ?? []} onChange={setChosen} />
      <Choice label="Tools" value={tools} options={toolAnswers} onChange={setTools} />
      <Problem error={versions.error ?? fork.error} />
    </Dialog>
  );
}
