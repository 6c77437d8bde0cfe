import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Asks before a view with unsaved changes is left; before the whole page is closed, the browser asks. */
export function UnsavedChanges({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave without saving?"
      isOpen
      onClose={blocker.reset}
      actions={
        <>
          <Button onPress={blocker.reset}>Stay here</Button>
          <Button kind="bad" onPress={blocker.proceed}>
            Discard and leave
          </Button>
        </>
      }
    >
      <p>Your changes are not saved.</p>
    </Dialog>
  );
}
