import { setTimeout } from 'node:timers/promises';
import { ConnectorError, type Ctx, readAnswer } from '@breakwater/sdk';
import type { CheckmarxForm } from '../../cards/services.ts';
import { OrderedReport, ReportStatus } from './answers.ts';
import type { Session } from './session.ts';

/** Between two looks at a report that is being written. */
const LOOK_AGAIN_MS = 1_000;
/** The host ends a sync that is silent for 60 s; a server that writes longer is asked again later. */
const PATIENCE_MS = 40_000;
const REPORTS = '/cxrestapi/reports/sastScan';

/**
 * The XML report of a scan, the same that people download and upload.
 * The server writes it on order; the order is remembered, so that a sync that was interrupted does not order it again.
 * Source: CxSAST REST API, "Reports".
 */
export async function* reportOf(session: Session, ctx: Ctx<CheckmarxForm>, scan: number): AsyncIterable<Uint8Array> {
  const key = `report:${scan}`;
  const ordered = await ctx.store.get(key);
  let report = typeof ordered === 'number' ? ordered : await order(session, scan);
  await ctx.store.set(key, report);
  let state = await waitFor(session, ctx, report);
  if (state === 'gone') {
    report = await order(session, scan);
    await ctx.store.set(key, report);
    state = await waitFor(session, ctx, report);
  }
  await ctx.store.delete(key);
  if (state !== 'created') {
    throw new ConnectorError('upstream', `The Checkmarx server could not write the report of scan ${scan}.`, {
      help: 'Try to make an XML report of the scan in Checkmarx; its log says why it fails.',
    });
  }
  yield* session.stream(`${REPORTS}/${report}`);
}

async function order(session: Session, scan: number): Promise<number> {
  const answer = await session.ask({ method: 'POST', path: REPORTS, body: { reportType: 'XML', scanId: scan } });
  return readAnswer(OrderedReport, answer).reportId;
}

async function waitFor(
  session: Session,
  ctx: Ctx<CheckmarxForm>,
  report: number,
): Promise<'created' | 'failed' | 'gone'> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const answer = await session.ask({ path: `${REPORTS}/${report}/status` });
    // Servers throw reports away after a while.
    if (answer === null) return 'gone';
    const { value } = readAnswer(ReportStatus, answer).status;
    if (value === 'Created') return 'created';
    if (value === 'Failed' || value === 'Deleted') return 'failed';
    await setTimeout(LOOK_AGAIN_MS, undefined, { signal: ctx.signal });
  }
  throw new ConnectorError('rate_limited', 'The Checkmarx server is still writing a report.', {
    retryAfterMs: 60_000,
    help: 'Nothing needs to be done: the report is fetched when it is ready.',
  });
}
