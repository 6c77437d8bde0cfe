import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Problem } from './problem.tsx';
import { Buttons, Form } from './section.tsx';
import { SecretOnce } from './secret-once.tsx';

/** How a secret is replaced: by a given one, or by one that is made. */
export interface SecretChange {
  secret?: string;
  /** How long the old secret counts, in milliseconds. */
  overlapMs: number;
}

interface RotateSecretProps {
  /** The text of the button. @default 'Rotate the secret …' */
  children?: string;
  /** Said above the fields. */
  text: string;
  /** Replaces the secret, and returns the one that was made, or null when it was given. */
  rotate: (change: SecretChange) => Promise<string | null>;
}

/** Replaces a secret, and shows the one that was made once. */
export function RotateSecret({ children = 'Rotate the secret …', text, rotate }: RotateSecretProps) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const close = (secret: string | null) => {
    setOpen(false);
    setMade(secret);
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{children}</Button>
      <Dialog title="Rotate the secret" isOpen={isOpen} onClose={() => setOpen(false)}>
        <RotateForm text={text} rotate={rotate} onDone={close} />
      </Dialog>
      <SecretOnce secret={made} onClose={() => setMade(null)} />
    </>
  );
}

interface RotateFormProps extends Pick<RotateSecretProps, 'text' | 'rotate'> {
  onDone: (made: string | null) => void;
}

function RotateForm({ text, rotate, onDone }: RotateFormProps) {
  const [secret, setSecret] = useState('');
  const [hours, setHours] = useState('24');
  const save = useMutation({
    mutationFn: () => {
      const given = secret.trim();
      const overlapMs = Math.round(Number(hours) * 3_600_000);
      return rotate({ ...(given === '' ? {} : { secret: given }), overlapMs });
    },
    onSuccess: onDone,
  });
  return (
    <Form onSubmit={() => save.mutate()}>
      <p>{text}</p>
      <Field
        label="New secret"
        type="password"
        autoComplete="off"
        hint="Empty for one that is made."
        value={secret}
        onChange={setSecret}
      />
      <Field label="Hours for which the old one counts" value={hours} onChange={setHours} />
      <Problem error={save.error} />
      <Buttons>
        <Button
          kind="main"
          type="submit"
          isPending={save.isPending}
          isDisabled={hours.trim() === '' || !(Number(hours) >= 0)}
        >
          Rotate
        </Button>
      </Buttons>
    </Form>
  );
}
