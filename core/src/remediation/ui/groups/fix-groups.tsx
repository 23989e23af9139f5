import { Button } from '@blueprintjs/core';
import { ChevronDown, ChevronRight, Wrench } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type FixGroupsProps,
  PathText,
  plainTitle,
  SEVERITY_LABELS,
  STATUS_LABELS,
  splitPath,
} from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { FINDINGS_EVENTS, LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { KevBadge, SeverityBadge, SeverityShape } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { plural, sentenceText, t } from '../../../platform/ui/language/translate.ts';
import { type FixGroup, FixGroupsStore, MAX_PICKED } from './fix-groups.store.ts';
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

/** Two numbers in one sentence: the repositories decide the second half. */
const closesText = ({ count, repositories }: FixGroup['attributes']): string => {
  const findings = plural(count, 'closes {count} finding', 'closes {count} findings');
  return repositories === 1
    ? t('{closes} in 1 repository', { closes: findings })
    : t('{closes} in {repositories} repositories', { closes: findings, repositories });
};

function SeverityCounts({ severities }: Pick<FixGroup['attributes'], 'severities'>) {
  return (
    <span className="row fix-severities">
      {SEVERITIES.filter((severity) => severities[severity] > 0).map((severity) => (
        <span key={severity} className="tn" title={t(SEVERITY_LABELS[severity])}>
          <SeverityShape severity={severity} /> {formatNumber(severities[severity])}
          <span className="sr"> {t(SEVERITY_LABELS[severity])}</span>
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
      <ErrorState
        title={t('Its findings could not be read')}
        error={open.error}
        onRetry={() => store.moreOf(group._id)}
      />
    );
  if (open.rows === undefined) return <SkeletonRows rows={3} rowHeight={32} label={t('Findings')} />;
  return (
    <ul className="fix-findings" aria-label={t('Findings of {fix}', { fix: sentenceText(group.attributes.said) })}>
      {open.rows.map(({ _id, attributes }) => (
        <li key={_id}>
          {mayFix && (
            <input
              type="checkbox"
              aria-label={t('Select {title} in {repository}', {
                title: attributes.title,
                repository: attributes.repository,
              })}
              checked={selection.has(_id)}
              onChange={(event) => (event.currentTarget.checked ? selection.pick([_id]) : selection.drop([_id]))}
            />
          )}
          <span className="num prio tn">
            <PriorityValue value={attributes.priority} />
          </span>
          <SeverityBadge severity={attributes.severity} />
          <Link className="ttl trunc" to={hrefOf(_id)} data-finding={_id} title={attributes.title}>
            {attributes.cve === null ? attributes.title : `${attributes.cve} · ${plainTitle(attributes)}`}
          </Link>
          <span className="muted small place">
            {attributes.file_path === null ? (
              attributes.repository
            ) : (
              <PathText
                path={splitPath(attributes.file_path)}
                before={`${attributes.repository} · `}
                position={attributes.start_line === null ? '' : `:${attributes.start_line}`}
              />
            )}
          </span>
          <span className="small t2">{t(STATUS_LABELS[attributes.status])}</span>
        </li>
      ))}
      {open.next !== null && (
        <li>
          <Button variant="minimal" size="small" text={t('Show more')} onClick={() => store.moreOf(group._id)} />
        </li>
      )}
    </ul>
  );
});

/** Picks all findings of a fix; half ticked where some of them are picked. */
const FixBox = observer(function FixBox({ store, group, selection, withIds }: GroupProps & WithIds) {
  const { _id: key, attributes } = group;
  const [members, setMembers] = useState<readonly string[]>();
  const known = members ?? store.open.get(key)?.rows?.map(({ _id }) => _id) ?? [];
  const picked = known.filter((id) => selection.has(id)).length;
  const isAll = picked > 0 && picked >= attributes.count;
  const isSome = picked > 0 && !isAll;
  const boxRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // no attribute of HTML says it
    if (boxRef.current !== null) boxRef.current.indeterminate = isSome;
  }, [isSome]);
  const isTooLarge = attributes.count > MAX_PICKED;
  return (
    <input
      ref={boxRef}
      type="checkbox"
      aria-label={t('Select the findings of {fix}', { fix: sentenceText(attributes.said) })}
      title={isTooLarge ? t('More than {count} findings: narrow the list first', { count: MAX_PICKED }) : undefined}
      disabled={isTooLarge}
      checked={isAll}
      onChange={() =>
        withIds((ids) => {
          setMembers(ids);
          if (isAll) selection.drop(ids);
          else selection.pick(ids);
        })
      }
    />
  );
});

interface WithIds {
  /** Does something with all findings of the group. */
  withIds: (work: (ids: string[]) => void) => void;
}

const GroupRow = observer(function GroupRow(props: GroupProps) {
  const { store, group, mayFix, onFix } = props;
  const { _id: key, attributes } = group;
  const toasts = useService(TOASTS);
  const isOpen = store.open.has(key);
  const withIds = async (work: (ids: string[]) => void): Promise<void> => {
    try {
      work(await store.idsOf(key));
    } catch (error) {
      toasts.showError(error);
    }
  };
  const closes = closesText(attributes);
  return (
    <li className="fix-group">
      <div className="fix-group-row">
        {mayFix && <FixBox {...props} withIds={(work) => void withIds(work)} />}
        <span className="num prio tn" title={t('Highest priority')}>
          <PriorityValue value={attributes.highest_priority} />
        </span>
        <button
          type="button"
          className="row-toggle fix-group-name"
          data-group={key}
          aria-expanded={isOpen}
          onClick={() => store.toggle(key)}
        >
          {isOpen ? <ChevronDown aria-hidden={true} /> : <ChevronRight aria-hidden={true} />}
          <span className="trunc">
            <span className="strong">{sentenceText(attributes.said)}</span> <span className="t2">{closes}</span>
          </span>
        </button>
        {attributes.kev && <KevBadge />}
        <SeverityCounts severities={attributes.severities} />
        {mayFix && (
          <Button
            size="small"
            icon={<Wrench />}
            text={t('Fix it')}
            aria-label={t('Fix it: {fix}', { fix: sentenceText(attributes.said) })}
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
    return <ErrorState title={t('The fixes could not be read')} error={error} onRetry={() => void store.reload()} />;
  if (groups === undefined) return <SkeletonRows rows={8} rowHeight={52} label={t('Fixes')} />;
  const rest = plural(
    store.ungrouped,
    'For {count} finding no fix is known before its file is read.',
    'For {count} findings no fix is known before their files are read.',
  );
  if (groups.length === 0)
    return (
      <EmptyState icon={<Wrench size={20} />} title={t('No fix is known for these findings')}>
        {rest}
      </EmptyState>
    );
  return (
    <div className="groups-scroll fix-groups" data-groups={true}>
      <p className="muted small groups-sum" role="status">
        {plural(store.total, '{count} fix for {findings}.', '{count} fixes for {findings}.', {
          findings: plural(store.grouped, '{count} finding', '{count} findings'),
        })}{' '}
        {store.ungrouped > 0 && rest}
      </p>
      <ul aria-label={t('Findings by fix')}>
        {groups.map((group) => (
          <GroupRow key={group._id} store={store} group={group} {...props} />
        ))}
      </ul>
      {store.next !== null && <Button variant="minimal" text={t('Show more fixes')} onClick={store.more} />}
    </div>
  );
});
