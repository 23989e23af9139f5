import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useService } from '../../../platform/ui/data/services.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { openFilters } from '../data/finding-queries.ts';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { DueBasis } from './due-basis.tsx';
import { FINDING_FIX, type FixOfFinding } from './finding-fix.tsx';
import { firstSentence, isEstimate, upgradeText } from './fix-text.ts';

interface StripProps {
  id: string;
  finding: FindingDetails;
  /** Makes the fix and shows it. */
  onFix: () => void;
}

/** What fixes the finding, and how many others with it; undefined until it is known. */
const useFix = (id: string, isReadOnly: boolean): FixOfFinding | undefined => {
  const api = useFindingsApi();
  const port = useService(FINDING_FIX);
  const [fix, setFix] = useState<FixOfFinding | undefined>();
  useEffect(() => {
    if (isReadOnly) return;
    const abort = new AbortController();
    // without it the strip says what the report says
    port.readFix(api, { id, filters: openFilters() }, abort.signal).then(
      (known) => setFix(known),
      () => undefined,
    );
    return () => abort.abort();
  }, [api, port, id, isReadOnly]);
  return fix;
};

function FixLine({ finding, fix }: { finding: FindingDetails; fix: FixOfFinding | undefined }) {
  const own = fix?.label ?? upgradeText(finding);
  const advice = own === undefined ? firstSentence(finding.mitigation) : undefined;
  if (own === undefined && advice === undefined) return <span className="muted">{t('No fix is known yet')}</span>;
  return (
    <>
      {own === undefined ? (
        // in whatever language its tool writes
        <span className="strong" lang={isEstimate(finding.mitigation) ? undefined : ''}>
          {advice}
        </span>
      ) : (
        <span className="strong">{own}</span>
      )}
      {fix !== undefined && fix.closes > 1 && (
        <span className="t2">{plural(fix.closes, ', closes {count} finding', ', closes {count} findings')}</span>
      )}
    </>
  );
}

/** First of all: the fix, until when and why, who, and one act. */
export const ActionStrip = observer(function ActionStrip({ id, finding, onFix }: StripProps) {
  const { route, mayFix } = useFindingsList();
  const fix = useFix(id, route.isReadOnly);
  return (
    <section className="act-strip" aria-label={t('What to do next')}>
      <p className="act-fix">
        <FixLine finding={finding} fix={fix} />
      </p>
      <dl className="act-facts">
        <dt>{t('Due')}</dt>
        <dd>
          <DueBasis finding={finding} />
        </dd>
        <dt>{t('Owner')}</dt>
        <dd>{finding.issue_owner_name ?? <span className="muted">{t('Nobody')}</span>}</dd>
      </dl>
      {mayFix && !route.isReadOnly && <Button intent="primary" text={t('Prepare the fix')} onClick={onFix} />}
    </section>
  );
});
