import type { Severity } from '../../findings/finding.ts';
import type { ChannelMessage } from '../../notify/notify.ts';
import { addressText, escapeText, linkText, shortened } from '../../text/escape-text.ts';
import type { TicketDraft } from '../../tickets/tickets.ts';
import type { TemplateScope } from '../templates.ts';
import type { NotifyDocument, TicketDocument } from './actions.ts';

const DIGEST_LENGTH = 20;

/** A key as services take it: letters, digits and a dash, 31 characters. */
export async function writtenKey(idempotencyKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(new TextEncoder().encode(idempotencyKey)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `breakwater-${hex.slice(0, DIGEST_LENGTH)}`;
}

/** The service's word for a severity; our own where it has none. */
export const severityWord = (
  { severities = {} }: Pick<NotifyDocument, 'severities'>,
  severity: Severity | null,
): string => severities[severity ?? 'none'] ?? severity ?? '';

/** What a message is in the words of templates. */
export async function messageScope(document: NotifyDocument, message: ChannelMessage): Promise<TemplateScope> {
  const { text: format, maxLength = {} } = document;
  const escaped = (text: string, most = Number.POSITIVE_INFINITY) => escapeText(format, shortened(text, most));
  return {
    'message.title': escaped(message.title, maxLength.title),
    'message.text': escaped(message.text, maxLength.text),
    'message.kind': escaped(message.kind),
    'message.link': message.link === null ? '' : linkText(format, message.link),
    'message.url': message.link === null ? '' : addressText(format, message.link.url),
    'message.severity': severityWord(document, message.severity),
    idempotencyKey: await writtenKey(message.idempotencyKey),
  };
}

/** Values of tickets that are addresses of ours. */
const ADDRESSES = new Set(['{{finding.url}}', '{{remediation.reference_url}}']);

/** Whether a field of a draft is an address, which may be the target of a link. */
export const isAddressField = (template: string | undefined): boolean => ADDRESSES.has(template?.trim() ?? '');

/** What a draft is in the words of templates. */
export const draftScope = ({ text: format, draft: templates }: TicketDocument, draft: TicketDraft): TemplateScope =>
  Object.fromEntries(
    Object.entries(draft).map(([field, text]) => {
      const written = isAddressField(templates[field]) ? addressText(format, text) : escapeText(format, text);
      return [`draft.${field}`, written];
    }),
  );
