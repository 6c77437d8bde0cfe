import { lazy, Suspense, type ReactNode } from 'react';

const ModalDialog = lazy(() => import('./modal-dialog.tsx'));

/** What a dialog shows. */
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

/** A window over the page, which keeps the focus until it is closed. It is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ModalDialog {...props} />
    </Suspense>
  );
}
