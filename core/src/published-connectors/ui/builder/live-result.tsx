import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { saveBlob } from '../../../platform/ui/data/save-blob.ts';
import { SeverityBadge, StatusDot } from '../../../platform/ui/display/badges.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import type { TriedDocument } from '../../api/routes.ts';
import type { PartProps } from './builder-part.tsx';
import { DOCUMENT_FILE, FIXTURES_FILE } from './examples.ts';

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

interface PreviewProps extends Pick<TriedDocument, 'findings' | 'applications'> {
  /** All of them; default: those that are shown. */
  count?: number;
}

function FindingsPreview({ findings, applications, count = findings.length }: PreviewProps) {
  return (
    <div className="builder-preview">
      <h3>{plural(count, '{count} finding as it will be imported', '{count} findings as they will be imported')}</h3>
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

interface NotesProps {
  tried: TriedDocument;
  isOutdated: boolean;
  isReportMissing: boolean;
}

function Notes({ tried, isOutdated, isReportMissing }: NotesProps) {
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
      {isReportMissing && (
        <p className="bp6-callout callout-warn">
          {t('It reads reports, and none was read. To publish it, choose one and test again.')}
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

/** What a report came to that was sent along. */
function ReportResult({ report }: { report: NonNullable<TriedDocument['report']> }) {
  const { is_ok, message, findings, count, unreadable } = report;
  return (
    <div className="builder-operation">
      <StatusDot tone={is_ok ? 'ok' : 'bad'}>{t('Report')}</StatusDot>
      {message !== '' && <p className="err">{message}</p>}
      {is_ok && <FindingsPreview findings={findings} applications={[]} count={count} />}
      {unreadable.length > 0 && (
        <>
          <h3>{t('Records that cannot be read')}</h3>
          <ul className="builder-issues">
            {unreadable.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const save = (name: string, content: unknown): void =>
  saveBlob(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), name);

/** What the service said, and what becomes of it. */
export const TestResultView = observer(function TestResultView({ store }: PartProps) {
  const { fixtures } = store;
  const { result } = store.live;
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
      {tried.report !== null && <ReportResult report={tried.report} />}
      <Notes tried={tried} isOutdated={result.text !== store.text} isReportMissing={store.isReportMissing} />
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
