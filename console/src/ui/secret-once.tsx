import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

interface SecretOnceProps {
  /** Null shows nothing. */
  secret: string | null;
  onClose: () => void;
}

/** Shows a secret that cannot be read again. */
export function SecretOnce({ secret, onClose }: SecretOnceProps) {
  return (
    <Dialog
      title="The secret is shown once"
      isOpen={secret !== null}
      onClose={onClose}
      actions={
        <>
          <Copy text={secret ?? ''} />
          <Button kind="main" onPress={onClose}>
            I have it
          </Button>
        </>
      }
    >
      <p>Keep it where the other side reads it. It cannot be read again.</p>
      <Field label="Secret" isCode isReadOnly value={secret ?? ''} onChange={() => undefined} />
    </Dialog>
  );
}
