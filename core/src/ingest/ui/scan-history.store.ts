import { makeAutoObservable, runInAction } from 'mobx';
import { POSTURE_TITLE, POSTURE_TOOL } from '../../platform/model/posture-checks.ts';
import { withVisibleText } from '../../platform/model/visible-text.ts';
import { type ApiClient, addressOf } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { readRepositoryName } from '../../repositories/ui/index.ts';
import { downloadReport, listScans, listTools, settleClosing, undoScan } from '../api/routes.ts';
import type { Decision } from './scan-notices.tsx';
import type { Scan } from './upload-transport.ts';

export const PAGE_SIZE = 25;

export interface ScanRow {
  _id: string;
  attributes: Scan;
}

/** 0-based page of an address. */
export const parsePage = (params: URLSearchParams): number => {
  const page = Number(params.get('page') ?? 0);
  return Number.isInteger(page) && page >= 0 ? page : 0;
};

export const reportAddress = (scanId: string): string => addressOf(downloadReport, { id: scanId }, undefined);

/** The imports of one repository, newest first. */
export class ScanHistoryStore {
  page = 0;
  rows: ScanRow[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  repositoryName: string | undefined = undefined;
  isUndoing = false;
  readonly #titles = new Map<string, string>();
  readonly #api: ApiClient;
  readonly #repositoryId: string;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, repositoryId: string) {
    this.#api = api;
    this.#repositoryId = repositoryId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(page: number): void {
    this.page = page;
    void this.load();
  }

  /** A tool's name as people write it. */
  toolTitle(tool: string): string {
    // no importer: the server reads it itself
    return this.#titles.get(tool) ?? (tool === POSTURE_TOOL ? POSTURE_TITLE : tool);
  }

  /** The later scan of this page that took a scan back, or is about to. */
  undoneBy(scanId: string): ScanRow | undefined {
    return this.rows?.find(({ attributes }) => attributes.undoes === scanId && attributes.status !== 'failed');
  }

  async load(): Promise<void> {
    const id = this.#repositoryId;
    const pagination = { page: this.page + 1, pageSize: PAGE_SIZE };
    const query = { filters: { repository: [id] }, pagination };
    await this.#reading.run(
      (signal) =>
        Promise.all([
          this.#api.call(listScans, { query, signal }),
          this.repositoryName ?? readRepositoryName(this.#api, id, signal),
          this.#titles.size > 0 ? undefined : this.#api.call(listTools, { signal }),
        ]),
      ([scans, name, titles]) => {
        this.rows = withVisibleText(scans.data);
        this.total = scans.meta.pagination.total;
        this.repositoryName = name;
        this.error = undefined;
        for (const { _id, attributes } of titles?.data ?? []) this.#titles.set(_id, attributes.title);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** A scan moved on: its row says how far. One that is not shown yet may have just begun. */
  advance(scanId: string, percentage: number | undefined): void {
    const row = this.rows?.find(({ _id }) => _id === scanId);
    if (row === undefined || row.attributes.status === 'queued' || percentage === undefined) void this.load();
    else row.attributes.percentage = percentage;
  }

  /** Takes an import back. @throws ApiError with the reason when the server refuses. */
  async undo(scanId: string): Promise<void> {
    this.isUndoing = true;
    try {
      await this.#api.call(undoScan, { params: { id: scanId } });
      await this.load();
    } finally {
      runInAction(() => {
        this.isUndoing = false;
      });
    }
  }

  /** Decides on a closing that was held back. @throws ApiError with the reason when the server refuses. */
  async settle(scanId: string, decision: Decision): Promise<void> {
    await this.#api.call(settleClosing, { params: { id: scanId }, body: { decision } });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
