import type { ReportTools } from '@breakwater/core/platform/model/report-tools.ts';
import { openRegistry } from './open-registry.ts';

/**
 * The importers for a parse worker thread: manifests and parsers, nothing that talks to services. A worker of a slice gets this
 * module's address from the composition root and imports it, because slices may not import the host.
 */
export async function openReportTools(): Promise<ReportTools> {
  const { registry } = await openRegistry({ parsers: true, server: false });
  return registry;
}
