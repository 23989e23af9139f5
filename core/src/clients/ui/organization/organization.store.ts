import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import type { FormIssue } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { updateClient } from '../../api/routes.ts';
import {
  changeOf,
  coordinateOf,
  draftIssues,
  draftOf,
  type OrganizationDraft,
  type OrganizationField,
} from '../../model/organization-form.ts';
import { readClient } from '../read-client.ts';

const issuesOf = (error: unknown): FormIssue[] => {
  if (!(error instanceof ApiError) || error.issues.length === 0) {
    return messagesOf(error).map((message) => ({ message }));
  }
  return error.issues.map(({ loc, msg }) => ({
    message: msg,
    fieldId: loc.filter((word) => typeof word === 'string' && word !== 'body').join('.'),
  }));
};

/** What the organisation says of itself, as it is stored and as somebody is changing it. */
export class OrganizationStore {
  stored: OrganizationDraft | undefined = undefined;
  draft: OrganizationDraft | undefined = undefined;
  /** Why it could not be read. */
  error: unknown = undefined;
  issues: FormIssue[] = [];
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

  /** Where the headquarters are, as far as it is typed. */
  get coordinate(): { lat: number; long: number } | undefined {
    return this.draft === undefined ? undefined : (coordinateOf(this.draft) ?? undefined);
  }

  async load(): Promise<void> {
    this.error = undefined;
    await this.#reading.run(
      (signal) => readClient(this.#api, signal),
      (detail) => {
        this.stored = draftOf(detail);
        this.draft = { ...this.stored };
      },
      (error) => {
        this.error = error;
      },
    );
  }

  errorOf(field: OrganizationField): string | undefined {
    return this.issues.find(({ fieldId }) => fieldId === field)?.message;
  }

  set(field: OrganizationField, text: string): void {
    if (this.draft !== undefined) this.draft = { ...this.draft, [field]: text };
    this.issues = this.issues.filter(({ fieldId }) => fieldId !== undefined && fieldId !== field);
    this.isSaved = false;
  }

  /** @returns the stored name of the organisation; nothing where it was refused. */
  async save(): Promise<string | undefined> {
    const { draft } = this;
    if (this.isSaving || draft === undefined) return undefined;
    this.issues = Object.entries(draftIssues(draft)).map(([fieldId, message]) => ({ fieldId, message: t(message) }));
    if (this.issues.length > 0) return undefined;
    this.isSaving = true;
    const body = changeOf(draft);
    try {
      await this.#api.call(updateClient, { body });
      runInAction(() => {
        this.stored = draftOf(body);
        this.draft = { ...this.stored };
        this.isSaved = true;
      });
      return body.organization_name;
    } catch (error) {
      runInAction(() => {
        this.issues = issuesOf(error);
      });
      return undefined;
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
