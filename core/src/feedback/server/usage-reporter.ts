import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import type { Logger } from 'pino';
import { createEgressFetch } from '../../platform/server/identity/egress-fetch.ts';

/** A page that was opened. It names nobody. */
export interface PageOpened {
  /** As the route table names it, such as `/findings/finding-details/:id`. */
  page: string;
  from: string | undefined;
  visit: string;
}

export interface UsageConfig {
  /** Of Application Insights: a UUID. */
  instrumentationKey: string;
  /** Where events are taken, such as `https://dc.services.visualstudio.com`. */
  endpoint: URL;
}

interface ReporterOptions extends UsageConfig {
  gate: EgressGate;
  log: Logger;
  /** How long events are collected before they are sent, in milliseconds. */
  collectMs?: number;
}

/** Tells the operator's service which pages are opened. */
export interface UsageReporter {
  report(opened: PageOpened): void;
  /** Sends what was collected. */
  flush(): Promise<void>;
}

const COLLECT_MS = 5000;
const MAX_COLLECTED = 1000;
const REQUEST_MS = 10_000;

/** One event as Application Insights takes it. Source: its endpoint protocol, `PageViewData` version 2. */
const envelopeOf = (instrumentationKey: string, { page, from, visit }: PageOpened) => ({
  name: 'Microsoft.ApplicationInsights.PageView',
  time: new Date().toISOString(),
  iKey: instrumentationKey,
  // zeros: the address of neither the person nor this server is recorded
  tags: { 'ai.session.id': visit, 'ai.operation.name': page, 'ai.location.ip': '0.0.0.0' },
  data: {
    baseType: 'PageViewData',
    baseData: { ver: 2, name: page, url: page, properties: from === undefined ? {} : { from } },
  },
});

/**
 * Collects events for some seconds and sends them together. What cannot be sent is dropped and logged: nobody waits for it, and
 * nothing is kept here.
 */
export const createUsageReporter = (options: ReporterOptions): UsageReporter => {
  const { instrumentationKey, endpoint, gate, log, collectMs = COLLECT_MS } = options;
  const send = createEgressFetch(gate, {
    title: 'usage',
    name: 'The service that measures use',
    trusted: [hostAndPort(endpoint)],
    timeoutMs: REQUEST_MS,
  });
  const address = new URL('v2/track', endpoint.href.endsWith('/') ? endpoint : `${endpoint.href}/`);
  let collected: PageOpened[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const opened = collected;
    collected = [];
    if (opened.length === 0) return;
    try {
      const answer = await send(address.href, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(opened.map((one) => envelopeOf(instrumentationKey, one))),
        redirect: 'manual',
      });
      if (!answer.ok) log.warn({ status: answer.status, events: opened.length }, 'reports of use were refused');
    } catch (error) {
      log.warn({ err: error, events: opened.length }, 'reports of use could not be sent');
    }
  };
  return {
    report: (opened) => {
      if (collected.length >= MAX_COLLECTED) return;
      collected.push(opened);
      timer ??= setTimeout(() => void flush(), collectMs).unref();
    },
    flush,
  };
};
