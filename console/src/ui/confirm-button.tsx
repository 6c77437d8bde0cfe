import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmButtonProps {
  /** The text of the button, such as `Delete`. */
  children: string;
  title: string;
  /** The consequences. */
  text: ReactNode;
  onConfirm: () => void;
  isPending?: boolean;
}

/** A button for what cannot be undone: it asks before it acts. */
export function ConfirmButton({ children, title, text, onConfirm, isPending = false }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <>
      <Button kind="bad" isPending={isPending} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>Keep it</Button>
            <Button kind="bad" onPress={confirm}>
              {children}
            </Button>
          </>
        }
      >
        <p>{text}</p>
      </Dialog>
    </>
  );
}
