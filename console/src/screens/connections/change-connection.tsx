import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { Connection, UpdateConnectionData } from '../../api/types.ts';
import { AddressFields, toAddress } from '../../live/connect/address-fields.tsx';
import type { AuthOffer } from '../../live/connect/auth-offers.ts';
import type { Target } from '../../live/connect/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { showChanged } from './queries.ts';

interface ChangeConnectionProps {
  connection: Connection;
  target: Target;
  onClose: () => void;
}

/** Changes the name of a connection, its address, and how often it may be used. */
export function ChangeConnection({ connection, target, onClose }: ChangeConnectionProps) {
  const { name, endpoint, variables, rateLimit, auth } = connection;
  const [draft, setDraft] = useState({ name, endpoint: endpoint ?? '', variables });
  const [limit, setLimit] = useState(rateLimit === null ? '' : String(rateLimit.tokensPerMinute));
  const authType = auth['type'] as AuthOffer['type'];
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const change = toChange(connection, { ...toAddress(draft, { target, authType }), limit });
      return Object.keys(change).length === 0
        ? Promise.resolve(connection)
        : holdfast.connections.update(connection.id, change);
    },
    onSuccess: async (changed) => {
      await showChanged(queries, changed);
      onClose();
    },
  });
  const errors = toFieldErrors(save.error);
  return (
    <Dialog title={`Change ${name}`} isOpen onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <AddressFields
          target={target}
          authType={authType}
          draft={draft}
          onChange={setDraft}
          errors={errors}
        />
        <Field
          label="Requests a minute"
          type="number"
          hint="Counted across all agents. Empty for no limit."
          value={limit}
          onChange={setLimit}
          error={errors['rateLimit.tokensPerMinute']}
        />
        <Problem error={save.error} />
        <Buttons>
          <Button kind="main" type="submit" isPending={save.isPending} isDisabled={draft.name.trim() === ''}>
            Save
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

type Change = UpdateConnectionData['body'];

/** Returns the fields that differ from those of the connection. */
function toChange(
  connection: Connection,
  { limit, ...address }: ReturnType<typeof toAddress> & { limit: string },
): Change {
  const { name, endpoint, variables = connection.variables } = address;
  const before = connection.rateLimit;
  const tokensPerMinute = Number(limit);
  const limits: Change =
    limit.trim() === ''
      ? before === null
        ? {}
        : { rateLimit: null }
      : tokensPerMinute === before?.tokensPerMinute
        ? {}
        : { rateLimit: { ...before, tokensPerMinute } };
  return {
    ...(name === connection.name ? {} : { name }),
    ...(endpoint === undefined || endpoint === connection.endpoint ? {} : { endpoint }),
    ...(JSON.stringify(variables) === JSON.stringify(connection.variables) ? {} : { variables }),
    ...limits,
  };
}
