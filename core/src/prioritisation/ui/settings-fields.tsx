import { Button, ProgressBar, Switch } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Time } from '../../platform/ui/display/badges.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { WEIGHTED_PARTS } from '../model/settings/priority-settings.ts';
import type { PastSettings, PrioritySettingsStore } from './priority-settings.store.ts';
import { fieldKey, PART_WORDS, SECTIONS } from './settings-draft.ts';

interface SettingsFieldsProps {
  store: PrioritySettingsStore;
  mayChange: boolean;
}

const Section = observer(function Section({
  store,
  isDisabled,
  section: { group, title, intro, fields },
}: {
  store: PrioritySettingsStore;
  isDisabled: boolean;
  section: (typeof SECTIONS)[number];
}) {
  return (
    <fieldset className="bp6-card priority-section" disabled={isDisabled}>
      <legend>{t(title)}</legend>
      <p className="muted small">{t(intro)}</p>
      <div className="priority-fields">
        {Object.entries(fields).map(([name, { label, help }]) => {
          const key = fieldKey(group, name);
          return (
            <FormField
              key={key}
              id={key}
              label={t(label)}
              help={typeof help === 'string' ? t(help) : help()}
              error={store.issues.get(key)}
            >
              {(control) => (
                <input
                  {...control}
                  type="number"
                  inputMode="numeric"
                  min={0}
                  max={100}
                  step={1}
                  value={store.draft?.texts[key] ?? ''}
                  onChange={({ currentTarget }) => store.setWeight(key, currentTarget.value)}
                />
              )}
            </FormField>
          );
        })}
      </div>
    </fieldset>
  );
});

/** The switch, and one number for each factor. */
export const SettingsFields = observer(function SettingsFields({ store, mayChange }: SettingsFieldsProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  const issue = store.issues.get('toggle');
  return (
    <div className="priority-form">
      <section className="bp6-card priority-section" aria-label={t('Own weights')}>
        <Switch
          id="toggle"
          checked={draft.toggle}
          disabled={!mayChange}
          label={t('Use weights of our own')}
          aria-describedby={issue === undefined ? 'toggle-help' : 'toggle-help toggle-error'}
          onChange={({ currentTarget }) => store.setToggle(currentTarget.checked)}
        />
        <p className="muted small" id="toggle-help">
          {draft.toggle
            ? t(
                'A number from 0 (does not count) to 100 for each factor. Only their proportion matters: together they share 100 points.',
              )
            : t('Off: the weights of Breakwater hold. Your numbers are kept.')}
        </p>
        {issue !== undefined && (
          <p className="err" id="toggle-error">
            <ErrorIcon size={12} aria-hidden={true} />
            {issue}
          </p>
        )}
        {mayChange && draft.toggle && (
          <Button
            className="priority-defaults"
            variant="outlined"
            size="small"
            text={t('Take Breakwater’s numbers')}
            disabled={store.isDefault}
            onClick={store.setDefaults}
          />
        )}
      </section>
      {SECTIONS.map((section) => (
        <Section key={section.group} store={store} section={section} isDisabled={!mayChange || !draft.toggle} />
      ))}
    </div>
  );
});

const SHOWN = 5;

const wordsOf = ({ toggle, weights }: PastSettings): string => {
  if (!toggle) return t('Breakwater’s weights');
  const parts = WEIGHTED_PARTS.filter((part) => weights[part] > 0);
  return parts.map((part) => `${t(PART_WORDS[part])} ${weights[part]}`).join(', ');
};

/** Who changed the settings, when, and to what. */
export const SettingsHistory = observer(function SettingsHistory({ store }: { store: PrioritySettingsStore }) {
  const { history } = store;
  if (history.length === 0) return null;
  return (
    <section className="bp6-card priority-card" aria-label={t('Changes')}>
      <h2>{t('Changes')}</h2>
      <ul className="priority-history">
        {history.slice(0, SHOWN).map((past) => (
          <li key={past.version}>
            <span>
              {past.updated_by.username ?? t('Somebody who left')}, <Time value={past.updated_at} />
            </span>
            <span className="muted small">{wordsOf(past)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
});

/** How far the stored findings are scored with the settings. It goes on when the page is left. */
export const SettingsProgress = observer(function SettingsProgress({ store }: { store: PrioritySettingsStore }) {
  const { stored, isSaved } = store;
  if (stored === undefined) return null;
  const { is_running, percentage, done, total } = stored.recomputation;
  if (!is_running) {
    return (
      <p className="priority-saved" role="status">
        {isSaved ? t('Saved. All findings are scored with these settings.') : ''}
      </p>
    );
  }
  return (
    <div className="reference-scoring" role="status">
      <span>
        {isSaved ? `${t('Saved.')} ` : ''}
        {plural(
          total,
          'Findings are being scored with the settings: {done} of {count} finding. You can leave this page; it goes on.',
          'Findings are being scored with the settings: {done} of {count} findings. You can leave this page; it goes on.',
          { done },
        )}
      </span>
      <ProgressBar
        value={percentage / 100}
        intent="primary"
        stripes={false}
        aria-label={t('Scoring of findings')}
        aria-valuetext={`${percentage}%`}
      />
    </div>
  );
});
