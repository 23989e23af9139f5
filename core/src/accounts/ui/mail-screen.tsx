import { ChevronRight, Envelope } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { useSignInOptions } from '../../session/ui/index.ts';
import { listMail, type MailAttributes } from '../api/routes.ts';
import './mail.css';

interface Mail {
  _id: string;
  attributes: Static<typeof MailAttributes>;
}

const PAGE_SIZE = 50;
const STATUS = {
  queued: { label: msg('Waiting'), tone: 'neutral' },
  sent: { label: msg('Sent'), tone: 'ok' },
  failed: { label: msg('Failed'), tone: 'bad' },
  expired: { label: msg('Not sent, too old'), tone: 'neutral' },
} as const;

function MailText({ content }: { content: Mail['attributes']['content'] }) {
  if (content === null) return <p className="muted">{t('Its link opens an account: nobody else can read it.')}</p>;
  return (
    <>
      {content.paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
        <p key={index}>{paragraph}</p>
      ))}
      {content.link !== undefined && (
        <p>
          {t(content.link.label)}: <span className="mono">{`${window.location.origin}${content.link.path}`}</span>
        </p>
      )}
    </>
  );
}

function MailRow({ mail }: { mail: Mail }) {
  const { recipient, subject, status, created_at, sent_at, last_error, content } = mail.attributes;
  const { label, tone } = STATUS[status];
  return (
    <li className="mail">
      <details>
        <summary>
          <ChevronRight aria-hidden={true} />
          <span>
            <span className="strong">{subject}</span>{' '}
            <span className="t2 small">{t('to {recipient}', { recipient })}</span>
          </span>
          <StatusDot tone={tone}>{label}</StatusDot>
          <span className="muted small">
            <Time value={sent_at ?? created_at} />
          </span>
        </summary>
        <div className="mail-text">
          <MailText content={content} />
          {last_error !== null && (
            <p className="muted small">{t('Last answer of the mail server: {last_error}', { last_error })}</p>
          )}
        </div>
      </details>
    </li>
  );
}

interface Shown {
  rows: Mail[];
  total: number;
}

/** `/mail`: what the organisation was sent by mail, and what would have been. */
export function MailScreen() {
  const api = useService(API);
  const { options } = useSignInOptions();
  const [page, setPage] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<unknown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the person asks for it
  useEffect(() => {
    const leaving = new AbortController();
    const query = { pagination: { page: page + 1, pageSize: PAGE_SIZE } };
    api
      .call(listMail, { query, signal: leaving.signal })
      .then(({ data, meta }) => setShown({ rows: data, total: meta.pagination.total }))
      .catch((failure: unknown) => {
        if (!isAbort(failure)) setError(failure);
      });
    return () => leaving.abort();
  }, [api, page, attempt]);
  const retry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <div className="canvas">
      <PageHead title={t('Mail')}>
        {shown !== undefined && <Pager page={page} pageSize={PAGE_SIZE} total={shown.total} onPage={setPage} />}
      </PageHead>
      {options?.sends_mail === false && (
        <p className="mail-note t2">
          {t(
            'This installation sends no mail. What it would have sent waits here for three days at most; it is sent once SMTP_URL is set.',
          )}
        </p>
      )}
      {error !== undefined && <ErrorState title={t('The mails could not be read')} error={error} onRetry={retry} />}
      {error === undefined && shown === undefined && <SkeletonRows rows={6} rowHeight={56} label={t('Mails')} />}
      {shown?.rows.length === 0 && (
        <EmptyState icon={<Envelope size={20} />} title={t('No mail yet')}>
          {t('Mails to people of your organisation are kept here for a month.')}
        </EmptyState>
      )}
      {shown !== undefined && shown.rows.length > 0 && (
        <ul className="mails" aria-label={t('Mails')}>
          {shown.rows.map((mail) => (
            <MailRow key={mail._id} mail={mail} />
          ))}
        </ul>
      )}
    </div>
  );
}
