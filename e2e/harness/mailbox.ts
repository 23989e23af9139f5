import type { MailServer } from '@breakwater/core/testing/mail-server.ts';
import { expect } from 'vitest';

/** The text of a mail: its first part, out of quoted-printable. Source: RFC 2045 §6.7. */
const textOf = (raw: string): string => {
  const part = raw.slice(raw.indexOf('text/plain')).split('\r\n\r\n').slice(1).join('\r\n\r\n');
  return part
    .slice(0, part.indexOf('\r\n--'))
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
};

/** Waits for the next mail to somebody, takes it out of the mailbox, and opens it. @returns subject line and the address that it leads to */
export const takeMail = async (mailbox: MailServer, to: string): Promise<{ subject: string; link: string }> => {
  const indexOf = () => mailbox.mails.findIndex((mail) => mail.to.includes(to));
  await expect.poll(indexOf).toBeGreaterThanOrEqual(0);
  const [mail] = mailbox.mails.splice(indexOf(), 1);
  const raw = mail?.raw ?? '';
  return {
    subject: /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? '',
    link: /https?:\/\/\S+/.exec(textOf(raw))?.[0] ?? '',
  };
};
