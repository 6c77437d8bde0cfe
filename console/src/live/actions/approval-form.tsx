import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import styles from './actions.module.css';
import type { AskedAction } from './asked-action.ts';
import { ChangeForm } from './change-form.tsx';
import { RejectForm } from './reject-form.tsx';
import { RememberForm } from './remember-form.tsx';
import type { Deciding } from './use-decide.ts';

interface ApprovalFormProps {
  action: AskedAction;
  deciding: Deciding;
  /** Whether the keys a, c and r decide. @default false */
  hasKeys?: boolean;
}

type OpenForm = 'change' | 'reject' | 'remember' | null;

/** Approves a call as it is, with other arguments or for later calls too, or rejects it. */
export function ApprovalForm({ action, deciding, hasKeys = false }: ApprovalFormProps) {
  const place = useRef<HTMLDivElement>(null);
  const [{ form, isByKey }, setOpen] = useState<{ form: OpenForm; isByKey: boolean }>(closed);
  const toggle = (next: OpenForm) => setOpen({ form: form === next ? null : next, isByKey: false });
  const decide = deciding.mutate;
  const approve = () => decide({ decision: 'approve' });
  const byKey = (run: () => void) => () => {
    // On a narrow page the list may stand in place of the call: nobody decides about what they do not see.
    if (deciding.isPending || place.current?.checkVisibility() !== true) return false;
    run();
    return true;
  };
  const open = (next: OpenForm) => byKey(() => setOpen({ form: next, isByKey: true }));
  useShortcuts({ a: byKey(approve), c: open('change'), r: open('reject') }, { isOn: hasKeys });
  const toShortcut = (key: string) => (hasKeys ? { shortcut: key } : {});
  return (
    <>
      <div ref={place} className={styles.buttons}>
        <Button kind="main" isPending={deciding.isPending} onPress={approve} {...toShortcut('a')}>
          Approve
        </Button>
        <Button onPress={() => toggle('change')} {...toShortcut('c')}>
          Change …
        </Button>
        <Button kind="bad" onPress={() => toggle('reject')} {...toShortcut('r')}>
          Reject …
        </Button>
        {action.canRemember && <Button onPress={() => toggle('remember')}>Remember …</Button>}
      </div>
      {form !== null && (
        <OpenedForm key={form} takesFocus={isByKey} onClose={() => setOpen(closed)}>
          {form === 'change' && <ChangeForm action={action} deciding={deciding} />}
          {form === 'reject' && <RejectForm deciding={deciding} />}
          {form === 'remember' && <RememberForm action={action} deciding={deciding} />}
        </OpenedForm>
      )}
    </>
  );
}

const closed = { form: null, isByKey: false };

interface OpenedFormProps {
  takesFocus: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form that Escape closes, and whose first field takes the focus when a key has opened it. */
function OpenedForm({ takesFocus, onClose, children }: OpenedFormProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLElement>('textarea, input')?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={place}
      className={styles.opened}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      {children}
    </div>
  );
}
