import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

/** The properties of a dialog; its contents are its children. */
export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The buttons at its end. */
  actions?: ReactNode;
  /** Whether it is wide enough for lists. @default false */
  isWide?: boolean;
}

function ModalDialog({ title, onClose, children, actions, isWide = false }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen
      isDismissable
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Modal className={styles.modal ?? ''} data-wide={isWide}>
        <AriaDialog className={styles.dialog ?? ''}>
          <header className={styles.head}>
            <Heading slot="title" level={2} className={styles.title ?? ''}>
              {title}
            </Heading>
            <Button kind="plain" onPress={onClose}>
              Close
            </Button>
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

// React loads a component by the default export of its module.
// eslint-disable-next-line no-restricted-syntax
export default ModalDialog;
