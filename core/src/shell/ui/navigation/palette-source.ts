import type { Permission } from '../../../platform/model/permissions.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { serviceId } from '../../../platform/ui/data/service-id.ts';
import type { SignedInUser } from './shell-ports.ts';

/** Something that the palette found and leads to. */
export interface PaletteHit {
  /** Unique within its source. */
  id: string;
  label: string;
  /** Where it is or what it belongs to, beside the label. */
  detail?: string;
  to: string;
}

export interface PaletteQuestion {
  api: ApiClient;
  /** What was typed, trimmed; two characters at least. */
  text: string;
  user: SignedInUser;
  signal: AbortSignal;
}

/** One kind of thing that the palette finds. The server answers it, so that nobody finds what they may not read. */
export interface PaletteSource {
  /** Heading of its group. */
  group: string;
  /** Who has it not is not asked for it. */
  permission: Permission;
  /** The best few, best first; throws what the API client throws. */
  find(question: PaletteQuestion): Promise<PaletteHit[]>;
}

/** The most that one source shows. */
export const MAX_HITS = 5;

/** Fetched when somebody opens the palette. */
export const PALETTE_SOURCES = serviceId<() => Promise<readonly PaletteSource[]>>('shell.palette-sources');
