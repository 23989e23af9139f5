import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { SeverityBadge } from '../../../platform/ui/severity-badge.tsx';
import { StatusDot } from '../../../platform/ui/status-dot.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import type { ColumnKey } from '../finding-columns.ts';
import { placeOf, stateOf, titleOf, toolName } from '../finding-text.ts';
import type { FindingItem } from '../findings.store.ts';
import { FindingSignals } from './finding-signals.tsx';
import { ScorePopover } from './score-popover.tsx';

function StateCell({ attributes }: FindingItem) {
  const { tone, word } = stateOf(attributes);
  return <StatusDot tone={tone}>{word}</StatusDot>;
}

interface TitleCellProps {
  item: FindingItem;
  href: string;
  /** The signals stand in the second line: there is no room for their column. */
  hasSignals: boolean;
}

function TitleCell({ item: { _id, attributes }, href, hasSignals }: TitleCellProps) {
  const place = placeOf(attributes);
  return (
    <>
      <span className="row title-line">
        <Link className="ttl trunc" to={href} data-finding={_id} title={attributes.title}>
          {titleOf(attributes)}
        </Link>
        {attributes.is_sample && <span className="sig">Sample</span>}
      </span>
      <span className={hasSignals ? 'row folded' : undefined}>
        <span className="loc trunc" title={attributes.file_path ?? place}>
          {place}
        </span>
        {hasSignals && <FindingSignals finding={attributes} />}
      </span>
    </>
  );
}

/** What stands in one cell of the list. */
export const findingCell = (key: ColumnKey, { item, href, hasSignals }: TitleCellProps): ReactNode => {
  const { attributes } = item;
  const cells: Record<ColumnKey, () => ReactNode> = {
    priority: () => <ScorePopover id={item._id} priority={attributes.priority} title={titleOf(attributes)} />,
    severity: () => <SeverityBadge severity={attributes.severity} />,
    finding: () => <TitleCell item={item} href={href} hasSignals={hasSignals} />,
    signals: () => <FindingSignals finding={attributes} />,
    tool: () => <span className="trunc">{toolName(attributes.tool)}</span>,
    type: () => <span className="trunc">{attributes.type}</span>,
    category: () => <span className="trunc">{attributes.category}</span>,
    repository: () => <span className="trunc">{attributes.repository}</span>,
    cvss: () => attributes.cvssv3_score?.toFixed(1) ?? '',
    status: () => <StateCell {...item} />,
    age: () => <Time value={attributes.first_seen} />,
  };
  return cells[key]();
};
