import { observer } from 'mobx-react-lite';
import { Time } from '../../../platform/ui/time.tsx';
import { WEIGHTED_PARTS } from '../../model/settings/priority-settings.ts';
import type { PastSettings, PrioritySettingsStore } from '../settings/priority-settings.store.ts';
import { PART_WORDS } from '../settings/setting-words.ts';

const SHOWN = 5;

const wordsOf = ({ toggle, weights }: PastSettings): string => {
  if (!toggle) return 'Breakwater’s weights';
  const parts = WEIGHTED_PARTS.filter((part) => weights[part] > 0);
  return parts.map((part) => `${PART_WORDS[part]} ${weights[part]}`).join(', ');
};

/** Who changed the settings, when, and to what. */
export const SettingsHistory = observer(function SettingsHistory({ store }: { store: PrioritySettingsStore }) {
  const { history } = store;
  if (history.length === 0) return null;
  return (
    <section className="bp6-card priority-card" aria-label="Changes">
      <h2>Changes</h2>
      <ul className="priority-history">
        {history.slice(0, SHOWN).map((past) => (
          <li key={past.version}>
            <span>
              {past.updated_by.username ?? 'Somebody who left'}, <Time value={past.updated_at} />
            </span>
            <span className="muted small">{wordsOf(past)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
});
