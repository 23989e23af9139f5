import { Button, Checkbox, HTMLSelect, Spinner } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import type { SubmitEvent } from 'react';
import { FilePicker } from '../../../platform/ui/forms/file-inputs.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t, translated } from '../../../platform/ui/language/translate.ts';
import { type DraftField, fieldsOf } from '../../model/draft-document.ts';
import type { Sending } from '../../model/publication.ts';
import { Part, type PartProps } from './builder-part.tsx';
import { TestResultView } from './live-result.tsx';
import { type LiveTestStore, REPORT_FIELD } from './live-test.store.ts';

interface LiveProps {
  live: LiveTestStore;
}

/** One value for the test. */
const TestValue = observer(function TestValue({ live, field }: LiveProps & { field: DraftField }) {
  const { name, title, help, isSecret, type, choices } = field;
  const value = live.values.get(name) ?? '';
  const label = title === '' ? name : translated(title);
  const change = (next: string | boolean) => live.fill(name, next);
  if (type === 'boolean')
    return <Checkbox label={label} checked={value === true} onChange={() => change(value !== true)} />;
  return (
    <FormField label={label} help={help === '' ? undefined : help} error={live.errors.get(name)}>
      {({ className, ...control }) => {
        const attributes = { ...control, value: String(value) };
        if (choices.length > 0)
          return (
            <HTMLSelect
              {...attributes}
              fill={true}
              options={['', ...choices]}
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
          );
        if (type === 'array')
          return (
            <textarea {...attributes} className={className} rows={3} onChange={(event) => change(event.target.value)} />
          );
        return (
          <input
            {...attributes}
            className={isSecret ? `${className} mono` : className}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            spellCheck={false}
            onChange={(event) => change(event.target.value)}
          />
        );
      }}
    </FormField>
  );
});

/** What a test may send besides. */
const sendingTest = (sends: readonly Sending[]): string => {
  if (sends.length > 1) return t('Also send one message to the channel and make one ticket');
  return sends.includes('notify') ? t('Also send one message to the channel') : t('Also make one ticket');
};

/** A report for the test. */
const ReportChoice = observer(function ReportChoice({ live }: LiveProps) {
  const { report } = live;
  const error = live.errors.get(REPORT_FIELD);
  return (
    <div>
      <div className="row">
        <FilePicker only={t('Report')} onFiles={([file]) => void live.choose(file)}>
          {t('Choose a report')}
        </FilePicker>
        <span className="muted small trunc">{report?.name ?? t('Nothing chosen')}</span>
      </div>
      {error !== undefined && (
        <p className="err small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
});

/** Tries the document with its service. */
export const LiveTest = observer(function LiveTest({ store }: PartProps) {
  const { live } = store;
  // one that has no name yet has no value
  const fields = fieldsOf(store.document).filter(({ name }) => name !== '');
  const failure = live.errors.get('');
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void store.test();
  };
  return (
    <Part
      title={t('Test with the service')}
      intro={t(
        'Runs the check and reads the beginning of each list. The credentials are used for this test and not stored.',
      )}
    >
      <form className="builder-test" aria-label={t('Test with the service')} noValidate={true} onSubmit={handleSubmit}>
        {failure !== undefined && (
          <p className="err" role="alert">
            {failure}
          </p>
        )}
        {fields.map((field) => (
          <TestValue key={field.name} live={live} field={field} />
        ))}
        {live.readsReports && <ReportChoice live={live} />}
        {live.sends.length > 0 && (
          <Checkbox
            label={sendingTest(live.sends)}
            checked={live.maySend}
            onChange={() => live.allowSending(!live.maySend)}
          />
        )}
        <div className="row">
          <Button
            type="submit"
            text={live.isTesting ? t('Testing…') : t('Test')}
            icon={live.isTesting ? <Spinner size={14} /> : undefined}
            disabled={store.document === undefined || live.isTesting}
          />
        </div>
      </form>
      <TestResultView store={store} />
    </Part>
  );
});
