import type { ReportParser } from '@breakwater/sdk';
import { loadParsers } from '../importers.ts';

/** Every report parser of this plugin, as `importers.ts` lists them. */
export const parsers: ReportParser[] = await loadParsers();
