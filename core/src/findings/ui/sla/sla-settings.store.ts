import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { issuesByField, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { getSla, type SlaSettings, saveSla } from '../../api/sla-routes.ts';
import { DEFAULT_SLA_DAYS, DEFAULT_SLA_RULES, type DueStart, MAX_SLA_DAYS } from '../../model/sla.ts';

/** As typed; empty for no limit. */
type Draft = Record<Severity, string>;

const textOf = (days: number | null): string => (days === null ? '' : String(days));

const draftOf = (days: Readonly<Record<Severity, number | null>>): Draft => ({
  critical: textOf(days.critical),
  high: textOf(days.high),
  medium: textOf(days.medium),
  low: textOf(days.low),
  informational: textOf(days.informational),
});

const invalidDays = (): string =>
  t('Whole days from 1 to {days}, or empty for no limit.', { days: String(MAX_SLA_DAYS) });

/** Days; null for no limit; undefined for what is none. */
const daysOf = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const days = Number(text);
  return /^\s*\d+\s*$/.test(text) && days >= 1 && days <= MAX_SLA_DAYS ? days : undefined;
};

/** The days that are allowed for fixing, as they are stored and as somebody is changing them. */
export class SlaSettingsStore {
  stored: Static<typeof SlaSettings> | undefined = undefined;
  draft: Draft = draftOf(DEFAULT_SLA_DAYS);
  starts: DueStart = DEFAULT_SLA_RULES.starts;
  /** Why they could not be read. */
  error: unknown = undefined;
  /** By severity, after an attempt to save. */
  issues: Record<string, string> = {};
  /** Of the whole. */
  saveError: string | undefined = undefined;
  isSaving = false;
  isSaved = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isChanged(): boolean {
    const { stored } = this;
    if (stored === undefined) return false;
    const hasOtherDays = SEVERITIES.some((severity) => this.draft[severity] !== textOf(stored[severity]));
    return hasOtherDays || this.starts !== stored.starts;
  }

  get isDefault(): boolean {
    const hasDefaultDays = SEVERITIES.every((severity) => this.draft[severity] === textOf(DEFAULT_SLA_DAYS[severity]));
    return hasDefaultDays && this.starts === DEFAULT_SLA_RULES.starts;
  }

  async load(): Promise<void> {
    this.error = undefined;
    await this.#reading.run(
      (signal) => this.#api.call(getSla, { signal }),
      ({ data }) => this.#take(data),
      (error) => {
        this.error = error;
      },
    );
  }

  set(severity: Severity, text: string): void {
    this.draft[severity] = text;
    this.#clearMessages();
  }

  setStarts(starts: DueStart): void {
    this.starts = starts;
    this.#clearMessages();
  }

  reset(): void {
    this.draft = draftOf(DEFAULT_SLA_DAYS);
    this.starts = DEFAULT_SLA_RULES.starts;
    this.#clearMessages();
  }

  /** @returns the first severity whose days cannot be meant. */
  async save(): Promise<Severity | undefined> {
    if (this.isSaving) return undefined;
    this.#clearMessages();
    const wrong = SEVERITIES.filter((severity) => daysOf(this.draft[severity]) === undefined);
    this.issues = Object.fromEntries(wrong.map((severity) => [severity, invalidDays()]));
    if (wrong.length > 0) return wrong[0];
    this.isSaving = true;
    try {
      const days = Object.fromEntries(SEVERITIES.map((severity) => [severity, daysOf(this.draft[severity])]));
      const body = { ...days, starts: this.starts };
      const { data } = await this.#api.call(saveSla, { body });
      runInAction(() => {
        this.#take(data);
        this.isSaved = true;
      });
    } catch (error) {
      runInAction(() => {
        this.issues = issuesByField(error);
        if (Object.keys(this.issues).length === 0) this.saveError = messagesOf(error).join(' ');
      });
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
    return SEVERITIES.find((severity) => this.issues[severity] !== undefined);
  }

  dispose(): void {
    this.#reading.dispose();
  }

  #take(settings: Static<typeof SlaSettings>): void {
    this.stored = settings;
    this.draft = draftOf(settings);
    this.starts = settings.starts;
  }

  #clearMessages(): void {
    this.isSaved = false;
    this.saveError = undefined;
    this.issues = {};
  }
}
