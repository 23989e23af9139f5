import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { Scan } from './upload-transport.ts';

export type Decision = 'confirm' | 'split';

const missingOf = ({ counts }: Scan): string => {
  const findings = plural(counts.held, '{count} finding', '{count} findings');
  const components = plural(counts.held_components, '{count} component', '{count} components');
  if (counts.held_components === 0) return counts.held === 0 ? '' : findings;
  return counts.held === 0 ? components : t('{findings} and {components}', { findings, components });
};

interface HeldBackProps {
  scan: Scan;
  /** Undefined where the person may not decide. @throws with the server's reason. */
  onDecide: ((decision: Decision) => Promise<void>) | undefined;
}

/** A closing that waits for a person: one click to confirm it, one to keep the report as a part of its own. */
function HeldBack({ scan, onDecide }: HeldBackProps) {
  const [busy, setBusy] = useState<Decision>();
  const [isDecided, setIsDecided] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const missing = missingOf(scan);
  const decide = async (decision: Decision) => {
    setBusy(decision);
    setRefusal(undefined);
    try {
      await onDecide?.(decision);
      setIsDecided(true);
    } catch (error) {
      setRefusal(messagesOf(error).join(' '));
    }
    setBusy(undefined);
  };
  if (isDecided) return <p className="small muted">{t('Decided. An import that does it is on its way.')}</p>;
  return (
    <div className="bp6-callout callout-warn scan-notice">
      <p>
        {plural(
          scan.counts.held + scan.counts.held_components,
          '{missing} of earlier imports is missing from this report, and it does not say whether its scan looked there. It was not closed.',
          '{missing} of earlier imports are missing from this report, and it does not say whether its scan looked there. They were not closed.',
          { missing },
        )}
      </p>
      {onDecide === undefined ? (
        <p className="small">{t('An admin or a security operator can decide whether they are closed.')}</p>
      ) : (
        <div className="row wrap">
          <Button
            size="small"
            text={t('Close what is missing')}
            title={t('The report is about all that the earlier ones were about')}
            loading={busy === 'confirm'}
            disabled={busy !== undefined}
            onClick={() => void decide('confirm')}
          />
          <Button
            size="small"
            text={t('Keep as another part')}
            title={t('The report is about something else: both stay open side by side')}
            loading={busy === 'split'}
            disabled={busy !== undefined}
            onClick={() => void decide('split')}
          />
        </div>
      )}
      {refusal !== undefined && (
        <p className="err" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

/** Why an import closed nothing or changed nothing. */
export function ScanNotices({ scan, onDecide }: HeldBackProps) {
  if (scan.status === 'outdated') {
    return (
      <p className="bp6-callout callout-warn scan-notice">
        {t('A newer report of the same scope was imported before. This one is kept here; nothing was changed.')}
      </p>
    );
  }
  return (
    <>
      {scan.incomplete.length > 0 && (
        <div className="bp6-callout callout-warn scan-notice">
          <p>{t('The scan behind this report did not end well. What it found was imported; nothing was closed.')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard */}
          <ul className="unreadable" tabIndex={0} aria-label={t('Why the scan is incomplete')}>
            {scan.incomplete.map((reason) => (
              <li key={reason}>{t(reason)}</li>
            ))}
          </ul>
        </div>
      )}
      {scan.is_held_back && <HeldBack scan={scan} onDecide={onDecide} />}
    </>
  );
}
