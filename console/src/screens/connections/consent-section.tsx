import { useMutation } from '@tanstack/react-query';
import type { Connection } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { askForConsent, openConsentWindow } from '../../live/connect/consent.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Buttons, Section } from '../../ui/section.tsx';

interface ConsentSectionProps {
  connection: Connection;
  /** Whether a person has to consent before it can be used. */
  waits: boolean;
}

/** Says why a connection cannot be used, and leads a person to the page of the consent. */
export function ConsentSection({
  connection: { id, status, statusReason, auth },
  waits,
}: ConsentSectionProps) {
  const canWrite = useMay()('connections:write');
  const ask = useMutation({ mutationFn: (window: Window | null) => askForConsent(id, window) });
  const takesConsent = auth['type'] === 'oauth2_authorization_code' && status !== 'revoked';
  if (status === 'active' && !(takesConsent && canWrite)) return null;
  const isNew = statusReason?.startsWith('It has not been authorized yet') === true;
  return (
    <Section title={status === 'active' ? 'Consent' : 'It cannot be used now'}>
      <p>
        {status === 'active' && 'A person has consented. Consent again for other scopes or another account.'}
        {status !== 'active' &&
          (isNew ? 'A person has to consent at its provider first. This opens a window.' : statusReason)}
      </p>
      <Problem error={ask.error} />
      {takesConsent && canWrite && (
        <Buttons>
          <Button
            kind={waits ? 'main' : 'quiet'}
            isPending={ask.isPending}
            onPress={() => ask.mutate(openConsentWindow())}
          >
            Ask for consent …
          </Button>
        </Buttons>
      )}
    </Section>
  );
}
