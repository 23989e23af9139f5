import { eventKind } from '../../platform/ui/live-events.ts';

/** A scan moved on. `percentage` is 0-100. */
export interface ScanProgress {
  scan_id: string;
  percentage?: number;
}

export const SCAN_PROGRESS = eventKind<ScanProgress>('scan.progress');
export const SCAN_COMPLETED = eventKind<ScanProgress>('scan.completed');
export const SCAN_FAILED = eventKind<ScanProgress>('scan.failed');
