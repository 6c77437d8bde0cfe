import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Connection } from '../../api/types.ts';
import { AuthFields } from '../../live/connect/auth-fields.tsx';
import { isComplete, noAuth, toAuth, toDraft } from '../../live/connect/auth-offers.ts';
import type { Target } from '../../live/connect/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { connectionTestQuery, showChanged, startTest } from './queries.ts';

interface NewCredentialsProps {
  connection: Connection;
  target: Target;
  onClose: () => void;
}

/** Replaces the credentials of a connection as a whole. */
export function NewCredentials({ connection: { id, name, auth }, target, onClose }: NewCredentialsProps) {
  const present = target.offers.find(({ type }) => type === auth['type']) ?? target.offers[0] ?? noAuth;
  const [draft, setDraft] = useState(() => toDraft(present));
  const queries = useQueryClient();
  const save = useMutation({
    // The secrets are not kept.
    gcTime: 0,
    mutationFn: () => holdfast.connections.update(id, { auth: toAuth(draft) }),
    onSuccess: async (changed) => {
      await showChanged(queries, changed);
      // What was tested had the old credentials.
      queries.removeQueries({ queryKey: connectionTestQuery(id).queryKey });
      if (changed.status === 'active') startTest(queries, id);
      onClose();
    },
  });
  return (
    <Dialog title={`New credentials of ${name}`} isOpen onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <p>They replace the present ones. Nobody can read the present ones, so fill in every field.</p>
        <AuthFields
          offers={target.offers}
          draft={draft}
          onChange={setDraft}
          errors={toFieldErrors(save.error)}
        />
        <Problem error={save.error} />
        <Buttons>
          <Button
            kind="main"
            type="submit"
            isPending={save.isPending}
            isDisabled={!isComplete(draft, target.offers)}
          >
            Replace
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}
