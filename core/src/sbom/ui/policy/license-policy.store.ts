import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { changeLicensePolicy, readLicensePolicy } from '../../api/license-policy-routes.ts';
import type { LicenseClass } from '../../model/license-classes.ts';
import type { LicenseVerdict } from '../../model/license-policy.ts';

interface Exception {
  /** Of the row, not of the licence: rows come and go while somebody types. */
  key: number;
  license: string;
  verdict: LicenseVerdict;
}

interface Draft {
  classes: Record<LicenseClass, LicenseVerdict>;
  licenses: Exception[];
}

const bodyOf = ({ classes, licenses }: Draft) => ({
  classes,
  licenses: licenses.map(({ license, verdict }) => ({ license: license.trim(), verdict })),
});

/** The licence policy as it is stored, and as somebody is changing it. */
export class LicensePolicyStore {
  draft: Draft | undefined = undefined;
  /** Null while the default holds. */
  updatedAt: string | null = null;
  /** Why it could not be read. */
  error: unknown = undefined;
  isSaving = false;
  isSaved = false;
  /** Issues of the last attempt to save: of rows by their place, and of the whole. */
  rowIssues = new Map<number, string>();
  saveError: string | undefined = undefined;
  #stored = '';
  #nextKey = 0;
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
      (signal) => this.#api.call(readLicensePolicy, { signal }),
      ({ data }) => this.#take(data.attributes),
      (error) => {
        this.error = error;
      },
    );
  }

  setClass(licenseClass: LicenseClass, verdict: LicenseVerdict): void {
    this.#touch();
    if (this.draft !== undefined) this.draft.classes = { ...this.draft.classes, [licenseClass]: verdict };
  }

  addLicense(): void {
    this.#touch();
    this.draft?.licenses.push({ key: this.#newKey(), license: '', verdict: 'forbidden' });
  }

  changeLicense(key: number, change: Partial<Omit<Exception, 'key'>>): void {
    this.#touch();
    const row = this.draft?.licenses.find((one) => one.key === key);
    if (row !== undefined) Object.assign(row, change);
  }

  removeLicense(key: number): void {
    this.#touch();
    if (this.draft !== undefined) this.draft.licenses = this.draft.licenses.filter((one) => one.key !== key);
  }

  async save(): Promise<void> {
    if (this.draft === undefined || this.isSaving) return;
    this.#touch();
    const empty = this.draft.licenses.flatMap(({ license }, index) => (license.trim() === '' ? [index] : []));
    if (empty.length > 0) {
      this.rowIssues = new Map(empty.map((index) => [index, t('Name a licence, or remove the line.')]));
      return;
    }
    this.isSaving = true;
    try {
      const { data } = await this.#api.call(changeLicensePolicy, { body: bodyOf(this.draft) });
      runInAction(() => {
        this.#take(data.attributes);
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

  dispose(): void {
    this.#reading.dispose();
  }

  #newKey(): number {
    this.#nextKey += 1;
    return this.#nextKey;
  }

  #touch(): void {
    this.isSaved = false;
    this.saveError = undefined;
    this.rowIssues = new Map();
  }

  #take(policy: { classes: Draft['classes']; licenses: Omit<Exception, 'key'>[]; updated_at: string | null }): void {
    const draft = {
      classes: policy.classes,
      licenses: policy.licenses.map((row) => ({ ...row, key: this.#newKey() })),
    };
    this.#stored = JSON.stringify(bodyOf(draft));
    this.draft = draft;
    this.updatedAt = policy.updated_at;
    this.error = undefined;
  }

  #refuse(error: unknown): void {
    const issues = error instanceof ApiError ? error.issues : [];
    for (const { loc, msg } of issues) {
      const [, list, index] = loc;
      if (list === 'licenses' && typeof index === 'number') this.rowIssues.set(index, msg);
    }
    if (this.rowIssues.size === 0) this.saveError = messagesOf(error).join(' ');
  }
}
