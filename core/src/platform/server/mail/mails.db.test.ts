import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../tools/testing/database.ts';
import { createUsers, type TestUsers } from '../../../../../tools/testing/users.ts';
import { type MailServer, startMailServer } from '../../../testing/mail-server.ts';
import { createMailSender, type MailSender } from './mail-sender.ts';
import { type NewMail, queueMail } from './outbox.ts';

const reader = { language: null, time_zone: null, number_format: null };
const said = (text: string) => ({ text });

import { sendQueuedMails } from './send-mails.ts';

let scene: TestDatabase;
let users: TestUsers;
let mailbox: MailServer;
let sender: MailSender;
const log = { info: () => undefined, warn: () => undefined };

beforeAll(async () => {
  scene = await createTestDatabase();
  users = await createUsers(scene.database);
  mailbox = await startMailServer();
  sender = createMailSender({
    url: new URL(mailbox.url),
    from: 'no-reply@example.test',
    origin: 'https://app.example.test',
  });
});
afterAll(async () => {
  sender.close();
  await mailbox.close();
  await scene.drop();
});
beforeEach(async () => {
  await scene.owner.query('truncate mails');
  mailbox.mails.length = 0;
  mailbox.refusals.clear();
});

const queue = (mail: Partial<NewMail> = {}): Promise<void> =>
  scene.database.forClient(users.clientId, (db) =>
    queueMail(db, {
      clientId: users.clientId,
      to: 'ann@example.test',
      reader,
      subject: said('Hello'),
      paragraphs: [said('Text.')],
      ...mail,
    }),
  );
const sendAll = (mailSender: MailSender | undefined = sender): Promise<number> =>
  sendQueuedMails({ database: scene.database, mailSender, log });
const rows = async () =>
  (await scene.owner.query('select recipient, status, attempts, content, last_error from mails order by recipient'))
    .rows;
const makeDue = () => scene.owner.query(`update mails set due_at = now() - interval '1 second'`);

/** Head and parts of a mail, decoded. */
const readParts = (raw: string): { head: string; text: string; html: string } => {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const decode = (type: string): string => {
    const part =
      rest
        .join('\r\n\r\n')
        .split(/\r\n--/)
        .find((piece) => piece.includes(`Content-Type: ${type}`)) ?? '';
    const at = part.indexOf('\r\n\r\n');
    const body = part.slice(at + 4);
    if (part.slice(0, at).includes('base64')) return Buffer.from(body, 'base64').toString('utf8');
    const bytes = body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString('utf8');
  };
  // the first part begins right after the head
  return { head, text: decode('text/plain'), html: decode('text/html') };
};

describe('sending', () => {
  test('a mail arrives once, as text and HTML, with a link to this installation', async () => {
    await queue({ paragraphs: [said('Hello Ann.')], link: { label: said('Open it'), path: '/findings?a=1&b=2' } });
    expect(await sendAll()).toBe(1);
    expect(await sendAll()).toBe(0);
    expect(mailbox.mails).toHaveLength(1);
    const [mail] = mailbox.mails;
    expect(mail).toMatchObject({ from: 'no-reply@example.test', to: ['ann@example.test'] });
    const { head, text, html } = readParts(mail?.raw ?? '');
    expect(head).toMatch(/^Subject: Hello$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(text).toContain('Open it: https://app.example.test/findings?a=1&b=2');
    expect(html).toContain('href="https://app.example.test/findings?a=1&#38;b=2"');
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('of several processes at once each mail is sent by one', async () => {
    await Promise.all(Array.from({ length: 30 }, (_value, index) => queue({ to: `p${index}@example.test` })));
    const counts = await Promise.all([sendAll(), sendAll(), sendAll()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(30);
    expect(new Set(mailbox.mails.map((mail) => mail.to[0])).size).toBe(30);
    expect(mailbox.mails).toHaveLength(30);
  });

  test('what a transaction takes back is never sent', async () => {
    const failing = scene.database.forClient(users.clientId, async (db) => {
      await queueMail(db, {
        clientId: users.clientId,
        to: 'ann@example.test',
        reader,
        subject: said('x'),
        paragraphs: [],
      });
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await sendAll()).toBe(0);
  });

  test('a busy server is tried again later, with growing waits, and given up in the end', async () => {
    mailbox.refusals.set('ann@example.test', 451);
    await queue();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await sendAll()).toBe(0);
      expect(await rows()).toMatchObject([
        { status: 'queued', attempts: attempt, last_error: expect.stringContaining('Not taken') },
      ]);
      // not due yet
      expect(await sendAll()).toBe(0);
      expect(await rows()).toMatchObject([{ attempts: attempt }]);
      await makeDue();
    }
    await sendAll();
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 6 }]);
  });

  test('after a pause of the server the mail arrives', async () => {
    mailbox.refusals.set('ann@example.test', 421);
    await queue();
    await sendAll();
    mailbox.refusals.clear();
    await makeDue();
    expect(await sendAll()).toBe(1);
    expect(await rows()).toMatchObject([{ status: 'sent', last_error: null }]);
  });

  test('an unknown recipient is given up at once and holds up nobody', async () => {
    mailbox.refusals.set('nobody@example.test', 550);
    await queue({ to: 'nobody@example.test' });
    await queue({ to: 'zoe@example.test' });
    expect(await sendAll()).toBe(1);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 1 }, { status: 'sent' }]);
  });

  test('without a mail server mail stays; what is too old is not sent afterwards', async () => {
    await queue();
    await queue({ to: 'old@example.test', isSecret: true });
    await scene.owner.query(`update mails set expires_at = now() - interval '1 second' where recipient like 'old%'`);
    expect(await sendQueuedMails({ database: scene.database, mailSender: undefined, log })).toBe(0);
    expect(await rows()).toMatchObject([{ status: 'queued' }, { status: 'expired', content: null }]);
    expect(await sendAll()).toBe(1);
  });

  test('a secret link is gone from the database once it is sent or given up', async () => {
    mailbox.refusals.set('nobody@example.test', 550);
    await queue({ isSecret: true, link: { label: said('Reset'), path: '/reset-password?token=canary' } });
    await queue({
      to: 'nobody@example.test',
      isSecret: true,
      link: { label: said('Reset'), path: '/reset-password?token=canary' },
    });
    await sendAll();
    const { rows: dump } = await scene.owner.query('select mails::text as row from mails');
    expect(dump).toHaveLength(2);
    expect(JSON.stringify(dump)).not.toContain('canary');
  });
});

describe('hostile texts', () => {
  test.each([
    'Hello\r\nBcc: eve@example.test',
    'Hello\nContent-Type: text/html',
    'Hello\r\n\r\n<script>alert(1)</script>',
    'Hello\u2028X-Planted: 1',
    'Hello\0X-Planted: 1',
  ])('a subject adds no header: %j', async (subject) => {
    await queue({ subject: said(subject), paragraphs: [said(subject)] });
    await sendAll();
    const { head } = readParts(mailbox.mails[0]?.raw ?? '');
    expect(head).not.toMatch(/^(Bcc|X-Planted):/im);
    expect(head.match(/^Content-Type:/gim)).toHaveLength(1);
    expect(mailbox.mails[0]?.to).toEqual(['ann@example.test']);
  });

  test.each([
    'ann@example.test, eve@example.test',
    'ann@example.test\r\nBcc: eve@example.test',
    'ann@example.test\r\nRCPT TO:<eve@example.test>',
    '<ann@example.test>',
    'Ann <ann@example.test>',
    'ann;eve@example.test',
    'ann',
    '',
    '"ann@x"@example.test',
    `${'a'.repeat(250)}@example.test`,
  ])('what is no single address is refused: %j', async (to) => {
    await expect(queue({ to })).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await rows()).toEqual([]);
  });

  test('names of people are text in both halves', async () => {
    await queue({
      paragraphs: [said('<img src=x onerror=alert(1)> & "quotes" \u202Eevil')],
      link: { label: said('<b>x</b>'), path: '/a"><script>' },
    });
    await sendAll();
    const { html } = readParts(mailbox.mails[0]?.raw ?? '');
    expect(html).not.toMatch(/<(img|script|b)\b/);
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;quotes&#34; \\u202Eevil');
  });

  test('a link leads to this installation only', async () => {
    for (const path of ['https://evil.example', '//evil.example', 'javascript:alert(1)', '']) {
      await expect(queue({ link: { label: said('x'), path } })).rejects.toThrow('a path of ours');
    }
  });
});

test('a mail belongs to its organisation; one of nobody is seen by none', async () => {
  const others = await createUsers(scene.database);
  await queue();
  await scene.database.forIdentity((db) =>
    queueMail(db, { clientId: null, to: 'new@example.test', reader, subject: said('Welcome'), paragraphs: [] }),
  );
  const seenBy = (clientId: string) =>
    scene.database.forClient(clientId, (db) => db.selectFrom('mails').select('recipient').execute());
  expect(await seenBy(users.clientId)).toEqual([{ recipient: 'ann@example.test' }]);
  expect(await seenBy(others.clientId)).toEqual([]);
  await expect(
    scene.database.forClient(users.clientId, (db) =>
      queueMail(db, { clientId: others.clientId, to: 'x@example.test', reader, subject: said('x'), paragraphs: [] }),
    ),
  ).rejects.toThrow(/row-level security/);
});
