import { ProgressBar } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { formatAmount, formatNumber } from '../../../platform/ui/number-format.ts';
import type { PrioritySettingsStore } from '../settings/priority-settings.store.ts';

/** How far the stored findings are scored with the settings. It goes on when the page is left. */
export const SettingsProgress = observer(function SettingsProgress({ store }: { store: PrioritySettingsStore }) {
  const { stored, isSaved } = store;
  if (stored === undefined) return null;
  const { is_running, percentage, done, total } = stored.recomputation;
  if (!is_running) {
    return (
      <p className="priority-saved" role="status">
        {isSaved ? 'Saved. All findings are scored with these settings.' : ''}
      </p>
    );
  }
  return (
    <div className="reference-scoring" role="status">
      <span>
        {isSaved ? 'Saved. ' : ''}Findings are being scored with the settings: {formatNumber(done)} of{' '}
        {formatAmount(total, 'finding')}. You can leave this page; it goes on.
      </span>
      <ProgressBar
        value={percentage / 100}
        intent="primary"
        stripes={false}
        aria-label="Scoring of findings"
        aria-valuetext={`${percentage}%`}
      />
    </div>
  );
});
