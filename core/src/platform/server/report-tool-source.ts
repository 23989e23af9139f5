import type { ReportTools } from '../model/connector-catalogue.ts';
import type { Db } from './database.ts';

/** The importers that one organisation has. */
export interface ClientReportTools {
  readonly tools: ReportTools;
  /** What the module of the importers needs to open those that the organisation added, in another thread: plain data. */
  readonly added: readonly unknown[];
}

/** Where slices get importers from. Implemented by the composition root. */
export interface ReportToolSource {
  /** Those that every organisation has. */
  readonly shared: ReportTools;
  /** Those, and what the organisation added by now. In a transaction of that organisation. */
  ofClient(db: Db, clientId: string): Promise<ClientReportTools>;
}
