import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useService } from '../../../platform/ui/services.tsx';
import { SESSION } from '../../../shell/ui/session-port.ts';
import type { FindingDetails } from '../finding-detail.store.ts';
import { useFindingsList } from '../findings-context.ts';
import { VERDICT_DONE, VERDICT_WORDS } from '../words.ts';

interface ReviewNoteProps {
  id: string;
  finding: FindingDetails;
}

/** That somebody waits for a decision about this finding, and what they propose. */
export const ReviewNote = observer(function ReviewNote({ id, finding }: ReviewNoteProps) {
  const { triage, mayDecide } = useFindingsList();
  const { user } = useService(SESSION);
  const { review_requested_by_id: by, proposed_verdict: verdict, proposed_reason: reason } = finding;
  if (by === null) return null;
  const name = finding.people.find((person) => person._id === by)?.username ?? 'Somebody who left';
  const isOwn = user?._id === by;
  return (
    <div className="review-note" role="note">
      <span>
        <span className="strong">{name}</span>{' '}
        {verdict === null ? 'asks for a decision' : `proposes: ${VERDICT_WORDS[verdict]}`}
        {reason !== null && <span className="t2">, “{reason}”</span>}
      </span>
      <span className="grow" />
      {mayDecide && verdict !== null && (
        <Button
          size="small"
          text="Accept"
          disabled={triage.isBusy}
          onClick={() =>
            verdict === 'accepted_risk' && reason === null
              ? triage.ask({ kind: 'verdict', verdict, target: { ids: [id] } })
              : void triage.change(
                  { ids: [id] },
                  { verdict: { value: verdict, ...(reason === null ? {} : { reason }) } },
                  VERDICT_DONE[verdict],
                )
          }
        />
      )}
      {(mayDecide || isOwn) && (
        <Button
          size="small"
          variant="minimal"
          text={isOwn ? 'Withdraw' : 'Decline'}
          onClick={() => void triage.endReview(id)}
        />
      )}
    </div>
  );
});
