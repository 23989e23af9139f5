import { SMTPServer } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Head and body as sent, lines ended by CRLF. */
  raw: string;
}

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** Answers instead of taking a recipient, by address: a number of RFC 5321. */
  refusals: Map<string, number>;
  close(): Promise<void>;
}

const portOf = (server: SMTPServer): number => {
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.');
  return address.port;
};

/** A real SMTP server on loopback that keeps what it gets. */
export const startMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = refusals.get(address);
      done(responseCode === undefined ? null : Object.assign(new Error('Not taken'), { responseCode }));
    },
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, raw: Buffer.concat(parts).toString('utf8') });
        done(null);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${portOf(server)}`,
    mails,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
