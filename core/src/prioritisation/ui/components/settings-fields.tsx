import { Button, Switch } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { FormField } from '../../../platform/ui/form-field.tsx';
import type { PrioritySettingsStore } from '../settings/priority-settings.store.ts';
import { fieldKey, SECTIONS } from '../settings/setting-words.ts';

export interface SettingsFieldsProps {
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
      <legend>{title}</legend>
      <p className="muted small">{intro}</p>
      <div className="priority-fields">
        {Object.entries(fields).map(([name, { label, help }]) => {
          const key = fieldKey(group, name);
          return (
            <FormField key={key} id={key} label={label} help={help} error={store.faults.get(key)}>
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
  const fault = store.faults.get('toggle');
  return (
    <div className="priority-form">
      <section className="bp6-card priority-section" aria-label="Own weights">
        <Switch
          id="toggle"
          checked={draft.toggle}
          disabled={!mayChange}
          label="Use weights of our own"
          aria-describedby={fault === undefined ? 'toggle-help' : 'toggle-help toggle-error'}
          onChange={({ currentTarget }) => store.setToggle(currentTarget.checked)}
        />
        <p className="muted small" id="toggle-help">
          {draft.toggle
            ? 'A number from 0 (does not count) to 100 for each factor. Only their proportion matters: together they share 100 points.'
            : 'Off: the weights of Breakwater hold. Your numbers are kept.'}
        </p>
        {fault !== undefined && (
          <p className="err" id="toggle-error">
            <ErrorIcon size={12} aria-hidden={true} />
            {fault}
          </p>
        )}
        {mayChange && draft.toggle && (
          <Button
            className="priority-defaults"
            variant="outlined"
            size="small"
            text="Take Breakwater’s numbers"
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
