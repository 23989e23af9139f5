import { Button, Checkbox, HTMLSelect, Spinner } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import type { SubmitEvent } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { saveBlob } from '../../../platform/ui/data/save-blob.ts';
import { SeverityBadge, StatusDot } from '../../../platform/ui/display/badges.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t, translated } from '../../../platform/ui/language/translate.ts';
import type { TriedDocument } from '../../api/routes.ts';
import { type DraftField, fieldsOf } from '../../model/draft-document.ts';
import type { Sending } from '../../model/publication.ts';
import type { BuilderStore } from './builder.store.ts';
import { Part } from './builder-part.tsx';
import { DOCUMENT_FILE, FIXTURES_FILE } from './examples.ts';

interface StoreProps {
  store: BuilderStore;
}

/** One value for the test. */
const TestValue = observer(function TestValue({ store, field }: StoreProps & { field: DraftField }) {
  const { name, title, help, isSecret, type, choices } = field;
  const value = store.values.get(name) ?? '';
  const label = title === '' ? name : translated(title);
  const change = (next: string | boolean) => store.fill(name, next);
  if (type === 'boolean')
    return <Checkbox label={label} checked={value === true} onChange={() => change(value !== true)} />;
  return (
    <FormField label={label} help={help === '' ? undefined : help} error={store.testErrors.get(name)}>
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

type Operation = TriedDocument['operations'][number];

const OPERATIONS: Readonly<Record<string, string>> = {
  check: msg('Check'),
  'findings.sync': msg('Findings'),
  'notify.send': msg('Message'),
  'tickets.createTicket': msg('Ticket, made once by two attempts'),
  'tickets.ticket': msg('How the ticket stands'),
};
const nameOf = ({ name }: Operation): string => t(OPERATIONS[name] ?? name);

function OperationResult({ operation, identity }: { operation: Operation; identity: string | null }) {
  const { name, is_ok, message, requests, answer } = operation;
  const isCheck = name === 'check';
  const isList = name === 'findings.sync';
  return (
    <div className="builder-operation">
      <div className="row">
        <StatusDot tone={is_ok ? 'ok' : 'bad'}>{nameOf(operation)}</StatusDot>
        {isCheck && identity !== null && (
          <span className="muted small">{t('Signed in as {identity}', { identity })}</span>
        )}
      </div>
      {message !== '' && <p className="err">{message}</p>}
      <ul className="builder-requests mono small">
        {requests.map((request, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same request may be made twice
          <li key={index} className="trunc" title={request}>
            {request}
          </li>
        ))}
      </ul>
      {answer !== null && (
        <details open={!is_ok || isList}>
          <summary>{isList ? t('One record') : t('Answer')}</summary>
          <section
            className="builder-answer"
            aria-label={
              isList
                ? t('One record of the findings')
                : isCheck
                  ? t('Answer of the check')
                  : t('Answer: {operation}', { operation: nameOf(operation) })
            }
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
          >
            <pre className="mono">{JSON.stringify(answer, null, 2)}</pre>
          </section>
        </details>
      )}
    </div>
  );
}

function FindingsPreview({ findings, applications }: Pick<TriedDocument, 'findings' | 'applications'>) {
  return (
    <div className="builder-preview">
      <h3>
        {plural(findings.length, '{count} finding as it will be imported', '{count} findings as they will be imported')}
      </h3>
      {applications.length > 0 && (
        <p className="muted small">{t('Applications: {names}', { names: applications.join(', ') })}</p>
      )}
      {findings.length > 0 && (
        <ul className="builder-findings">
          {findings.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two findings may say the same
            <li key={index}>
              <SeverityBadge severity={finding.severity} />
              <span className="builder-finding">
                <span className="strong">{finding.title}</span>
                <span className="muted small mono">
                  {[finding.rule, finding.place].filter((part) => part !== '').join(' · ')}
                </span>
              </span>
              <span className="muted small">{finding.type}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Notes({ tried, isOutdated }: { tried: TriedDocument; isOutdated: boolean }) {
  const scrubbed = tried.scrubbed.map(({ kind, count }) => `${kind} (${count})`).join(', ');
  return (
    <>
      {isOutdated && (
        <p className="bp6-callout callout-warn">
          {t('The document was changed since this test. Test it again before you publish it.')}
        </p>
      )}
      {tried.is_one_page && (
        <p className="bp6-callout callout-warn">
          {t(
            'The document reads pages, and this account has one page only. To publish it, a second page has to be recorded: ask for smaller pages, or test with an account that holds more.',
          )}
        </p>
      )}
      {tried.is_unsent && (
        <p className="bp6-callout callout-warn">
          {t(
            'What it sends was not tried, so that nothing is recorded. To publish it, allow it to be sent once, and test again.',
          )}
        </p>
      )}
      {tried.fixtures !== null && (
        <p className="muted small">
          {scrubbed === ''
            ? t('The answers were recorded. Nothing had to be taken out of them.')
            : t('The answers were recorded. Taken out of them: {what}.', { what: scrubbed })}
        </p>
      )}
    </>
  );
}

const save = (name: string, content: unknown): void =>
  saveBlob(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), name);

/** What the service said, and what becomes of it. */
const TestResultView = observer(function TestResultView({ store }: StoreProps) {
  const { result, fixtures } = store;
  if (result === undefined) return null;
  const { tried } = result;
  return (
    <div className="builder-result" aria-live="polite">
      {tried.operations.map((operation) => (
        <OperationResult key={operation.name} operation={operation} identity={tried.identity} />
      ))}
      {tried.fixtures !== null && tried.operations.some(({ name }) => name === 'findings.sync') && (
        <FindingsPreview {...tried} />
      )}
      <Notes tried={tried} isOutdated={result.text !== store.text} />
      {fixtures !== undefined && (
        <div className="row">
          <Button
            size="small"
            text={DOCUMENT_FILE}
            aria-label={t('Save {file}', { file: DOCUMENT_FILE })}
            onClick={() => save(DOCUMENT_FILE, store.document)}
          />
          <Button
            size="small"
            text={FIXTURES_FILE}
            aria-label={t('Save {file}', { file: FIXTURES_FILE })}
            onClick={() => save(FIXTURES_FILE, fixtures)}
          />
        </div>
      )}
    </div>
  );
});

/** Tries the document with its service. */
export const LiveTest = observer(function LiveTest({ store }: StoreProps) {
  // one that has no name yet has no value
  const fields = fieldsOf(store.document).filter(({ name }) => name !== '');
  const failure = store.testErrors.get('');
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
          <TestValue key={field.name} store={store} field={field} />
        ))}
        {store.sends.length > 0 && (
          <Checkbox
            label={sendingTest(store.sends)}
            checked={store.maySend}
            onChange={() => store.allowSending(!store.maySend)}
          />
        )}
        <div className="row">
          <Button
            type="submit"
            text={store.isTesting ? t('Testing…') : t('Test')}
            icon={store.isTesting ? <Spinner size={14} /> : undefined}
            disabled={store.document === undefined || store.isTesting}
          />
        </div>
      </form>
      <TestResultView store={store} />
    </Part>
  );
});
