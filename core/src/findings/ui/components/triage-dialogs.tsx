import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { DialogBox } from '../../../platform/ui/dialog-box.tsx';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { useFindingsList } from '../findings-context.ts';
import { countOf } from '../triage.store.ts';
import { VERDICT_DONE } from '../words.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { VerdictDialog } from './verdict-dialog.tsx';

const RefusedDialog = observer(function RefusedDialog({ onClose }: { onClose: () => void }) {
  const { triage, hrefOf } = useFindingsList();
  const { outcome } = triage;
  if (outcome === undefined) return null;
  return (
    <DialogBox
      className="dialog"
      isOpen={true}
      onClose={onClose}
      title={`${formatNumber(outcome.refusedCount)} refused`}
    >
      <ul className="refused">
        {outcome.refused.map(({ _id, why }) => (
          <li key={_id}>
            <Link to={hrefOf(_id)} onClick={onClose}>
              {_id.slice(-12)}
            </Link>
            <span className="t2">{why}</span>
          </li>
        ))}
      </ul>
    </DialogBox>
  );
});

/** The one dialog that is asked for, whoever asked: a key, the bulk bar, the panel or the palette. */
export const TriageDialogs = observer(function TriageDialogs() {
  const { triage, mayDecide, place } = useFindingsList();
  const { asking } = triage;
  const close = () => triage.ask(undefined);
  switch (asking?.kind) {
    case undefined:
      return null;
    case 'verdict':
      return (
        <VerdictDialog
          verdict={asking.verdict}
          count={countOf(asking.target)}
          onClose={close}
          onDecide={(verdict) => {
            close();
            void triage.change(asking.target, { verdict }, VERDICT_DONE[asking.verdict]);
          }}
        />
      );
    case 'assign':
      return (
        <AssignDialog
          count={countOf(asking.target)}
          onClose={close}
          onAssign={(developers) => {
            close();
            void triage.assign(asking.target, developers);
          }}
        />
      );
    case 'review':
      return (
        <ReviewDialog
          onClose={close}
          onAsk={(verdict, reason) => {
            close();
            void triage.review(asking.id, verdict, reason);
          }}
        />
      );
    case 'refused':
      return <RefusedDialog onClose={close} />;
    case 'keys':
      return <KeysDialog mayDecide={mayDecide} isReadOnly={place.isReadOnly} onClose={close} />;
  }
});
