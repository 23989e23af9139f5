import { serviceId } from './service-id.ts';

/** Whose reports these are: a repository that is there, or a new one of this name. */
export type Application = { kind: 'existing'; id: string; name: string } | { kind: 'new'; name: string };

/** How every screen starts an upload. The ingest slice implements it; its dialog outlives the page. */
export interface UploadsPort {
  /** Reports of this tab are on their way, or are being read. */
  readonly isImporting: boolean;
  /** Opens the dialog, for one application where the place says which. */
  open(application?: Application): void;
  /** Takes files that were chosen or dropped, and opens the dialog. */
  addFiles(files: readonly File[]): void;
}

export const UPLOADS = serviceId<UploadsPort>('platform.uploads');
