import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast, toFieldErrors } from '../../api/client.ts';
import type { CreateConnectionData } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Form } from '../../ui/section.tsx';
import { AddressFields, toAddress, type AddressDraft } from './address-fields.tsx';
import { AuthFields } from './auth-fields.tsx';
import { isComplete, noAuth, toAuth, toDraft } from './auth-offers.ts';
import styles from './connect.module.css';
import { askForConsent, closeConsentWindow, openConsentWindow } from './consent.ts';
import type { Target } from './targets.ts';

interface NewConnectionFormProps {
  target: Target;
  /** Called when the connection is created; one that needs consent waits for the window that was opened for it. */
  onCreated: (created: CreatedConnection) => void;
}

/** A connection that was created. */
export interface CreatedConnection {
  id: string;
  needsConsent: boolean;
}

/** The fields of a new connection to a target. */
export function NewConnectionForm({ target, onCreated }: NewConnectionFormProps) {
  const [address, setAddress] = useState<AddressDraft>({ name: target.title, endpoint: '', variables: {} });
  const [auth, setAuth] = useState(() => toDraft(target.offers[0] ?? noAuth));
  const create = useCreation(onCreated);
  const needsConsent = auth.type === 'oauth2_authorization_code';
  const errors = toFieldErrors(create.error);
  const isReady =
    address.name.trim() !== '' &&
    (target.endpoint !== 'required' || address.endpoint.trim() !== '') &&
    isComplete(auth, target.offers);
  const submit = () =>
    create.mutate({
      body: {
        ...toAddress(address, { target, authType: auth.type }),
        ...{ provider: target.provider, auth: toAuth(auth) },
      },
      needsConsent,
      // Before anything is awaited: the browser blocks it later.
      window: needsConsent ? openConsentWindow() : null,
    });
  if (create.data) return <CreatedWithoutConsent created={create.data} />;
  return (
    <Form onSubmit={submit}>
      <AddressFields
        target={target}
        authType={auth.type}
        draft={address}
        onChange={setAddress}
        errors={errors}
      />
      <AuthFields offers={target.offers} draft={auth} onChange={setAuth} errors={errors} />
      {target.hint !== null && <p className={styles.quiet}>{target.hint}</p>}
      <Problem error={create.error} />
      <Buttons>
        <Button kind="main" type="submit" isPending={create.isPending} isDisabled={!isReady}>
          {needsConsent ? 'Create and ask for consent …' : 'Create'}
        </Button>
      </Buttons>
    </Form>
  );
}

interface Creation {
  body: CreateConnectionData['body'];
  needsConsent: boolean;
  /** The window for the consent; null where there is none. */
  window: Window | null;
}

interface Created {
  id: string;
  /** Why the consent could not begin; null when it has begun or is not needed. */
  problem: unknown;
}

function useCreation(onCreated: NewConnectionFormProps['onCreated']) {
  const queries = useQueryClient();
  return useMutation({
    // The secrets are not kept.
    gcTime: 0,
    mutationFn: async ({ body, needsConsent, window }: Creation): Promise<Created> => {
      const { id } = await holdfast.connections.create(body).catch((error: unknown) => {
        closeConsentWindow();
        throw error;
      });
      if (!needsConsent) return { id, problem: null };
      return askForConsent(id, window).then(
        () => ({ id, problem: null }),
        (problem: unknown) => ({ id, problem }),
      );
    },
    onSuccess: ({ id, problem }, { needsConsent }) => {
      void queries.invalidateQueries({ queryKey: ['connections'] });
      if (problem === null) onCreated({ id, needsConsent });
    },
  });
}

function CreatedWithoutConsent({ created: { id, problem } }: { created: Created }) {
  if (problem === null) return null;
  return (
    <>
      <Problem error={problem} />
      <p>
        The connection was created, and waits for consent.{' '}
        <Link to="/connections/$connectionId" params={{ connectionId: id }}>
          Open it
        </Link>
      </p>
    </>
  );
}
