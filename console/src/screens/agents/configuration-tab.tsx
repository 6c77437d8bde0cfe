import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Agent } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { AgentForm } from './agent-form.tsx';
import styles from './agents.module.css';
import { toChange, toDraft } from './draft.ts';
import { Meanwhile } from './meanwhile.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

/** The configuration of an agent, and its change: each one that is saved makes a version. */
export function ConfigurationTab({ agent }: { agent: Agent }) {
  const { base, draft, setDraft, change, show } = useAgentDraft(agent);
  const save = useSave(base);
  const canWrite = useMay()('agents:write');
  const isChanged = Object.keys(change).length > 0;
  const isBehind = isChanged && agent.version > base.version;
  const discard = () => {
    save.reset();
    show(agent, {});
  };
  const keep = () => {
    save.reset();
    show(agent, change);
  };
  const actions = (isReady: boolean) => (
    <>
      <Saved version={isChanged ? undefined : save.data?.version} />
      {isChanged && <span className={styles.unsaved}>Not saved yet</span>}
      {isChanged && !isBehind && (
        <>
          <Button onPress={discard}>Discard</Button>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={!isReady}>
            Save as version {base.version + 1}
          </Button>
        </>
      )}
    </>
  );
  return (
    <>
      <Notices agent={agent} />
      {isBehind && <Meanwhile {...{ base, agent, change }} onKeep={keep} onDiscard={discard} />}
      <AgentForm
        draft={draft}
        onChange={setDraft}
        error={isBehind ? null : save.error}
        errors={toFieldErrors(save.error)}
        onSubmit={() => {
          if (isChanged && !isBehind) save.mutate(change, { onSuccess: (next) => show(next, {}) });
        }}
        isReadOnly={!canWrite}
        {...(canWrite ? { actions } : {})}
      />
      <UnsavedChanges isChanged={isChanged} />
    </>
  );
}

/** Says which version was saved. It takes the focus of the button that saved it, which is there no more. */
function Saved({ version }: { version: number | undefined }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (version !== undefined && document.activeElement === document.body) text.current?.focus();
  }, [version]);
  return (
    <p ref={text} role="status" tabIndex={-1} className={styles.saved}>
      {version !== undefined && `Saved as version ${version}.`}
    </p>
  );
}

/** The draft of an agent, and the version that it began with; while nothing is changed it follows the newest one. */
function useAgentDraft(agent: Agent) {
  const [base, setBase] = useState(agent);
  const [draft, setDraft] = useState(() => toDraft(agent));
  const change = toChange(toDraft(base), draft);
  const show = (next: Agent, kept: typeof change) => {
    setBase(next);
    setDraft({ ...toDraft(next), ...kept });
  };
  if (agent.version > base.version && Object.keys(change).length === 0) show(agent, {});
  return { base, draft, setDraft, change, show };
}

function useSave(base: Agent) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ReturnType<typeof toChange>) =>
      holdfast.agents.update(base.id, { ...change, version: base.version }),
    // When somebody else was first, their version is shown.
    onSettled: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  });
}

/** What a person has to know before the agent is changed. */
function Notices({ agent: { name, project, warnings = [] } }: { agent: Agent }) {
  return (
    <>
      {project !== null && (
        <p className={styles.notice}>
          The code of the project {project} defines this agent. Its next push overwrites what is changed here,
          unless you bring the changes into the code first:{' '}
          <code>npx holdfast pull --agent {JSON.stringify(name)}</code>
        </p>
      )}
      {warnings.length > 0 && (
        <ul className={styles.notice} aria-label="Warnings">
          {warnings.map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
