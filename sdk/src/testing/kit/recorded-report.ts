import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedReport } from '../fixtures.ts';

/** A recorded report as an upload brings it. */
export interface ReadReport {
  /** As issues name it: `reports/one.json`, or `report 2` of those that are written out. */
  readonly name: string;
  /** For `recognise`; undefined where the report is no file. */
  readonly fileName: string | undefined;
  readonly bytes: Uint8Array;
}

/** How issues name a report. @param index among those of its tool */
export const reportName = ({ file }: RecordedReport, index: number): string => file ?? `report ${index + 1}`;

/** @param folder of the plugin @throws where its file cannot be read */
export async function readRecordedReport(report: RecordedReport, index: number, folder: string): Promise<ReadReport> {
  const name = reportName(report, index);
  const { file, text } = report;
  if (file === undefined) return { name, fileName: undefined, bytes: new TextEncoder().encode(text) };
  return { name, fileName: file.split('/').at(-1), bytes: await readFile(join(folder, file)) };
}
