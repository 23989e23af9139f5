import { Counter, Histogram, type Registry } from 'prom-client';

/** What the import of reports counts, for /metrics. */
export interface ImportMetrics {
  /** One import has ended. `tool` is the recognised tool, `unknown` before that. */
  finished(result: { tool: string; status: 'done' | 'failed'; findings: number; seconds: number }): void;
}

/** Import counters of this process. */
export const createImportMetrics = (registry: Registry): ImportMetrics => {
  const imports = new Counter({
    name: 'breakwater_imports_total',
    help: 'Reports imported or refused',
    labelNames: ['tool', 'status'],
    registers: [registry],
  });
  const findings = new Counter({
    name: 'breakwater_imported_findings_total',
    help: 'Results of reports that were imported',
    labelNames: ['tool'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'breakwater_import_seconds',
    help: 'Time of an import from its start to its commit',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  return {
    finished: (result) => {
      imports.inc({ tool: result.tool, status: result.status });
      findings.inc({ tool: result.tool }, result.findings);
      seconds.observe(result.seconds);
    },
  };
};
