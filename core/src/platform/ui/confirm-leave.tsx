import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ActDialog } from './act-dialog.tsx';

export interface ConfirmLeaveProps {
  /** True while the form holds something that is not saved. */
  isChanged: boolean;
}

/** Asks before a changed form is left, by a link or by closing the tab. */
export function ConfirmLeave({ isChanged }: ConfirmLeaveProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isChanged) return undefined;
    const handleBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [isChanged]);
  return (
    <ActDialog
      isOpen={blocker.state === 'blocked'}
      title="Leave without saving"
      consequence="What you changed here is not saved and will be lost."
      actLabel="Leave without saving"
      isDestructive={true}
      onAct={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}
