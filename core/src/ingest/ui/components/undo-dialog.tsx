import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { messagesOf } from '../../../platform/ui/api-error.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { TOASTS } from '../../../platform/ui/toasts.store.ts';
import type { ScanHistoryStore, ScanRow } from '../scan-history.store.ts';

export interface UndoDialogProps {
  store: ScanHistoryStore;
  scan: ScanRow | undefined;
  onClose: () => void;
}

/** Says what goes and what comes back before an import is taken back. The server's refusal stays to be read. */
export const UndoDialog = observer(function UndoDialog({ store, scan, onClose }: UndoDialogProps) {
  const toasts = useService(TOASTS);
  const [refusal, setRefusal] = useState<string>();
  const refusalElement = useRef<HTMLParagraphElement>(null);
  const tool = scan === undefined ? '' : store.toolTitle(scan.attributes.tool);
  // the button that was pressed is off while the server answers and loses the focus; without it Escape would not close
  useEffect(() => {
    if (refusal !== undefined) refusalElement.current?.focus();
  }, [refusal]);
  const close = () => {
    setRefusal(undefined);
    onClose();
  };
  const undo = async () => {
    if (scan === undefined) return;
    setRefusal(undefined);
    try {
      await store.undo(scan._id);
      toasts.show(`The ${tool} import is being undone`, { tone: 'done' });
      close();
    } catch (error) {
      setRefusal(messagesOf(error).join(' '));
    }
  };
  return (
    <ActDialog
      isOpen={scan !== undefined}
      title={`Undo the ${tool} import`}
      consequence="The findings that it brought go, those that it closed are open again, and what it changed is as the report before says. Verdicts and notes on older findings stay. Only the newest import of a tool and target can be undone."
      actLabel="Undo import"
      isDestructive
      isBusy={store.isUndoing}
      onAct={() => void undo()}
      onClose={close}
    >
      {refusal !== undefined && (
        <p className="err" role="alert" tabIndex={-1} ref={refusalElement}>
          {refusal}
        </p>
      )}
    </ActDialog>
  );
});
