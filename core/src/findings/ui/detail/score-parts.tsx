import { Spinner } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatThousandths } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { loadAskExposure } from '../../../repositories/ui/index.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { getFinding } from '../../api/routes.ts';
import { sumOfPoints } from '../../model/priority-parts.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { useFindingsApi } from '../triage/findings-context.ts';
import { reasonText, tieReasonText } from './score-reason.ts';

type Part = FindingDetails['priority_parts'][number];

const PART_LABELS: Record<string, string> = {
  severity: msg('Severity'),
  known_exploited: msg('Known exploited'),
  epss: 'EPSS',
  exploitability: msg('Ease of exploitation'),
  data: msg('Sensitive data in reach'),
  compliance: msg('Compliance'),
  floor: msg('Raised to the floor'),
  tie_break: msg('Between equals'),
};

/** Shades in the order of the parts that give points: neighbours in the bar always differ. */
const shadesOf = (parts: readonly Part[]): (string | undefined)[] => {
  let given = 0;
  return parts.map((part) => {
    if (part.points === 0) return undefined;
    given += 1;
    return `v${((given - 1) % 5) + 1}`;
  });
};

export const sumOfParts = (parts: readonly Part[]): number => sumOfPoints(parts.map(({ points }) => points));

interface ScorePartsProps {
  priority: number;
  parts: readonly Part[];
  /** Whose exposure and data class count; none where its page may not be opened. */
  repositoryId?: string | undefined;
}

const LazyAsk = lazy(async () => ({ default: await loadAskExposure() }));

/** What a repository says of exposure and data. Where it says nothing it is asked for here; else the way to the page that sets them. */
function DataReason({ reason, repositoryId }: { reason: string; repositoryId: string | undefined }) {
  const role = useService(SESSION).user?.role;
  const [isAsking, setAsking] = useState(false);
  if (repositoryId === undefined || !can(role, 'repositories.read')) return <>{reasonText(reason)}</>;
  if (!reason.includes('not set') || !can(role, 'repositories.write')) {
    return (
      <>
        {reasonText(reason)} <Link to={`/Repositories/${repositoryId}#settings`}>{t('See the repository')}</Link>
      </>
    );
  }
  return isAsking ? (
    <Suspense fallback={reasonText(reason)}>
      <LazyAsk repositoryId={repositoryId} />
    </Suspense>
  ) : (
    <>
      {reasonText(reason)}{' '}
      <button type="button" className="link" onClick={() => setAsking(true)}>
        {t('Set them')}
      </button>
    </>
  );
}

function PartReason({ part: { key, reason }, repositoryId }: { part: Part; repositoryId: string | undefined }) {
  if (key === 'data') return <DataReason reason={reason} repositoryId={repositoryId} />;
  return <>{key === 'tie_break' ? tieReasonText(reason) : reasonText(reason)}</>;
}

/** "Why this score": one bar of 100 units, one line a part, and the sentence that they add up. */
export function ScoreParts({ priority, parts, repositoryId }: ScorePartsProps) {
  const total = sumOfParts(parts);
  const shades = shadesOf(parts);
  return (
    <div className="score">
      <div className="scorebar" aria-hidden="true">
        {parts.map((part, index) =>
          shades[index] === undefined ? null : (
            <i key={part.key} className={shades[index]} style={{ flexBasis: `${part.points}%` }} />
          ),
        )}
        <i className="rest" />
      </div>
      <ul className="parts">
        {parts.map((part, index) => (
          <li key={part.key}>
            <i className={shades[index] ?? 'hollow'} aria-hidden="true" />
            <span className="part-name">
              {t(PART_LABELS[part.key] ?? part.key)}
              {part.reason !== '' && (
                <span className="muted small">
                  <PartReason part={part} repositoryId={repositoryId} />
                </span>
              )}
            </span>
            <span className="num">
              {formatThousandths(part.points)}{' '}
              <span className="muted">{t('of {points}', { points: String(part.of) })}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="small muted score-sum">
        {total === priority
          ? t('The parts add up to {sum}.', { sum: formatThousandths(priority) })
          : t('The parts add up to {sum}; the priority is kept at {priority}.', {
              sum: formatThousandths(total),
              priority: formatThousandths(priority),
            })}
      </p>
      <ScoreWeights />
    </div>
  );
}

/** What the second number of each part is, with the way to the settings for those who may see them. */
const ScoreWeights = observer(function ScoreWeights() {
  const role = useService(SESSION).user?.role;
  return (
    <p className="small muted">
      {t('“of” is what a part can give under the weights of your organisation.')}{' '}
      {can(role, 'settings.read') && (
        <Link to="/settings/prioritisation">
          {can(role, 'settings.write') ? t('Change the weights') : t('See the weights')}
        </Link>
      )}
    </p>
  );
});

export interface ScoreContentProps {
  id: string;
  priority: number;
}

/** The parts of a priority, read when they are asked for. */
export function ScoreContent({ id, priority }: ScoreContentProps) {
  const api = useFindingsApi();
  const [finding, setFinding] = useState<FindingDetails>();
  const [messages, setMessages] = useState<string[]>();
  useEffect(() => {
    const abort = new AbortController();
    api.call(getFinding, { params: { id }, signal: abort.signal }).then(
      ({ data }) => setFinding(data.attributes),
      (error: unknown) => {
        if (!isAbort(error)) setMessages(messagesOf(error));
      },
    );
    return () => abort.abort();
  }, [api, id]);
  return (
    <div className="score-pop">
      <div className="row">
        <span className="strong grow">{t('Why this score')}</span>
        <span className="tn score-figure">
          <PriorityValue value={priority} />
        </span>
      </div>
      {finding !== undefined && (
        <ScoreParts priority={priority} parts={finding.priority_parts} repositoryId={finding.repository_id} />
      )}
      {finding === undefined && messages === undefined && (
        <Spinner size={16} aria-label={t('The parts are being read')} />
      )}
      {messages !== undefined && <p role="alert">{messages.join(' ')}</p>}
    </div>
  );
}
