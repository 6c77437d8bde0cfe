import { lazy, Suspense } from 'react';
import type { DialogProps } from './modal-dialog.tsx';

const ModalDialog = lazy(() => import('./modal-dialog.tsx'));

/** A window over the page, which keeps the focus until it is closed. It is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  if (!props.isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ModalDialog {...props} />
    </Suspense>
  );
}
