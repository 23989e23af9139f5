import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';

/** What the feed says to the next question. */
export interface FeedReply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Bytes after which the connection is cut, though more was announced. */
  cutAfter?: number;
}

export interface FeedServer {
  address: URL;
  reply(next: FeedReply): void;
  /** Headers of the questions so far. */
  asked: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** A feed on this machine. */
export const startFeedServer = async (): Promise<FeedServer> => {
  let current: FeedReply = {};
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    const { status = 200, headers = {}, body = '', cutAfter } = current;
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': bytes.length }) });
    if (cutAfter === undefined) response.end(status === 304 ? undefined : bytes);
    else response.write(bytes.subarray(0, cutAfter), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  return {
    address: new URL(`http://127.0.0.1:${port}/feed?key=hidden`),
    reply: (next) => {
      current = next;
    },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** An EPSS file as FIRST.org writes it. */
export const epssFile = (date: string, scores: Readonly<Record<string, number>>): Buffer =>
  gzipSync(
    `#model_version:v2025.03.14,score_date:${date}T12:55:00Z\ncve,epss,percentile\n${Object.entries(scores)
      .map(([cve, score]) => `${cve},${score},0.5\n`)
      .join('')}`,
  );

/** A KEV file as CISA writes it. */
export const kevFile = (date: string, cves: readonly string[]): string =>
  JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    dateReleased: `${date}T16:00:00.0Z`,
    count: cves.length,
    vulnerabilities: cves.map((cveID) => ({
      cveID,
      vulnerabilityName: 'A name',
      dateAdded: date,
      dueDate: date,
      requiredAction: 'Apply updates',
      knownRansomwareCampaignUse: 'Unknown',
    })),
  });
