import { Button } from '@blueprintjs/core';
import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import {
  EpssBadge,
  KevBadge,
  SeverityBadge,
  SeverityShape,
  StatusDot,
  Time,
} from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { inSentence, plural, t } from '../../../platform/ui/language/translate.ts';
import type { GroupKey } from '../../model/filter-catalogue.ts';
import { readSame, splitPath, withoutId } from '../../model/finding-headline.ts';
import { SEVERITY_LABELS, toolLabel } from '../../model/labels.ts';
import { isRulePath, ruleWords } from '../../model/rule-words.ts';
import { stateOf } from '../data/finding-text.ts';
import type { FindingItem } from '../data/findings.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';
import type { PickedState } from '../triage/selection.store.ts';
import { findingCell } from './finding-cells.tsx';
import type { FindingGroupsStore, GroupItem } from './finding-groups.store.ts';
import { FindingSignals } from './finding-summary.tsx';
import { PathText } from './path-text.tsx';
import { TitleCell } from './title-cell.tsx';

/** How many of each severity, worst first. */
export function SeverityCounts({ severities }: Pick<GroupItem['attributes'], 'severities'>) {
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

interface GroupBoxProps {
  state: PickedState;
  label: string;
  onToggle: () => void;
}

/** Picks all of a group; half ticked where some of it is picked. */
export function GroupBox({ state, label, onToggle }: GroupBoxProps) {
  const boxRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // no attribute of HTML says it
    if (boxRef.current !== null) boxRef.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label className="group-box">
      <input ref={boxRef} type="checkbox" aria-label={label} checked={state === 'all'} onChange={onToggle} />
    </label>
  );
}

/** What a group is called: a rule in words, a path with the name of its file. */
function GroupName({ by, group: { attributes } }: { by: GroupKey; group: GroupItem }) {
  const { label, title } = attributes;
  if (by === 'file') return <PathText path={splitPath(label)} />;
  if (by !== 'rule') return <bdi>{label}</bdi>;
  return <bdi>{isRulePath(label) ? ruleWords(label) : withoutId(title ?? label)}</bdi>;
}

const detailOf = (by: GroupKey, { attributes: { tool, title, label } }: GroupItem): string[] => {
  if (by === 'rule') return [...(tool === null ? [] : [t(toolLabel(tool))]), label];
  return title === null || title === label ? [] : [withoutId(title)];
};

interface GroupProps {
  store: FindingGroupsStore;
  group: GroupItem;
  by: GroupKey;
  isSelectable: boolean;
  /** A finding is open beside it. */
  isBeside: boolean;
  /** The list of exactly its findings. */
  listHref: string;
}

const GroupHead = observer(function GroupHead({ store, group, by, isSelectable, listHref }: GroupProps) {
  const { selection } = useFindingsList();
  const { attributes } = group;
  const isOpen = store.open.has(group._id);
  const { count, filters, label } = attributes;
  const detail = detailOf(by, group).join(' · ');
  return (
    <tr className="group-head">
      {isSelectable && (
        <td className="group-select">
          <GroupBox
            state={selection.stateOf(group._id, count)}
            label={t('Select all findings of {group}', { group: label })}
            onToggle={() => selection.toggleGroup(group._id, { filters, search: store.search, count })}
          />
        </td>
      )}
      <td className="num prio group-priority">
        <PriorityValue value={attributes.highest_priority} />
      </td>
      <td className="group-severity">
        <SeverityBadge severity={attributes.severity} />
      </td>
      <td className="group-name">
        <button
          type="button"
          className="row-toggle group-toggle"
          data-group={group._id}
          aria-expanded={isOpen}
          title={label}
          onClick={() => store.toggle(group)}
        >
          {isOpen ? <ChevronDown aria-hidden={true} /> : <ChevronRight aria-hidden={true} />}
          <span className="group-words">
            <span className={by === 'file' ? 'ttl place' : 'ttl trunc'}>
              <GroupName by={by} group={group} />
            </span>
            {detail !== '' && <span className="muted small trunc">{detail}</span>}
          </span>
        </button>
      </td>
      <td className="group-signals">
        {attributes.kev && <KevBadge />}{' '}
        {attributes.max_epss !== null && <EpssBadge probability={attributes.max_epss} />}
      </td>
      <td className="group-counts">
        <SeverityCounts severities={attributes.severities} />
      </td>
      <td className="group-where tn">{formatNumber(attributes.repositories)}</td>
      <td className="num group-seen">{attributes.last_seen !== null && <Time value={attributes.last_seen} />}</td>
      <td className="num tn group-count">
        <Link to={listHref} title={t('Show these findings as a list')} data-label={t('in all')}>
          {formatNumber(count)}
        </Link>
      </td>
    </tr>
  );
});

interface MemberProps extends GroupProps {
  item: FindingItem;
  hasTwin: boolean;
}

const isOnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, label, .bp6-popover') !== null;

/** A finding of an open group, below its head. */
const MemberRow = observer(function MemberRow({ item, group, hasTwin, isSelectable, isBeside }: MemberProps) {
  const { selection, hrefOf, store } = useFindingsList();
  const navigate = useNavigate();
  const { attributes } = item;
  const href = hrefOf(item._id);
  const marks = { hasTwin, hasSamples: store.hasMixedSamples };
  const shape = { hasSignals: isBeside, hasState: isBeside, isTight: isBeside, ...marks };
  const isCurrent = store.currentId === item._id;
  const { tone, word } = stateOf(attributes);
  return (
    <tr
      className={isCurrent ? 'group-member open' : 'group-member'}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => {
        if (!isOnControl(event.target) && (window.getSelection()?.toString() ?? '') === '') navigate(href);
      }}
    >
      {isSelectable && (
        <td className="group-select">
          <label className="group-box">
            <input
              type="checkbox"
              aria-label={t('Select {title}', { title: attributes.title })}
              checked={selection.hasIn(item._id, group._id)}
              onChange={() => selection.toggleIn(item._id, group._id)}
            />
          </label>
        </td>
      )}
      <td className="num group-priority">{findingCell('priority', { item, href, ...shape })}</td>
      <td className="group-severity">
        <SeverityBadge severity={attributes.severity} />
      </td>
      <td className="group-name ft-title">
        <TitleCell {...{ item, href, ...shape }} />
      </td>
      <td className="group-signals">{!isBeside && <FindingSignals finding={attributes} />}</td>
      <td className="group-counts">
        <StatusDot tone={tone}>{word}</StatusDot>
      </td>
      <td className="group-where trunc" colSpan={1} title={attributes.repository}>
        {attributes.repository}
      </td>
      <td className="num group-seen">
        <Time value={attributes.last_seen} />
      </td>
      <td className="num group-count" />
    </tr>
  );
});

/** A line below a group that is no finding. */
function NoteRow({ isSelectable, children }: { isSelectable: boolean; children: React.ReactNode }) {
  return (
    <tr className="group-note">
      <td colSpan={isSelectable ? 9 : 8}>{children}</td>
    </tr>
  );
}

/** The head of a group and, where it is open, its findings: some at first, more when they are asked for. */
export const GroupRows = observer(function GroupRows(props: GroupProps) {
  const { store, group, isSelectable } = props;
  const open = store.open.get(group._id);
  const rows = open?.rows ?? [];
  const left = open?.rows === undefined ? 0 : open.total - rows.length;
  const twinAt = (index: number) =>
    [index - 1, index + 1].some((at) => readSame(rows[index]?.attributes, rows[at]?.attributes));
  return (
    <>
      <GroupHead {...props} />
      {open !== undefined && open.rows === undefined && (
        <NoteRow isSelectable={isSelectable}>
          <span className="muted small">{t('Reading its findings…')}</span>
        </NoteRow>
      )}
      {rows.map((item, index) => (
        <MemberRow key={item._id} {...props} item={item} hasTwin={twinAt(index)} />
      ))}
      {open?.error !== undefined && (
        <NoteRow isSelectable={isSelectable}>
          <span className="small" role="alert">
            {t('Its findings could not be read')}: {messagesOf(open.error).join(' ')}
          </span>{' '}
          <Button size="small" variant="minimal" text={t('Try again')} onClick={() => store.more(group)} />
        </NoteRow>
      )}
      {open?.error === undefined && left > 0 && (
        <NoteRow isSelectable={isSelectable}>
          <Button
            size="small"
            variant="minimal"
            text={plural(left, 'Show more: {count} finding is left', 'Show more: {count} findings are left')}
            onClick={() => store.more(group)}
          />
        </NoteRow>
      )}
    </>
  );
});
