import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import {
  changeVersionLookup,
  readVersionLookup,
  type VersionLookupAttributes,
} from '../../api/version-lookup-routes.ts';
import { exclusionIssue, exclusionLines, MAX_EXCLUSIONS } from '../../model/excluded-packages.ts';

interface Draft {
  isEnabled: boolean;
  /** One pattern a line. */
  excluded: string;
}

const bodyOf = ({ isEnabled, excluded }: Draft) => ({ is_enabled: isEnabled, excluded: exclusionLines(excluded) });

/** Whether newest versions are looked up, as it is stored and as somebody is changing it. */
export class VersionLookupStore {
  draft: Draft | undefined = undefined;
  /** Host of the service that is asked. */
  service = '';
  /** Why it could not be read. */
  error: unknown = undefined;
  isSaving = false;
  isSaved = false;
  /** What is wrong with the list of private packages, by line as it is written. */
  lineIssues: readonly { line: string; message: string }[] = [];
  saveError: string | undefined = undefined;
  #stored = '';
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isChanged(): boolean {
    return this.draft !== undefined && JSON.stringify(bodyOf(this.draft)) !== this.#stored;
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(readVersionLookup, { signal }),
      ({ data }) => this.#take(data.attributes),
      (error) => {
        this.error = error;
      },
    );
  }

  change(change: Partial<Draft>): void {
    this.isSaved = false;
    this.saveError = undefined;
    this.lineIssues = [];
    if (this.draft !== undefined) this.draft = { ...this.draft, ...change };
  }

  async save(): Promise<void> {
    if (this.draft === undefined || this.isSaving) return;
    this.change({});
    const body = bodyOf(this.draft);
    this.lineIssues = body.excluded.flatMap((line) => {
      const issue = exclusionIssue(line);
      return issue === undefined ? [] : [{ line, message: t(issue) }];
    });
    if (body.excluded.length > MAX_EXCLUSIONS) {
      this.saveError = t('The list may have {most} lines.', { most: MAX_EXCLUSIONS });
    }
    if (this.lineIssues.length > 0 || this.saveError !== undefined) return;
    this.isSaving = true;
    try {
      const { data } = await this.#api.call(changeVersionLookup, { body });
      runInAction(() => {
        this.#take(data.attributes);
        this.isSaved = true;
      });
    } catch (error) {
      runInAction(() => this.#refuse(error, body.excluded));
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }

  #take(settings: Static<typeof VersionLookupAttributes>): void {
    const draft = { isEnabled: settings.is_enabled, excluded: settings.excluded.join('\n') };
    this.#stored = JSON.stringify(bodyOf(draft));
    this.draft = draft;
    this.service = settings.service;
    this.error = undefined;
  }

  #refuse(error: unknown, lines: readonly string[]): void {
    const issues = error instanceof ApiError ? error.issues : [];
    this.lineIssues = issues.flatMap(({ loc: [, list, index], msg }) =>
      list === 'excluded' && typeof index === 'number' ? [{ line: lines[index] ?? '', message: msg }] : [],
    );
    if (this.lineIssues.length === 0) this.saveError = messagesOf(error).join(' ');
  }
}
