import { Button } from '@blueprintjs/core';
import { BanCircle, CaretUp, Chat, Undo, User } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { MenuPopup } from '../../../platform/ui/popups/menu-popup.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { CONFIRMATION_DONE, VERDICT_DONE, VERDICT_LABELS } from '../../model/labels.ts';
import { VERDICTS, type Verdict } from '../../model/states.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';

interface ActionsProps {
  id: string;
  finding: FindingDetails;
}

/** Verdicts that are asked about first: why, and until when. */
const ASKED: readonly Verdict[] = ['false_positive', 'accepted_risk', 'mitigated_externally', 'duplicate'];

const VerdictMenu = observer(function VerdictMenu({ id, finding }: ActionsProps) {
  const { triage } = useFindingsList();
  const target = { ids: [id] };
  const decide = (verdict: Verdict) => {
    // a duplicate is one of something: the same act as "Same as another finding"
    if (verdict === 'duplicate') triage.ask({ kind: 'join', id });
    else if (ASKED.includes(verdict)) triage.ask({ kind: 'verdict', verdict, target });
    else void triage.change(target, { verdict: { value: verdict } }, VERDICT_DONE[verdict]);
  };
  const items = VERDICTS.map((verdict) => ({
    text: ASKED.includes(verdict) ? `${t(VERDICT_LABELS[verdict])}…` : t(VERDICT_LABELS[verdict]),
    isChosen: finding.verdict === verdict,
    onPick: () => decide(verdict),
  }));
  return (
    // the dialog that a verdict opens takes the focus: giving it back to the button would take it away again
    <MenuPopup label={t('Verdict')} items={items} placement="top-start" returnsFocus={false}>
      <Button text={t('Verdict')} endIcon={<CaretUp />} disabled={triage.isBusy} />
    </MenuPopup>
  );
});

const Deciding = observer(function Deciding({ id, finding }: ActionsProps) {
  const { triage, canAssign } = useFindingsList();
  const target = { ids: [id] };
  return (
    <>
      <Button
        icon={finding.false_positive ? <Undo /> : <BanCircle />}
        text={finding.false_positive ? t('Not a false positive') : t('False positive')}
        title={finding.false_positive ? undefined : t('False positive (f)')}
        disabled={triage.isBusy}
        onClick={() =>
          finding.false_positive
            ? void triage.toggleFalsePositive(id)
            : triage.ask({ kind: 'verdict', verdict: 'false_positive', target })
        }
      />
      <VerdictMenu id={id} finding={finding} />
      {canAssign && (
        <Button
          icon={<User />}
          text={t('Assign')}
          title={t('Assign (a)')}
          disabled={triage.isBusy}
          onClick={() => triage.ask({ kind: 'assign', target })}
        />
      )}
    </>
  );
});

/** What can be done about a finding, or why not. */
export const FindingActions = observer(function FindingActions({ id, finding }: ActionsProps) {
  const { triage, mayDecide, route } = useFindingsList();
  if (route.isReadOnly) return <span className="muted small">{t('Read only: the people of this client decide.')}</span>;
  if (mayDecide) return <Deciding id={id} finding={finding} />;
  return (
    <>
      <Button
        icon={<BanCircle />}
        text={t('False positive')}
        disabled={true}
        title={t('Your role may not decide on false positives')}
      />
      <Button icon={<Chat />} text={t('Propose a verdict')} onClick={() => triage.ask({ kind: 'review', id })} />
      <span className="muted small">{t('An admin or security operator decides on false positives.')}</span>
    </>
  );
});

/** That the verdict was carried over by position alone, and the two words about it. */
export const ConfirmationNote = observer(function ConfirmationNote({ id, finding }: ActionsProps) {
  const { triage, mayDecide } = useFindingsList();
  if (!finding.needs_confirmation) return null;
  const decide = (isConfirmed: boolean) =>
    void triage.change(
      { ids: [id] },
      { verdict_confirmed: isConfirmed },
      isConfirmed ? CONFIRMATION_DONE.confirmed : CONFIRMATION_DONE.takenBack,
    );
  return (
    <div className="review-note" role="note">
      <span className="note-text">
        <span className="strong">
          {t('Please confirm: {verdict}.', { verdict: t(VERDICT_LABELS[finding.verdict]) })}
        </span>{' '}
        <span className="t2">{t('The report shows no code, so the verdict was carried over by position alone.')}</span>
      </span>
      {mayDecide && (
        <span className="row">
          <Button size="small" text={t('Confirm')} disabled={triage.isBusy} onClick={() => decide(true)} />
          <Button
            size="small"
            variant="minimal"
            text={t('Take back')}
            disabled={triage.isBusy}
            onClick={() => decide(false)}
          />
        </span>
      )}
    </div>
  );
});

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
  const name = finding.people.find((person) => person._id === by)?.username ?? t('Somebody who left');
  const isOwn = user?._id === by;
  return (
    <div className="review-note" role="note">
      <span>
        <Words
          of={verdict === null ? msg('{name} asks for a decision') : msg('{name} proposes: {verdict}')}
          name={<span className="strong">{name}</span>}
          verdict={verdict !== null && t(VERDICT_LABELS[verdict])}
        />
        {reason !== null && <span className="t2">, “{reason}”</span>}
      </span>
      <span className="grow" />
      {mayDecide && verdict !== null && (
        <Button
          size="small"
          text={t('Accept')}
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
          text={isOwn ? t('Withdraw') : t('Decline')}
          onClick={() => void triage.endReview(id)}
        />
      )}
    </div>
  );
});
