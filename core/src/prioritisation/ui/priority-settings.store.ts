import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  changePrioritySettings,
  listPrioritySettings,
  type PastSettings as PastSettingsAttributes,
  type PreviewAttributes,
  type PrioritySettingsAttributes,
  previewPrioritySettings,
  readPrioritySettings,
} from '../api/settings-routes.ts';
import { type PriorityWeights, rulesOf } from '../model/settings/priority-rules.ts';
import { DEFAULT_SETTINGS, isSameSettings, type PrioritySettings } from '../model/settings/priority-settings.ts';
import { draftIssues, draftOf, type SettingsDraft, settingsOf } from './settings-draft.ts';

type Stored = Static<typeof PrioritySettingsAttributes>;
export type Preview = Static<typeof PreviewAttributes>;
export type PastSettings = Static<typeof PastSettingsAttributes>;

const POLL_MS = 1_500;
const PREVIEW_AFTER_MS = 400;

const onlySettings = (stored: Stored): PrioritySettings => ({
  toggle: stored.toggle,
  industryStandardFrameworks: stored.industryStandardFrameworks,
  complianceFrameworks: stored.complianceFrameworks,
  exploitabilityFactors: stored.exploitabilityFactors,
  impactOnCriticalSystems: stored.impactOnCriticalSystems,
  complianceStandars: stored.complianceStandars,
});

/** The prioritisation settings as they are stored and as somebody is changing them, and what the change would do. */
export class PrioritySettingsStore {
  stored: Stored | undefined = undefined;
  draft: SettingsDraft | undefined = undefined;
  history: readonly PastSettings[] = [];
  preview: Preview | undefined = undefined;
  isPreviewing = false;
  previewIssue: string | undefined = undefined;
  isSaving = false;
  isSaved = false;
  /** Why they could not be read. */
  error: unknown = undefined;
  /** Of the last attempt to save, by field; and of the whole. */
  issues: Map<string, string> = new Map();
  saveError: string | undefined = undefined;
  /** Somebody else saved meanwhile. */
  isOutdated = false;
  readonly #api: ApiClient;
  readonly #mayChange: boolean;
  readonly #reading = new LatestCall();
  readonly #progress = new LatestCall();
  readonly #previewing = new LatestCall();
  #poll: ReturnType<typeof setTimeout> | undefined = undefined;
  #previewTimer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(api: ApiClient, mayChange: boolean) {
    this.#api = api;
    this.#mayChange = mayChange;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** What the form says now; what is no number keeps what is stored. */
  get settings(): PrioritySettings | undefined {
    const { draft, stored } = this;
    return draft === undefined || stored === undefined ? undefined : settingsOf(draft, onlySettings(stored));
  }

  get weights(): PriorityWeights | undefined {
    return this.settings === undefined ? undefined : rulesOf(this.settings).weights;
  }

  get isChanged(): boolean {
    const { draft, stored } = this;
    if (draft === undefined || stored === undefined) return false;
    return JSON.stringify(draft) !== JSON.stringify(draftOf(onlySettings(stored)));
  }

  get isDefault(): boolean {
    const { settings } = this;
    return settings !== undefined && isSameSettings({ ...settings, toggle: false }, DEFAULT_SETTINGS);
  }

  /** Reads all anew; what somebody typed is given up. */
  async load(): Promise<void> {
    this.dispose();
    await this.#reading.run(
      (signal) =>
        Promise.all([
          this.#api.call(readPrioritySettings, { signal }),
          this.#api.call(listPrioritySettings, { signal }),
        ]),
      ([{ data }, { data: history }]) => {
        this.#take(data.attributes);
        this.history = history.map(({ attributes }) => attributes);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  setToggle(isOn: boolean): void {
    if (this.draft === undefined) return;
    this.draft.toggle = isOn;
    this.#touched('toggle');
  }

  setWeight(key: string, text: string): void {
    if (this.draft === undefined) return;
    this.draft.texts[key] = text;
    this.#touched(key);
  }

  /** The numbers that the product begins with. */
  setDefaults(): void {
    if (this.draft === undefined) return;
    this.draft.texts = draftOf(DEFAULT_SETTINGS).texts;
    this.issues = new Map();
    this.#touched('toggle');
  }

  async save(): Promise<void> {
    const { draft, stored, settings } = this;
    if (draft === undefined || stored === undefined || settings === undefined || this.isSaving) return;
    this.issues = draftIssues(draft);
    this.saveError = undefined;
    if (this.issues.size > 0) return;
    this.isSaving = true;
    try {
      const { data } = await this.#api.call(changePrioritySettings, { body: { ...settings, version: stored.version } });
      const { data: history } = await this.#api.call(listPrioritySettings, {});
      runInAction(() => {
        this.#take(data.attributes);
        this.history = history.map(({ attributes }) => attributes);
        this.isSaved = true;
      });
    } catch (error) {
      runInAction(() => this.#refuse(error));
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }

  /** Gives up what is being read. */
  dispose(): void {
    this.#reading.dispose();
    this.#progress.dispose();
    this.#previewing.dispose();
    clearTimeout(this.#poll);
    clearTimeout(this.#previewTimer);
  }

  #take(stored: Stored): void {
    this.stored = stored;
    this.draft = draftOf(onlySettings(stored));
    this.error = undefined;
    this.saveError = undefined;
    this.issues = new Map();
    this.isOutdated = false;
    this.preview = undefined;
    this.previewIssue = undefined;
    this.#follow();
  }

  #touched(key: string): void {
    this.isSaved = false;
    this.saveError = undefined;
    const issues = new Map(this.issues);
    issues.delete(key);
    this.issues = issues;
    this.#askPreview();
  }

  /** While the scoring goes on; only its progress is taken, so that nothing typed is lost. */
  #follow(): void {
    clearTimeout(this.#poll);
    if (this.stored?.recomputation.is_running !== true) return;
    this.#poll = setTimeout(() => void this.#readProgress(), POLL_MS);
  }

  async #readProgress(): Promise<void> {
    await this.#progress.run(
      (signal) => this.#api.call(readPrioritySettings, { signal }),
      ({ data }) => {
        if (this.stored !== undefined) {
          this.stored = { ...this.stored, recomputation: data.attributes.recomputation };
        }
        this.#follow();
      },
      // a lost connection ends nothing: it is asked again
      () => this.#follow(),
    );
  }

  #askPreview(): void {
    clearTimeout(this.#previewTimer);
    this.#previewing.dispose();
    if (!this.#mayChange) return;
    const isValid = this.draft !== undefined && draftIssues(this.draft).size === 0;
    if (!this.isChanged || !isValid) {
      this.preview = undefined;
      this.previewIssue = undefined;
      this.isPreviewing = false;
      return;
    }
    this.isPreviewing = true;
    this.#previewTimer = setTimeout(() => void this.#readPreview(), PREVIEW_AFTER_MS);
  }

  async #readPreview(): Promise<void> {
    const { settings } = this;
    if (settings === undefined) return;
    await this.#previewing.run(
      (signal) => this.#api.call(previewPrioritySettings, { body: settings, signal }),
      ({ data }) => {
        this.preview = data;
        this.previewIssue = undefined;
        this.isPreviewing = false;
      },
      (error) => {
        this.preview = undefined;
        this.previewIssue = messagesOf(error).join(' ');
        this.isPreviewing = false;
      },
    );
  }

  #refuse(error: unknown): void {
    const issues = error instanceof ApiError ? error.issues : [];
    this.issues = new Map(
      issues.flatMap(({ loc: [, group, name], msg }): [string, string][] => {
        if (group === 'toggle') return [['toggle', msg]];
        const entry = Object.keys(this.draft?.texts ?? {}).find((key) => key === `${group}-${name}`);
        return entry === undefined ? [] : [[entry, msg]];
      }),
    );
    this.isOutdated = error instanceof ApiError && error.code === 'conflict';
    if (this.issues.size === 0) this.saveError = messagesOf(error).join(' ');
  }
}
