import { observer } from 'mobx-react-lite';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { visibleText } from '../../../platform/model/visible-text.ts';
import { formatEpss, KevBadge, SeverityBadge, StatusDot, Time } from '../../../platform/ui/display/badges.tsx';
import { formatFixed, formatThousandths } from '../../../platform/ui/display/formats.ts';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { PersonAvatar } from '../../../session/ui/index.ts';
import type { ColumnKey } from '../../model/column-catalogue.ts';
import { cellText, titleOf } from '../../model/finding-text.ts';
import { stateOf } from '../data/finding-text.ts';
import { type FindingItem, PAGE_SIZE } from '../data/findings.store.ts';
import type { ScoreContentProps } from '../detail/score-parts.tsx';
import { useFindingsList } from '../triage/findings-context.ts';
import { DueDate, FindingSignals } from './finding-summary.tsx';
import { TitleCell, type TitleCellProps } from './title-cell.tsx';

function StateCell({ attributes }: FindingItem) {
  const { tone, word } = stateOf(attributes);
  return <StatusDot tone={tone}>{word}</StatusDot>;
}

const Words = ({ text }: { text: string | null | undefined }) => (
  <span className="trunc" title={text ?? undefined}>
    {text}
  </span>
);

const codeOf = (encoded: string | null | undefined): string => {
  if (typeof encoded !== 'string' || encoded === '') return '';
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0)));
};

function DueCell({ item: { attributes } }: { item: FindingItem }) {
  return attributes.due_date === null ? null : <DueDate date={attributes.due_date} />;
}

/** Who answers for it. */
function OwnerCell({ item: { attributes } }: { item: FindingItem }) {
  const { issue_owner: id, issue_owner_name: name } = attributes;
  if (id === null || name === null) return null;
  return (
    <span className="row owner-cell">
      <PersonAvatar id={id} name={name} isDecorative={true} />
      <Words text={name} />
    </span>
  );
}

/** Cells that are more than the attribute's own text. */
const SPECIAL: Partial<Record<ColumnKey, (of: TitleCellProps) => ReactNode>> = {
  priority: ({ item }) => (
    <ScorePopup id={item._id} priority={item.attributes.priority} title={titleOf(item.attributes)} />
  ),
  severity: ({ item }) => <SeverityBadge severity={item.attributes.severity} />,
  title: (of) => <TitleCell {...of} />,
  signals: ({ item }) => <FindingSignals finding={item.attributes} />,
  cvssv3_score: ({ item: { attributes } }) =>
    attributes.cvssv3_score == null ? '' : formatFixed(attributes.cvssv3_score, 1),
  estimated_epss: ({ item: { attributes } }) =>
    attributes.estimated_epss === null ? '' : formatEpss(attributes.estimated_epss),
  kev: ({ item: { attributes } }) => attributes.kev && <KevBadge addedOn={attributes.kev_date_added} />,
  due_date: (of) => <DueCell {...of} />,
  issue_owner: (of) => <OwnerCell {...of} />,
  status: ({ item }) => <StateCell {...item} />,
  scanner_report_code: ({ item }) => (
    <code className="trunc">{visibleText(codeOf(item.attributes.scanner_report_code))}</code>
  ),
  first_seen: ({ item }) => <Time value={item.attributes.first_seen} />,
  date: ({ item }) => <Time value={item.attributes.date} />,
  last_seen: ({ item }) => <Time value={item.attributes.last_seen} />,
  _id: ({ item }) => <Words text={item._id} />,
};

/** Columns whose values are words of ours. */
const OUR_WORDS: readonly ColumnKey[] = [
  'verdict',
  'type',
  'tool',
  'status',
  'remediation_type',
  'package_use',
  'ai_proposal',
];

/** The text of a cell as people read it. Only what is so is said: a column of No says nothing. */
export const shownText = (key: ColumnKey, text: string): string => {
  if (text === 'No') return '';
  return OUR_WORDS.includes(key) || text === 'Yes' ? t(text) : text;
};

const plainText = (key: ColumnKey, { attributes }: FindingItem): string => {
  const text = String(cellText(key, attributes));
  return key === 'branch' && attributes.branch === null ? t(text) : shownText(key, text);
};

/** What stands in one cell of the list. */
export const findingCell = (key: ColumnKey, of: TitleCellProps): ReactNode =>
  SPECIAL[key]?.(of) ?? <Words text={plainText(key, of.item)} />;

const LazyContent = lazy(async () => ({ default: (await import('../detail/score-parts.tsx')).ScoreContent }));

interface ScorePopupProps extends ScoreContentProps {
  title: string;
}

/** A priority number that tells why. */
function ScorePopup({ id, priority, title }: ScorePopupProps) {
  const content = (
    <Suspense fallback={null}>
      <LazyContent id={id} priority={priority} />
    </Suspense>
  );
  return (
    <Popup kind="dialog" placement="bottom-start" content={content}>
      <button
        type="button"
        className="prio"
        aria-label={t('Priority {priority} of {title}: why this score', {
          priority: formatThousandths(priority),
          title,
        })}
      >
        <PriorityValue value={priority} />
      </button>
    </Popup>
  );
}

/** Width of the column of checkboxes. */
export const SELECT_TRACK = '32px';

interface SelectCellProps {
  id: string;
  index: number;
  title: string;
}

/** Picks a row; with Shift everything from the last picked one on. */
export const SelectCell = observer(function SelectCell({ id, index, title }: SelectCellProps) {
  const { selection, store } = useFindingsList();
  return (
    <td className="ft-select">
      <label>
        <input
          type="checkbox"
          aria-label={t('Select {title}', { title })}
          checked={selection.has(id)}
          onChange={(event) => {
            const native = event.nativeEvent;
            const isRange = 'shiftKey' in native && native.shiftKey === true;
            if (isRange) selection.extendTo(index, store);
            else selection.toggle(id, index);
          }}
        />
      </label>
    </td>
  );
});

/** Picks what is loaded of the first page, or drops the selection. */
export const SelectHead = observer(function SelectHead() {
  const { selection, store } = useFindingsList();
  const loaded = Math.min(store.list.length, PAGE_SIZE);
  const idsLoaded = () =>
    Array.from({ length: loaded }, (_, index) => store.list.rowAt(index)?._id).filter((id) => id !== undefined);
  const isAll = selection.isAll || (store.total !== undefined && store.total > 0 && selection.ids.size >= store.total);
  const isSome = !selection.isEmpty && !isAll;
  const boxRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // no attribute of HTML says it
    if (boxRef.current !== null) boxRef.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <th className="ft-select">
      <label>
        <input
          ref={boxRef}
          type="checkbox"
          aria-label={t('Select the first rows, or none')}
          checked={isAll}
          onChange={() => (selection.isEmpty ? selection.pick(idsLoaded()) : selection.clear())}
        />
      </label>
    </th>
  );
});
