import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';

const storageKey = 'holdfast-approval-keys';

/** Whether keys move through the list and decide, which the browser keeps, and the function that sets it. */
export function useKeys(): [hasKeys: boolean, setKeys: (hasKeys: boolean) => void] {
  const [hasKeys, setKeys] = useState(() => localStorage.getItem(storageKey) !== 'off');
  const set = (next: boolean) => {
    localStorage.setItem(storageKey, next ? 'on' : 'off');
    setKeys(next);
  };
  return [hasKeys, set];
}

const keys = [
  ['j or ↓', 'the next one'],
  ['k or ↑', 'the one before'],
  ['Enter', 'go to the details'],
  ['a', 'approve'],
  ['c', 'change the arguments, then approve'],
  ['r', 'reject with a reason'],
  ['Esc', 'close a form'],
  ['?', 'show these keys'],
] as const;

interface KeysButtonProps {
  hasKeys: boolean;
  onChange: (hasKeys: boolean) => void;
}

/** Lists the keys of the screen, and turns them off for those whom single keys disturb. */
export function KeysButton({ hasKeys, onChange }: KeysButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ '?': () => setOpen(true) }, { isOn: hasKeys });
  return (
    <>
      <Button onPress={() => setOpen(true)} {...(hasKeys ? { shortcut: '?' } : {})}>
        Keys
      </Button>
      <Dialog title="Keys" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts facts={keys.map(([key, text]) => [key, text])} />
        <Checkbox
          label="Use these keys"
          hint="They do nothing while a field has the focus."
          isChecked={hasKeys}
          onChange={onChange}
        />
      </Dialog>
    </>
  );
}
