import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { saveBlob } from '../../../platform/ui/data/save-blob.ts';
import { dayOfReader } from '../../../platform/ui/display/formats.ts';
import type { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { EXPORTS, type ExportFormat } from '../../api/exports-routes.ts';
import { type ColumnKey, tableColumns } from '../../model/column-catalogue.ts';
import type { FindingView } from '../data/finding-view.ts';

/** Downloads of what the list shows: one at a time, can be given up. */
export class ExportStore {
  /** What is being written. */
  running: ExportFormat | undefined = undefined;
  readonly #api: ApiClient;
  readonly #toasts: ToastsStore;
  #abort = new AbortController();

  constructor(api: ApiClient, toasts: ToastsStore) {
    this.#api = api;
    this.#toasts = toasts;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Reads the file to its end, then gives it to the browser to keep. Text of a failure: specification §8 "Report download failure". */
  async start(format: ExportFormat, view: FindingView, columns: readonly ColumnKey[]): Promise<void> {
    if (this.running !== undefined) return;
    this.running = format;
    this.#abort = new AbortController();
    const { filters, search, sort, sortField } = view;
    const fields = format === 'csv' ? tableColumns(columns) : [...columns];
    const query = { filters, search, sort, sort_field: sortField, fields };
    try {
      const blob = await this.#api.download(EXPORTS[format].route, { query, signal: this.#abort.signal });
      saveBlob(blob, `findings-${dayOfReader()}.${format}`);
    } catch (error) {
      if (!isAbort(error)) {
        this.#toasts.show(t('Failed to download file'), {
          tone: 'problem',
          action: { label: t('Try again'), onAction: () => void this.start(format, view, columns) },
        });
      }
    } finally {
      runInAction(() => {
        this.running = undefined;
      });
    }
  }

  cancel(): void {
    this.#abort.abort();
  }
}
