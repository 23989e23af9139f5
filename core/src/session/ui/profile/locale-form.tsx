import { HTMLSelect } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useState } from 'react';
import { isLocale, isTimeZone, type LocalePreferences, NUMBER_FORMATS } from '../../../platform/model/locale.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { LOCALE } from '../../../platform/ui/language/locale.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { updateProfile } from '../../api/profile-routes.ts';
import { SubmitButton } from '../password-form.tsx';
import { SESSION_STORE } from '../session.store.ts';
import { useSubmit } from '../use-submit.ts';

interface Option {
  value: string;
  label: string;
}

/** A language by its own name: `Deutsch`. */
const languageName = (id: string): string => new Intl.DisplayNames([id], { type: 'language' }).of(id) ?? id;

const withKept = (options: Option[], kept: string | null): Option[] =>
  kept === null || options.some(({ value }) => value === kept) ? options : [...options, { value: kept, label: kept }];

const optionsOf = (offered: readonly string[], chosen: LocalePreferences) => ({
  language: withKept(
    offered.map((id) => ({ value: id, label: languageName(id) })),
    chosen.language,
  ),
  time_zone: withKept(
    Intl.supportedValuesOf('timeZone').map((id) => ({ value: id, label: id.replaceAll('_', ' ') })),
    chosen.time_zone,
  ),
  number_format: withKept(
    NUMBER_FORMATS.map((id) => ({ value: id, label: new Intl.NumberFormat(id).format(1_234_567.89) })),
    chosen.number_format,
  ),
});

/** A time and a figure as they will read. */
function Preview({ language, time_zone, number_format }: LocalePreferences) {
  const active = useService(LOCALE).language;
  const own = language ?? active;
  const zone = time_zone !== null && isTimeZone(time_zone) ? { timeZone: time_zone } : {};
  const numbers = number_format !== null && isLocale(number_format) ? number_format : own === 'en' ? 'en-US' : own;
  const time = new Intl.DateTimeFormat(own === 'en' ? 'en-GB' : own, {
    ...zone,
    dateStyle: 'medium',
    timeStyle: 'long',
  });
  return (
    <p className="t2" role="status">
      {t('So it reads: {time} · {number}', {
        time: time.format(new Date()),
        number: new Intl.NumberFormat(numbers).format(1_234_567.89),
      })}
    </p>
  );
}

/** Language, time zone and number format of who is signed in. */
export const LocaleForm = observer(function LocaleForm({ stored }: { stored: LocalePreferences }) {
  const [api, session, toasts, locale] = [
    useService(API),
    useService(SESSION_STORE),
    useService(TOASTS),
    useService(LOCALE),
  ];
  const [chosen, setChosen] = useState(stored);
  // the density of rows is chosen elsewhere, also meanwhile
  const save = async ({ density: _, ...body }: LocalePreferences, signal: AbortSignal) => {
    const { data } = await api.call(updateProfile, { body, signal });
    await session.relocate(data.locale);
  };
  const form = useSubmit(save, () => toasts.show(t('Profile saved'), { tone: 'done' }));
  const options = optionsOf(locale.offered, stored);
  const field = (name: keyof typeof options, label: string, none: string) => (
    <FormField id={name} label={label} error={form.errorOf(name)}>
      {(control) => (
        <HTMLSelect
          id={control.id}
          aria-describedby={control['aria-describedby']}
          aria-invalid={control['aria-invalid']}
          fill={true}
          value={chosen[name] ?? ''}
          options={[{ value: '', label: none }, ...options[name]]}
          onChange={({ currentTarget: { value } }) => {
            setChosen({ ...chosen, [name]: value === '' ? null : value });
            form.edit(name);
          }}
        />
      )}
    </FormField>
  );
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(chosen, []);
  };
  return (
    <form className="profile-form" onSubmit={handleSubmit} noValidate={true} aria-label={t('Language and formats')}>
      <h2>{t('Language and formats')}</h2>
      <FormSummary issues={form.issues} />
      {field('language', t('Language'), t('As the browser'))}
      {field('time_zone', t('Time zone'), t('As the browser'))}
      {field('number_format', t('Numbers'), t('As the language'))}
      <Preview {...chosen} />
      <SubmitButton text={t('Save language and formats')} form={form} />
    </form>
  );
});
