import { Button, Callout, Spinner, SpinnerSize, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { ASSESSED_LABELS, type AssessmentPanelProps } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { Time } from '../../../platform/ui/display/badges.tsx';
import { formatCost, formatPercent } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { ASSESSMENT_CHANGED, ASSESSMENT_PROGRESS } from '../remediation-events.ts';
import { AssessmentStore, type AssessmentView } from './assessment.store.ts';
import './assessment-panel.css';

/** Read again whenever anybody asks or dismisses. */
const useAssessment = (id: string): AssessmentStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new AssessmentStore(api, id));
  useEffect(() => {
    void store.load();
    const stops = [
      events.on(ASSESSMENT_CHANGED, ({ finding_id }) => {
        if (finding_id === id && store.step === undefined) void store.load();
      }),
      events.on(ASSESSMENT_PROGRESS, ({ finding_id, characters }) => {
        if (finding_id === id) store.setProgress(characters);
      }),
      events.onReconnect(() => void store.load()),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events, id]);
  return store;
};

const linesOf = ({ line, end_line: end }: AssessmentView['reasons'][number]): string =>
  line === end
    ? t('Line {line}', { line: String(line) })
    : t('Lines {first}–{last}', { first: String(line), last: String(end) });

/** So long may the reason of a verdict be. */
const MAX_REASON = 2000;

/** The reasons as the text of a verdict, which says where they come from. */
const reasonText = ({ ai, confidence, file_path: path, reasons }: AssessmentView): string =>
  [
    `Proposed by ${ai.model} (${confidence} % sure):`,
    ...reasons.map(
      (reason) =>
        `${path}:${reason.line === reason.end_line ? reason.line : `${reason.line}-${reason.end_line}`}: ${reason.text}`,
    ),
  ]
    .join('\n')
    .slice(0, MAX_REASON);

/** Who made it, when, and what it took. */
function Origin({ assessment }: { assessment: AssessmentView }) {
  const { ai, created_at: at, created_by: by } = assessment;
  const tokens = ai.input_tokens + ai.output_tokens;
  const cost = ai.cost_usd === null ? '' : ` · ${formatCost(ai.cost_usd)}`;
  return (
    <p className="muted small">
      {ai.model} · {plural(tokens, '{count} token', '{count} tokens')}
      {cost} ·{' '}
      {by === null ? <Time value={at} /> : <Words of="asked by {name} {time}" name={by} time={<Time value={at} />} />}
    </p>
  );
}

function Proposal({ assessment }: { assessment: AssessmentView }) {
  const { verdict, confidence, reasons, file_path: path, is_stale: isStale } = assessment;
  return (
    <>
      <p className="row wrap">
        <Tag minimal>{t('AI')}</Tag> <span className="strong">{t(ASSESSED_LABELS[verdict])}</span>
        <span className="t2 tn">{t('{percent} sure', { percent: formatPercent(confidence) })}</span>
      </p>
      {isStale === true && (
        <Callout intent="warning" compact={true}>
          {t('The file has changed since. Ask again before you rely on it.')}
        </Callout>
      )}
      <ol className="reasons" aria-label={t('Reasons')}>
        {reasons.map((reason) => (
          <li key={`${reason.line} ${reason.text}`}>
            <span className="loc" title={path}>
              {linesOf(reason)}
            </span>
            <span>{reason.text}</span>
          </li>
        ))}
      </ol>
      <Origin assessment={assessment} />
    </>
  );
}

const Running = observer(function Running({ store, mayDecide }: { store: AssessmentStore; mayDecide: boolean }) {
  const { characters } = store;
  return (
    <div className="row wrap" role="status">
      <Spinner size={SpinnerSize.SMALL} aria-label={t('The model is at work')} />
      <span>
        {characters === 0
          ? t('The model is looking at the code…')
          : plural(
              characters,
              'The model is looking at the code: {count} character so far.',
              'The model is looking at the code: {count} characters so far.',
            )}
      </span>
      {mayDecide && <Button variant="minimal" text={t('Cancel')} onClick={() => void store.cancel()} />}
    </div>
  );
});

interface ActionsProps extends AssessmentPanelProps {
  store: AssessmentStore;
}

const Actions = observer(function Actions({ store, verdict, onAccept }: ActionsProps) {
  const { now, step } = store;
  const assessment = now?.assessment ?? null;
  const isAvailable = now?.availability === 'available';
  const isOpen = assessment?.state === 'proposed';
  const proposed = assessment?.verdict ?? 'uncertain';
  return (
    <>
      <div className="buttons">
        {assessment !== null && isOpen && proposed !== 'uncertain' && proposed !== verdict && (
          <Button
            text={proposed === 'valid' ? t('Accept as valid…') : t('Accept as false positive…')}
            onClick={() => onAccept(proposed, reasonText(assessment))}
          />
        )}
        {isOpen && (
          <Button
            variant="minimal"
            text={t('Dismiss')}
            loading={step === 'dismiss'}
            disabled={step !== undefined}
            onClick={() => void store.dismiss()}
          />
        )}
        <Button
          variant={assessment === null ? 'outlined' : 'minimal'}
          text={assessment === null ? t('Ask AI whether it is a false positive') : t('Ask again')}
          disabled={!isAvailable || step !== undefined}
          onClick={() => void store.ask()}
        />
      </div>
      {!isAvailable && now !== undefined && now.unavailable_because !== null && (
        <p className="muted small">{t(now.unavailable_because)}</p>
      )}
      {assessment === null && isAvailable && (
        <p className="muted small">
          {t('The code of the file is sent to the model. It proposes; the finding stays as it is.')}
        </p>
      )}
    </>
  );
});

/** Whether a model takes a finding for a false positive, and why; nothing where the organisation did not switch it on. */
export const AssessmentPanel = observer(function AssessmentPanel(props: AssessmentPanelProps) {
  const { id, mayDecide } = props;
  const store = useAssessment(id);
  const { now, problems, isRunning } = store;
  const isEmpty = now === undefined || now.availability === 'off' || (now.assessment === null && !mayDecide);
  if (isEmpty) return null;
  const { assessment } = now;
  return (
    <section className="sec assessment" aria-label={t('AI assessment')}>
      <h3>{t('Is it a false positive?')}</h3>
      {problems.map((problem) => (
        <Callout key={problem} intent="danger" role="alert" compact={true}>
          {problem}
        </Callout>
      ))}
      {assessment?.state === 'proposed' && <Proposal assessment={assessment} />}
      {assessment?.state === 'dismissed' && (
        <p className="t2">
          {assessment.decided_by === null
            ? t('The proposal of {model} was dismissed.', { model: assessment.ai.model })
            : t('The proposal of {model} was dismissed by {name}.', {
                model: assessment.ai.model,
                name: assessment.decided_by,
              })}
        </p>
      )}
      {isRunning ? <Running store={store} mayDecide={mayDecide} /> : mayDecide && <Actions {...props} store={store} />}
    </section>
  );
});
