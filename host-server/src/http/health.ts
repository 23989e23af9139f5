import { Router } from 'express';
import type { Registry } from 'prom-client';

export interface HealthDeps {
  /** Each names a part that must answer before requests are sent here. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  stopping: AbortSignal;
  metrics: Registry;
}

const CHECK_TIMEOUT_MS = 2000;

const isWell = async (check: () => Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), tooLate]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/** `/healthz`: the process is alive. `/readyz`: it may be sent requests. `/metrics`: Prometheus text. */
export const createHealthRouter = ({ checks, stopping, metrics }: HealthDeps): Router => {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await isWell(check)) ? 'ok' : 'failed'] as const),
    );
    const isReady = !stopping.aborted && results.every(([, result]) => result === 'ok');
    response.status(isReady ? 200 : 503).json({
      status: stopping.aborted ? 'stopping' : isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(results),
    });
  });
  router.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
};
