import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { EpssBadge, KevBadge, SeverityBadge, SeverityShape, Time } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { inSentence, plural, t } from '../../../platform/ui/language/translate.ts';
import { Pager } from '../../../platform/ui/page/page-layout.tsx';
import type { GroupKey, GroupSort } from '../../model/filter-catalogue.ts';
import { SEVERITY_LABELS, toolLabel } from '../../model/labels.ts';
import type { FindingView } from '../data/finding-view.ts';
import { hrefOfView } from '../data/list-route.ts';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { FindingGroupsStore, GROUPS_PAGE_SIZE, type GroupItem } from './finding-groups.store.ts';

const NOUNS = {
  vulnerability: { one: msg('Vulnerability'), by: msg('Findings by vulnerability') },
  component: { one: msg('Component'), by: msg('Findings by component') },
  file: { one: msg('File'), by: msg('Findings by file') },
  rule: { one: msg('Rule'), by: msg('Findings by rule') },
} as const satisfies Record<GroupKey, unknown>;

/** "108 findings in 12 files." */
const SUMS: Readonly<Record<GroupKey, (groups: number, findings: string) => string>> = {
  vulnerability: (groups, findings) =>
    plural(groups, '{findings} in {count} vulnerability.', '{findings} in {count} vulnerabilities.', { findings }),
  component: (groups, findings) =>
    plural(groups, '{findings} in {count} component.', '{findings} in {count} components.', { findings }),
  file: (groups, findings) =>
    plural(groups, '{findings} in {count} file.', '{findings} in {count} files.', { findings }),
  rule: (groups, findings) =>
    plural(groups, '{findings} in {count} rule.', '{findings} in {count} rules.', { findings }),
};

/** Groups as the view asks for, read again after imports. */
const useGroups = (view: FindingView): FindingGroupsStore => {
  const api = useFindingsApi();
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new FindingGroupsStore(api));
  useEffect(() => store.show(view), [store, view]);
  useEffect(() => {
    const stops = FINDINGS_EVENTS.map((kind) => events.on(kind, () => void store.reload()));
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

function SeverityCounts({ severities }: Pick<GroupItem['attributes'], 'severities'>) {
  const shown = SEVERITIES.filter((severity) => severities[severity] > 0);
  const words = shown.map((severity) => `${severities[severity]} ${inSentence(SEVERITY_LABELS[severity])}`).join(', ');
  return (
    <span className="row group-severities" title={words}>
      <span className="sr">{words}</span>
      {shown.map((severity) => (
        <span key={severity} aria-hidden="true" className="tn">
          <SeverityShape severity={severity} /> {formatNumber(severities[severity])}
        </span>
      ))}
    </span>
  );
}

function GroupRow({ group: { attributes }, href }: { group: GroupItem; href: string }) {
  const { title, tool, label } = attributes;
  const detail = [tool === null ? undefined : t(toolLabel(tool)), title === label ? undefined : (title ?? undefined)];
  return (
    <tr>
      <td className="num prio group-priority">{attributes.highest_priority}</td>
      <td>
        <SeverityBadge severity={attributes.severity} />
      </td>
      <td className="group-name">
        <Link className="ttl trunc" to={href} title={label}>
          {label}
        </Link>
        <span className="muted small trunc">{detail.filter((part) => part !== undefined).join(' · ')}</span>
      </td>
      <td className="group-signals">
        {attributes.kev && <KevBadge />}{' '}
        {attributes.max_epss !== null && <EpssBadge probability={attributes.max_epss} />}
      </td>
      <td className="group-counts">
        <SeverityCounts severities={attributes.severities} />
      </td>
      <td className="num tn">{formatNumber(attributes.repositories)}</td>
      <td className="num">
        <Time value={attributes.last_seen} />
      </td>
      <td className="num tn group-count">
        <b>{formatNumber(attributes.count)}</b>
      </td>
    </tr>
  );
}

interface HeadProps {
  sort: GroupSort;
  noun: string;
  onSort: (sort: GroupSort) => void;
}

function GroupsHead({ sort, noun, onSort }: HeadProps) {
  const cell = (label: string, key: GroupSort, isNumber = false) => {
    const isBy = sort === key;
    const direction = key === 'name' ? 'ascending' : 'descending';
    return (
      <th aria-sort={isBy ? direction : undefined} className={isNumber ? 'num' : undefined}>
        <button type="button" onClick={() => onSort(key)}>
          {label}
          {isBy && (key === 'name' ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr>
        {cell(t('Priority'), 'priority', true)}
        {cell(t('Severity'), 'severity')}
        {cell(noun, 'name')}
        <th>{t('Signals')}</th>
        <th>{t('By severity')}</th>
        <th className="num">{t('Repositories')}</th>
        <th className="num">{t('Last seen')}</th>
        {cell(t('Findings'), 'count', true)}
      </tr>
    </thead>
  );
}

export interface FindingGroupsProps {
  by: GroupKey;
  view: FindingView;
  onView: (view: FindingView) => void;
}

/** The findings of a view put together; each row leads to the list of exactly its findings. */
export const FindingGroups = observer(function FindingGroups({ by, view, onView }: FindingGroupsProps) {
  const store = useGroups(view);
  const { route } = useFindingsList();
  const noun = NOUNS[by];
  const { groups } = store;
  if (store.error !== undefined) {
    return (
      <ErrorState title={t('The groups could not be read')} error={store.error} onRetry={() => void store.reload()} />
    );
  }
  if (groups === undefined) return <SkeletonRows rows={8} rowHeight={52} label={t('Groups')} />;
  const hrefOf = (group: GroupItem) =>
    hrefOfView(route, { ...view, groupBy: undefined, groupSort: undefined, filters: group.attributes.filters });
  return (
    <div className="groups-scroll">
      <p className="muted small groups-sum" role="status">
        {SUMS[by](store.total, plural(store.grouped, '{count} findings', '{count} findings'))}{' '}
        {t('Findings that name none are not in this list.')}
      </p>
      <table className="bw-table groups" aria-label={t(noun.by)}>
        <GroupsHead
          sort={view.groupSort ?? 'count'}
          noun={t(noun.one)}
          onSort={(groupSort) => onView({ ...view, groupSort })}
        />
        <tbody>
          {groups.map((group) => (
            <GroupRow key={group._id} group={group} href={hrefOf(group)} />
          ))}
        </tbody>
      </table>
      <Pager page={store.page} pageSize={GROUPS_PAGE_SIZE} total={store.total} onPage={store.toPage} />
    </div>
  );
});
