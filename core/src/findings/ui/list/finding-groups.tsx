import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Pager } from '../../../platform/ui/page/page-layout.tsx';
import type { GroupKey, GroupSort } from '../../model/filter-catalogue.ts';
import type { FindingView } from '../data/finding-view.ts';
import { hrefOfView } from '../data/list-route.ts';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { focusInGroups } from '../triage/group-keys.ts';
import { FindingGroupsStore, GROUPS_PAGE_SIZE, type GroupItem } from './finding-groups.store.ts';
import { GroupRows } from './group-rows.tsx';
import './finding-groups.css';

const NOUNS = {
  repository: { one: msg('Repository'), by: msg('Findings by repository') },
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
  repository: (groups, findings) =>
    plural(groups, '{findings} in {count} repository.', '{findings} in {count} repositories.', { findings }),
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

interface HeadProps {
  sort: GroupSort;
  isSelectable: boolean;
  noun: string;
  onSort: (sort: GroupSort) => void;
}

function GroupsHead({ sort, noun, isSelectable, onSort }: HeadProps) {
  const cell = (label: string, key: GroupSort) => {
    const isBy = sort === key;
    const isNumber = key === 'priority' || key === 'count';
    const direction = key === 'name' ? 'ascending' : 'descending';
    return (
      <th aria-sort={isBy ? direction : undefined} className={isNumber ? `num group-${key}` : `group-${key}`}>
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
        {isSelectable && (
          <th className="group-select">
            <span className="sr">{t('Selected')}</span>
          </th>
        )}
        {cell(t('Priority'), 'priority')}
        {cell(t('Severity'), 'severity')}
        {cell(noun, 'name')}
        <th className="group-signals">{t('Signals')}</th>
        <th className="group-counts">{t('By severity')}</th>
        <th className="group-where">{t('Repositories')}</th>
        <th className="num group-seen">{t('Last seen')}</th>
        {cell(t('Findings'), 'count')}
      </tr>
    </thead>
  );
}

export interface FindingGroupsProps {
  by: GroupKey;
  view: FindingView;
  /** A finding is open beside it. */
  isBeside: boolean;
  onView: (view: FindingView) => void;
}

/** What was picked is of these groups: other filters have others. A finding that closes has the focus on its row again. */
const useOwnSelection = (view: FindingView): void => {
  const { selection, store } = useFindingsList();
  const address = JSON.stringify([view.groupBy, view.filters, view.search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view
  useEffect(() => selection.dropGroups, [selection, address]);
  const openId = store.currentId;
  const before = useRef(openId);
  useEffect(() => {
    const closed = before.current;
    before.current = openId;
    if (closed !== undefined && openId === undefined) focusInGroups(closed);
  }, [openId]);
};

/** The findings of a view put together. A group opens in its place, and is decided about as a whole. */
export const FindingGroups = observer(function FindingGroups({ by, view, isBeside, onView }: FindingGroupsProps) {
  const store = useGroups(view);
  const { route, mayDecide, mayFix } = useFindingsList();
  useOwnSelection(view);
  const noun = NOUNS[by];
  const { groups } = store;
  const isSelectable = mayDecide || mayFix;
  if (store.error !== undefined) {
    return (
      <ErrorState title={t('The groups could not be read')} error={store.error} onRetry={() => void store.reload()} />
    );
  }
  if (groups === undefined) return <SkeletonRows rows={8} rowHeight={52} label={t('Groups')} />;
  const hrefOf = (group: GroupItem) =>
    hrefOfView(route, { ...view, groupBy: undefined, groupSort: undefined, filters: group.attributes.filters });
  return (
    <div className={isBeside ? 'groups-scroll is-beside' : 'groups-scroll'} data-groups={true}>
      <p className="muted small groups-sum" role="status">
        {SUMS[by](store.total, plural(store.grouped, '{count} findings', '{count} findings'))}{' '}
        {by !== 'repository' && by !== 'rule' && t('Findings that name none are not in this list.')}
      </p>
      <table className="bw-table groups" aria-label={t(noun.by)}>
        <GroupsHead
          sort={view.groupSort ?? 'priority'}
          noun={t(noun.one)}
          isSelectable={isSelectable}
          onSort={(groupSort) => onView({ ...view, groupSort })}
        />
        <tbody>
          {groups.map((group) => (
            <GroupRows key={group._id} {...{ store, group, by, isSelectable, isBeside }} listHref={hrefOf(group)} />
          ))}
        </tbody>
      </table>
      <Pager page={store.page} pageSize={GROUPS_PAGE_SIZE} total={store.total} onPage={store.toPage} />
    </div>
  );
});
