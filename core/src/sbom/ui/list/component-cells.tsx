import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { LICENSE_CLASS_LABELS } from '../../model/license-classes.ts';
import type { ComponentSort } from './component-view.ts';
import { type ComponentItem, directText, fullName, licenseText } from './components.store.ts';
import { dayText, NewestVersion, newestText, ReleaseAge } from './release-texts.tsx';

export const componentHref = (id: string): string => `/sbom-findings/${encodeURIComponent(id)}`;

/** How many open findings are reported for its version and how bad the worst is; those of other versions stand apart. */
export function ComponentRisk({
  attributes,
}: {
  attributes: Pick<ComponentItem['attributes'], 'findings' | 'worst_severity' | 'other_findings'>;
}) {
  const { other_findings: others } = attributes;
  return (
    <span className="row component-risk">
      {attributes.worst_severity !== null && <SeverityBadge severity={attributes.worst_severity} />}
      <span className={attributes.findings === 0 ? 'muted tn' : 'tn'}>{formatNumber(attributes.findings)}</span>
      {others > 0 && (
        <span
          className="muted small tn"
          title={plural(others, '{count} is reported for another version', '{count} are reported for another version')}
        >
          {t('+{count} elsewhere', { count: others })}
        </span>
      )}
    </span>
  );
}

export interface ComponentColumn {
  key: string;
  label: string;
  /** Share of the free width, or px when over 20. */
  weight: number;
  sortField?: ComponentSort;
  cell: (item: ComponentItem) => ReactNode;
  text: (item: ComponentItem) => string;
}

const LOOKUP_COLUMNS: readonly ComponentColumn[] = [
  {
    key: 'released',
    label: msg('Released'),
    weight: 120,
    sortField: 'released_on',
    cell: ({ attributes }) => <ReleaseAge day={attributes.published?.released_on ?? null} />,
    text: ({ attributes }) => dayText(attributes.published?.released_on ?? null),
  },
  {
    key: 'newest',
    label: msg('Newest version'),
    weight: 125,
    cell: ({ attributes }) => <NewestVersion attributes={attributes} />,
    text: ({ attributes }) => newestText(attributes),
  },
];

const COLUMNS: readonly ComponentColumn[] = [
  {
    key: 'name',
    label: msg('Component'),
    weight: 4,
    sortField: 'name',
    cell: (item) => (
      <Link className="ttl trunc" to={componentHref(item._id)}>
        {fullName(item.attributes)}
      </Link>
    ),
    text: ({ attributes }) => fullName(attributes),
  },
  {
    key: 'version',
    label: msg('Version'),
    weight: 110,
    cell: ({ attributes }) => <span className="mono">{attributes.version}</span>,
    text: ({ attributes }) => attributes.version ?? '',
  },
  {
    key: 'findings',
    label: msg('Findings'),
    weight: 150,
    sortField: 'findings',
    cell: (item) => <ComponentRisk attributes={item.attributes} />,
    text: ({ attributes }) => String(attributes.findings),
  },
  {
    key: 'license',
    label: msg('Licence'),
    weight: 2,
    cell: ({ attributes }) => (
      <span className={attributes.licenses.length === 0 ? 'muted' : undefined}>{licenseText(attributes.licenses)}</span>
    ),
    text: ({ attributes }) => licenseText(attributes.licenses),
  },
  {
    key: 'license-class',
    label: msg('Licence class'),
    weight: 140,
    cell: ({ attributes }) => (
      <span className={attributes.license_class === 'unknown' ? 'muted' : undefined}>
        {t(LICENSE_CLASS_LABELS[attributes.license_class])}
      </span>
    ),
    text: ({ attributes }) => t(LICENSE_CLASS_LABELS[attributes.license_class]),
  },
  {
    key: 'ecosystem',
    label: msg('Ecosystem'),
    weight: 100,
    cell: ({ attributes }) => attributes.ecosystem,
    text: ({ attributes }) => attributes.ecosystem ?? '',
  },
  {
    key: 'direct',
    label: msg('Use'),
    weight: 100,
    cell: ({ attributes }) => directText(attributes.direct),
    text: ({ attributes }) => directText(attributes.direct),
  },
  {
    key: 'repository',
    label: msg('Repository'),
    weight: 2,
    cell: ({ attributes }) => attributes.repository,
    text: ({ attributes }) => attributes.repository,
  },
];

const BESIDE = 'version';

/** Age and newest version stand beside the version, and only where they are looked up. */
export const componentColumns = (isLookupOn: boolean): readonly ComponentColumn[] =>
  isLookupOn ? COLUMNS.flatMap((column) => (column.key === BESIDE ? [column, ...LOOKUP_COLUMNS] : [column])) : COLUMNS;
