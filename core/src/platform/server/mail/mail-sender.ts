import { createTransport } from 'nodemailer';
import type { MailContent } from './outbox.ts';

/** A mail on its way out. */
export interface OutgoingMail {
  id: string;
  recipient: string;
  subject: string;
  content: MailContent;
}

/** Hands mails to a mail server. */
export interface MailSender {
  /** @throws RefusedMail where trying again is of no use. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail server will never take this mail: it knows no such recipient, or refuses its content. */
export class RefusedMail extends Error {}

export interface MailSenderOptions {
  /** `smtp://` or `smtps://`, with name and password where the server asks for them. */
  url: URL;
  /** Address of the sender. */
  from: string;
  /** Where links lead, without a slash at the end. */
  origin: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');

/** The same words as text and as HTML; what people have named stands in both as text. */
export const renderMail = (
  { paragraphs, link }: MailContent,
  { subject, origin }: { subject: string; origin: string },
): { text: string; html: string } => {
  const address = link === undefined ? undefined : `${origin}${link.path}`;
  const text = [...paragraphs, ...(link === undefined ? [] : [`${link.label}: ${address}`])].join('\n\n');
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  if (link !== undefined && address !== undefined) {
    const href = escapeHtml(address);
    body.push(
      `<p><a href="${href}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fd0;color:#ffffff;text-decoration:none">${escapeHtml(link.label)}</a></p>`,
      `<p style="color:#5c6773;font-size:13px">If the button does not work, open this address: ${href}</p>`,
    );
  }
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="font-family:sans-serif;font-size:15px;line-height:1.5;color:#1c2430">${body.join('')}</body></html>`;
  return { text: `${text}\n`, html };
};

/** Replies with which a server refuses one recipient or mail for good. Source: RFC 5321 §4.2.3. */
const FINAL_REPLIES = new Set([550, 551, 552, 553, 554]);

const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  FINAL_REPLIES.has(error.responseCode) &&
  'command' in error &&
  typeof error.command === 'string' &&
  /^(RCPT|DATA)/.test(error.command);

/** One connection at a time, closed after each mail: a mail is rare. */
export const createMailSender = ({ url, from, origin }: MailSenderOptions): MailSender => {
  const transport = createTransport({
    url: url.href,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const messageHost = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ id, recipient, subject, content }) => {
      try {
        await transport.sendMail({
          from: { name: 'Breakwater', address: from },
          to: { name: '', address: recipient },
          subject,
          messageId: `<${id}@${messageHost}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...renderMail(content, { subject, origin }),
        });
      } catch (error) {
        if (isFinal(error)) throw new RefusedMail(error instanceof Error ? error.message : '', { cause: error });
        throw error;
      }
    },
    close: () => transport.close(),
  };
};
