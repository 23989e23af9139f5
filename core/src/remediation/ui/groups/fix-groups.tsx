import { Button } from '@blueprintjs/core';
import { ChevronDown, ChevronRight, Wrench } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { type FixGroupsProps, SEVERITY_LABELS, STATUS_LABELS } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { KevBadge, SeverityBadge, SeverityShape } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { type FixGroup, FixGroupsStore } from './fix-groups.store.ts';
import './fix-groups.css';

const useGroups = ({ filters, search }: FixGroupsProps): FixGroupsStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new FixGroupsStore(api));
  useEffect(() => store.show({ filters, search }), [store, filters, search]);
  useEffect(() => {
    const stops = FINDINGS_EVENTS.map((kind) => events.on(kind, () => void store.reload()));
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

function SeverityCounts({ severities }: Pick<FixGroup['attributes'], 'severities'>) {
  return (
    <span className="row fix-severities">
      {SEVERITIES.filter((severity) => severities[severity] > 0).map((severity) => (
        <span key={severity} className="tn" title={SEVERITY_LABELS[severity]}>
          <SeverityShape severity={severity} /> {formatNumber(severities[severity])}
          <span className="sr"> {SEVERITY_LABELS[severity]}</span>
        </span>
      ))}
    </span>
  );
}

interface GroupProps extends FixGroupsProps {
  store: FixGroupsStore;
  group: FixGroup;
}

const FindingsOfGroup = observer(function FindingsOfGroup({ store, group, hrefOf, selection, mayFix }: GroupProps) {
  const open = store.open.get(group._id);
  if (open === undefined) return null;
  if (open.error !== undefined)
    return (
      <ErrorState title="Its findings could not be read" error={open.error} onRetry={() => store.moreOf(group._id)} />
    );
  if (open.rows === undefined) return <SkeletonRows rows={3} rowHeight={32} label="Findings" />;
  return (
    <ul className="fix-findings" aria-label={`Findings of ${group.attributes.label}`}>
      {open.rows.map(({ _id, attributes }) => (
        <li key={_id}>
          {mayFix && (
            <input
              type="checkbox"
              aria-label={`Select ${attributes.title} in ${attributes.repository}`}
              checked={selection.has(_id)}
              onChange={(event) => (event.currentTarget.checked ? selection.pick([_id]) : selection.drop([_id]))}
            />
          )}
          <span className="num prio tn">{attributes.priority}</span>
          <SeverityBadge severity={attributes.severity} />
          <Link className="trunc" to={hrefOf(_id)} title={attributes.title}>
            {attributes.cve === null ? attributes.title : `${attributes.cve} · ${attributes.title}`}
          </Link>
          <span className="muted small trunc">
            {attributes.repository}
            {attributes.file_path === null ? '' : ` · ${attributes.file_path}`}
          </span>
          <span className="small t2">{STATUS_LABELS[attributes.status]}</span>
        </li>
      ))}
      {open.next !== null && (
        <li>
          <Button variant="minimal" size="small" text="Show more" onClick={() => store.moreOf(group._id)} />
        </li>
      )}
    </ul>
  );
});

const GroupRow = observer(function GroupRow(props: GroupProps) {
  const { store, group, selection, mayFix, onFix } = props;
  const { _id: key, attributes } = group;
  const toasts = useService(TOASTS);
  const isOpen = store.open.has(key);
  const rows = store.open.get(key)?.rows;
  const isPicked = rows !== undefined && rows.length > 0 && rows.every(({ _id }) => selection.has(_id));
  const withIds = async (work: (ids: string[]) => void): Promise<void> => {
    try {
      work(await store.idsOf(key));
    } catch (error) {
      toasts.showError(error);
    }
  };
  const closes = `closes ${counted(attributes.count, 'finding')} in ${counted(attributes.repositories, 'repository', 'repositories')}`;
  return (
    <li className="fix-group">
      <div className="fix-group-row">
        {mayFix && (
          <input
            type="checkbox"
            aria-label={`Select the findings of ${attributes.label}`}
            checked={isPicked}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              if (isOn && !isOpen) store.toggle(key);
              void withIds((ids) => (isOn ? selection.pick(ids) : selection.drop(ids)));
            }}
          />
        )}
        <span className="num prio tn" title="Highest priority">
          {attributes.highest_priority}
        </span>
        <button type="button" className="fix-group-name" aria-expanded={isOpen} onClick={() => store.toggle(key)}>
          {isOpen ? <ChevronDown aria-hidden={true} /> : <ChevronRight aria-hidden={true} />}
          <span className="trunc">
            <span className="strong">{attributes.label}</span> <span className="t2">{closes}</span>
          </span>
        </button>
        {attributes.kev && <KevBadge />}
        <SeverityCounts severities={attributes.severities} />
        {mayFix && (
          <Button
            size="small"
            icon={<Wrench />}
            text="Fix"
            aria-label={`Fix: ${attributes.label}`}
            onClick={() => void withIds(onFix)}
          />
        )}
      </div>
      <FindingsOfGroup {...props} />
    </li>
  );
});

/** The findings of a view by what fixes them: one change, and all that it closes. */
export const FixGroups = observer(function FixGroups(props: FixGroupsProps) {
  const store = useGroups(props);
  const { groups, error } = store;
  if (error !== undefined)
    return <ErrorState title="The fixes could not be read" error={error} onRetry={() => void store.reload()} />;
  if (groups === undefined) return <SkeletonRows rows={8} rowHeight={52} label="Fixes" />;
  const rest = `For ${counted(store.ungrouped, 'finding')} no fix is known before their files are read.`;
  if (groups.length === 0)
    return (
      <EmptyState icon={<Wrench size={20} />} title="No fix is known for these findings">
        {rest}
      </EmptyState>
    );
  return (
    <div className="groups-scroll fix-groups">
      <p className="muted small groups-sum" role="status">
        {counted(store.total, 'fix', 'fixes')} {store.total === 1 ? 'closes' : 'close'}{' '}
        {counted(store.grouped, 'finding')}. {store.ungrouped > 0 && rest}
      </p>
      <ul aria-label="Findings by fix">
        {groups.map((group) => (
          <GroupRow key={group._id} store={store} group={group} {...props} />
        ))}
      </ul>
      {store.next !== null && <Button variant="minimal" text="Show more fixes" onClick={store.more} />}
    </div>
  );
});
