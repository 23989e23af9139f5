import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import type { SCHEDULES } from '../../api/client-detail.ts';
import { updateClient } from '../../api/routes.ts';
import { readClient } from '../read-client.ts';

export type Schedule = (typeof SCHEDULES)[number];

export interface ScanSettingsDraft {
  schedule: Schedule;
  isAutonomous: boolean;
  isReported: boolean;
  /** One name a line. */
  excluded: string;
}

const draftOf = (client: Awaited<ReturnType<typeof readClient>>): ScanSettingsDraft => ({
  schedule: client.schedule_scan ?? 'none',
  isAutonomous: client.autonomous_scan === true,
  isReported: client.pipeline_integration === true,
  excluded: (client.excluded_tools ?? []).join('\n'),
});

const namesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** When the organisation scans and with what, as it is stored and as somebody is changing it. */
export class ScanSettingsStore {
  stored: ScanSettingsDraft | undefined = undefined;
  draft: ScanSettingsDraft | undefined = undefined;
  /** Why it could not be read. */
  error: unknown = undefined;
  /** Why it was not saved. */
  issues: { message: string }[] = [];
  isSaving = false;
  isSaved = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isChanged(): boolean {
    return JSON.stringify(this.stored) !== JSON.stringify(this.draft);
  }

  async load(): Promise<void> {
    this.error = undefined;
    await this.#reading.run(
      (signal) => readClient(this.#api, signal),
      (client) => {
        this.stored = draftOf(client);
        this.draft = { ...this.stored };
      },
      (error) => {
        this.error = error;
      },
    );
  }

  set(change: Partial<ScanSettingsDraft>): void {
    if (this.draft !== undefined) this.draft = { ...this.draft, ...change };
    this.issues = [];
    this.isSaved = false;
  }

  async save(): Promise<void> {
    const { draft } = this;
    if (this.isSaving || draft === undefined) return;
    this.isSaving = true;
    this.issues = [];
    const excluded_tools = namesOf(draft.excluded);
    try {
      await this.#api.call(updateClient, {
        body: {
          schedule_scan: draft.schedule,
          autonomous_scan: draft.isAutonomous,
          pipeline_integration: draft.isReported,
          excluded_tools,
        },
      });
      runInAction(() => {
        this.stored = { ...draft, excluded: excluded_tools.join('\n') };
        this.draft = { ...this.stored };
        this.isSaved = true;
      });
    } catch (error) {
      runInAction(() => {
        this.issues = messagesOf(error).map((message) => ({ message }));
      });
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
