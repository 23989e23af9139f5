import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { EpssBadge, FixBadge, KevBadge, SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { formatDate } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { headlineOf, type PlaceShape, placeOf } from '../../model/finding-headline.ts';
import { locationOf } from '../../model/finding-text.ts';
import { PACKAGE_USE_LABELS } from '../../model/labels.ts';
import type { FindingAttributes, FindingItem } from '../data/findings.store.ts';
import { PathText } from './path-text.tsx';
import './findings.css';
import './finding-summary.css';

export type PriorityRow = FindingItem;

/** "stdlib: denial of service", then the sentence of the report; or the title alone. */
export function Headline({ finding }: { finding: FindingAttributes }) {
  const { subject, kind, sentence } = headlineOf(finding);
  if (subject === undefined) return <bdi>{sentence}</bdi>;
  return (
    <>
      <bdi>{subject}</bdi>
      {kind === undefined ? sentence !== '' && ':' : `: ${t(kind)}`}
      {sentence !== '' && (
        <span className="ttl-more">
          <bdi>{sentence}</bdi>
        </span>
      )}
    </>
  );
}

/** Id, version and place. */
export function FindingPlace({ finding, ...shape }: { finding: FindingAttributes } & PlaceShape) {
  const { lead, path, position, resource } = placeOf(finding, shape);
  const full = [`${finding.file_path ?? finding.resource ?? locationOf(finding)}${position}`, resource]
    .filter((part) => part !== undefined)
    .join(' · ');
  const before = lead === '' || path === undefined ? lead : `${lead} · `;
  if (path === undefined)
    return (
      <span className="loc trunc" title={full}>
        {before}
      </span>
    );
  return (
    <span className="loc place" title={full}>
      <PathText path={path} before={before} position={position} />
      {resource !== undefined && (
        <span className="path-resource">
          {' · '}
          <bdi>{resource}</bdi>
        </span>
      )}
    </span>
  );
}

interface PriorityListProps {
  rows: readonly PriorityRow[];
}

/** A short list by priority, for the dashboard: number, title, place, signals. */
export function PriorityList({ rows }: PriorityListProps) {
  return (
    <ol className="prio-list">
      {rows.map(({ _id, attributes }) => (
        <li key={_id}>
          <span className="prio tn">
            <PriorityValue value={attributes.priority} />
          </span>
          <SeverityBadge severity={attributes.severity} />
          <span className="prio-what">
            <Link className="ttl trunc" to={`/findings/finding-details/${_id}`} title={attributes.title}>
              <Headline finding={attributes} />
            </Link>
            <FindingPlace finding={attributes} />
          </span>
          <span className="row prio-signals">
            <FindingSignals finding={attributes} />
          </span>
        </li>
      ))}
    </ol>
  );
}

interface FindingSignalsProps {
  finding: Pick<
    FindingAttributes,
    'kev' | 'kev_date_added' | 'estimated_epss' | 'epss_percentile' | 'epss_date' | 'package_use' | 'fixed_version'
  >;
}

type PackageUse = NonNullable<FindingAttributes['package_use']>;

const USE_TEXTS: Readonly<Record<PackageUse, string>> = {
  imported: msg("The application's own code imports the package"),
  transitive: msg('The package comes only with another one: no manifest names it and no source file imports it'),
  not_imported: msg('A manifest names the package, but no source file imports it'),
  unknown: '',
};

/** How the code uses the package; nothing where that is not known. */
function PackageUseBadge({ use }: { use: PackageUse | null }) {
  if (use === null || use === 'unknown') return null;
  return (
    <span className="sig" title={t(USE_TEXTS[use])}>
      {t(PACKAGE_USE_LABELS[use])}
    </span>
  );
}

/** KEV, EPSS, use of the package and Fix, strongest first. */
export function FindingSignals({ finding }: FindingSignalsProps) {
  return (
    <>
      {finding.kev && <KevBadge addedOn={finding.kev_date_added} />}
      {finding.estimated_epss !== null && (
        <EpssBadge probability={finding.estimated_epss} percentile={finding.epss_percentile} date={finding.epss_date} />
      )}
      <PackageUseBadge use={finding.package_use} />
      {finding.fixed_version !== null && <FixBadge version={finding.fixed_version} />}
    </>
  );
}

/** The last day in time (UTC), and whether it is past. */
export function DueDate({ date }: { date: string }) {
  const isOverdue = date < new Date().toISOString().slice(0, 10);
  return (
    <>
      <span className={isOverdue ? 'strong' : undefined}>{formatDate(date)}</span>
      {isOverdue && <span className="muted small"> {t('overdue')}</span>}
    </>
  );
}
