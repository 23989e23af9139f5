import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { issuesByField, messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import type { FormIssue } from '../../platform/ui/forms/form-field.tsx';
import { getSettings, saveSettings, testSettings } from '../api/routes.ts';
import type { Settings, SettingsChange } from '../api/settings-schema.ts';
import { changeOf, type Draft, draftOf } from './settings-draft.ts';

export type StoredSettings = Static<typeof Settings>;
type Change = Static<typeof SettingsChange>;

/** How the organisation signs in, as it is stored and as an admin is changing it. */
export class SingleSignOnStore {
  stored: StoredSettings | undefined = undefined;
  draft: Draft | undefined = undefined;
  /** Why the settings could not be read. */
  error: unknown = undefined;
  /** Of the last attempt to save. */
  issues: FormIssue[] = [];
  isSaving = false;
  isSaved = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get change(): Change {
    const { stored, draft } = this;
    return stored === undefined || draft === undefined ? {} : changeOf(stored, draft);
  }

  get isChanged(): boolean {
    return Object.keys(this.change).length > 0;
  }

  async load(): Promise<void> {
    this.error = undefined;
    await this.#reading.run(
      (signal) => this.#api.call(getSettings, { signal }),
      ({ data }) => this.#take(data),
      (error) => {
        this.error = error;
      },
    );
  }

  set(values: Partial<Draft>): void {
    if (this.draft === undefined) return;
    Object.assign(this.draft, values);
    this.isSaved = false;
    this.issues = this.issues.filter(({ fieldId }) => fieldId !== undefined && !(fieldId in values));
  }

  errorOf(fieldId: string): string | undefined {
    return this.issues.find((issue) => issue.fieldId === fieldId)?.message;
  }

  /** Saves what was changed; what the server refuses becomes issues. */
  async save(): Promise<void> {
    await this.apply(this.change);
  }

  /** Saves one thing at once, such as a switch. @returns whether it was taken */
  async apply(change: Change): Promise<boolean> {
    if (this.isSaving) return false;
    this.isSaving = true;
    this.isSaved = false;
    this.issues = [];
    try {
      const { data } = await this.#api.call(saveSettings, { body: change });
      runInAction(() => {
        this.#take(data);
        this.isSaved = true;
      });
      return true;
    } catch (error) {
      runInAction(() => {
        const byField = Object.entries(issuesByField(error)).map(([fieldId, message]) => ({ fieldId, message }));
        this.issues = byField.length > 0 ? byField : messagesOf(error).map((message) => ({ message }));
      });
      return false;
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }

  /** Begins a test sign-in. @returns where it leads @throws ApiError */
  async test(): Promise<string> {
    return (await this.#api.call(testSettings)).data.url;
  }

  dispose(): void {
    this.#reading.dispose();
  }

  #take(settings: StoredSettings): void {
    this.stored = settings;
    this.draft = draftOf(settings);
  }
}
