import { Link } from 'react-router-dom';
import { t } from '../../../platform/ui/language/translate.ts';
import { stateOf } from '../data/finding-text.ts';
import type { FindingItem } from '../data/findings.store.ts';
import { FindingPlace, FindingSignals, Headline } from './finding-summary.tsx';

export interface TitleCellProps {
  item: FindingItem;
  href: string;
  /** The signals stand in the second line: there is no room for their column. */
  hasSignals: boolean;
  /** The column of the state is not shown: work that has begun is marked here. */
  hasState: boolean;
  /** A row beside it reads the same but for its column. */
  hasTwin: boolean;
  /** Rows of samples and of the organisation stand side by side: those of samples are marked. */
  hasSamples: boolean;
  /** Beside a panel, or in a block of a phone. */
  isTight: boolean;
}

/** What was found and where; marks only for what is not so in every row. */
export function TitleCell({ item: { _id, attributes }, href, ...shape }: TitleCellProps) {
  const { hasSignals, hasState, hasTwin, hasSamples, isTight } = shape;
  const isBegun = attributes.status !== 'enriched' && attributes.status !== 'reopened';
  return (
    <>
      <span className="row title-line">
        <Link className="ttl trunc" to={href} data-finding={_id} title={attributes.title}>
          <Headline finding={attributes} />
        </Link>
        {hasSamples && attributes.is_sample && <span className="sig">{t('Sample')}</span>}
        {hasState && isBegun && <span className="sig">{stateOf(attributes).word}</span>}
        {attributes.needs_confirmation && (
          <span className="sig confirm" title={t('Its verdict was carried over by position alone')}>
            {t('Please confirm')}
          </span>
        )}
      </span>
      <span className={hasSignals ? 'row folded' : undefined}>
        <FindingPlace finding={attributes} hasTwin={hasTwin} isTight={isTight} />
        {hasSignals && <FindingSignals finding={attributes} />}
      </span>
    </>
  );
}
