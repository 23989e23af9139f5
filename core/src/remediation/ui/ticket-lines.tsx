import { Tag } from '@blueprintjs/core';
import { msg } from '../../platform/model/message.ts';
import { t } from '../../platform/ui/language/translate.ts';
import type { Remediation } from './fix.store.ts';
import { isWebAddress } from './place.tsx';

type SentTicket = Remediation['attributes']['tickets'][number];

const STATES: Readonly<Record<SentTicket['status'], string>> = {
  pending: msg('being sent again'),
  delivered: msg('sent'),
  dead: msg('not sent'),
};

function TicketLine({ sent: { title, status, ticket, is_gone: isGone, problem } }: { sent: SentTicket }) {
  return (
    <li>
      {title}:{' '}
      {ticket === null ? (
        <span>{t(STATES[status])}</span>
      ) : (
        <>
          {isWebAddress(ticket.url) && !isGone ? (
            <a href={ticket.url} target="_blank" rel="noreferrer">
              {ticket.key}
            </a>
          ) : (
            ticket.key
          )}{' '}
          <Tag minimal intent={ticket.is_done ? 'success' : 'none'}>
            {isGone ? t('Deleted') : ticket.status}
          </Tag>
        </>
      )}
      {problem !== null && <p className="t2 small">{t(problem)}</p>}
    </li>
  );
}

/** Tickets of a fix, with their keys and how they stand where they are kept. */
export function TicketLines({ tickets }: { tickets: readonly SentTicket[] }) {
  if (tickets.length === 0) return null;
  return (
    <ul className="tickets" aria-label={t('Tickets')}>
      {tickets.map((sent) => (
        <TicketLine key={sent.connector_id} sent={sent} />
      ))}
    </ul>
  );
}
