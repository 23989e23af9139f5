import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ActDialog } from './act-dialog.tsx';

export interface ConfirmLeaveProps {
  /** True while the form holds something that is not saved. */
  isChanged: boolean;
  /** Query parameter that names what is shown beside the page: another value leaves the form, too. */
  parameter?: string;
}

const valueIn = (search: string, parameter: string | undefined): string | null =>
  parameter === undefined ? null : new URLSearchParams(search).get(parameter);

/** Asks before a changed form is left, by a link or by closing the tab. */
export function ConfirmLeave({ isChanged, parameter }: ConfirmLeaveProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isChanged && (from.pathname !== to.pathname || valueIn(from.search, parameter) !== valueIn(to.search, parameter)),
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
