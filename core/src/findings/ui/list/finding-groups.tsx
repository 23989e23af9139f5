import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { EpssBadge, KevBadge, SeverityBadge, SeverityShape, Time } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { Pager } from '../../../platform/ui/page/page-layout.tsx';
import type { GroupKey, GroupSort } from '../../model/filter-catalogue.ts';
import { SEVERITY_LABELS, toolLabel } from '../../model/labels.ts';
import type { FindingView } from '../data/finding-view.ts';
import { hrefOfView } from '../data/list-route.ts';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { FindingGroupsStore, GROUPS_PAGE_SIZE, type GroupItem } from './finding-groups.store.ts';

const NOUNS: Record<GroupKey, { one: string; many: string }> = {
  vulnerability: { one: 'Vulnerability', many: 'vulnerabilities' },
  component: { one: 'Component', many: 'components' },
  file: { one: 'File', many: 'files' },
  rule: { one: 'Rule', many: 'rules' },
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
  const words = shown
    .map((severity) => `${severities[severity]} ${SEVERITY_LABELS[severity].toLowerCase()}`)
    .join(', ');
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
  const detail = [tool === null ? undefined : toolLabel(tool), title === label ? undefined : (title ?? undefined)];
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
        {cell('Priority', 'priority', true)}
        {cell('Severity', 'severity')}
        {cell(noun, 'name')}
        <th>Signals</th>
        <th>By severity</th>
        <th className="num">Repositories</th>
        <th className="num">Last seen</th>
        {cell('Findings', 'count', true)}
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
    return <ErrorState title="The groups could not be read" error={store.error} onRetry={() => void store.reload()} />;
  }
  if (groups === undefined) return <SkeletonRows rows={8} rowHeight={52} label="Groups" />;
  const hrefOf = (group: GroupItem) =>
    hrefOfView(route, { ...view, groupBy: undefined, groupSort: undefined, filters: group.attributes.filters });
  return (
    <div className="groups-scroll">
      <p className="muted small groups-sum" role="status">
        {formatNumber(store.grouped)} findings in {formatNumber(store.total)}{' '}
        {store.total === 1 ? noun.one.toLowerCase() : noun.many}. Findings that name none are not in this list.
      </p>
      <table className="bw-table groups" aria-label={`Findings by ${noun.one.toLowerCase()}`}>
        <GroupsHead
          sort={view.groupSort ?? 'count'}
          noun={noun.one}
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
