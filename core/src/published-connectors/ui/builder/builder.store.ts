import { makeAutoObservable, observable } from 'mobx';
import { msg } from '../../../platform/model/message.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import {
  checkDocument,
  type DocumentIssue,
  getPublishedConnector,
  type PublishedConnectorDetail,
  type TriedDocument,
  testDocument,
} from '../../api/routes.ts';
import {
  type DraftDocument,
  type DraftPath,
  documentIn,
  documentText,
  fieldsOf,
  isRecord,
  NEW_DOCUMENT,
  nextVersionOf,
  textAt,
  valueAt,
  withValue,
} from '../../model/draft-document.ts';
import { type Sending, sendingsIn } from '../../model/publication.ts';

/** Where a draft is kept: in this browser, for one person. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface DraftPlace {
  storage: DraftStorage;
  userId: string;
  /** The publication that a version is written for; null for a new connector. */
  publicationId: string | null;
}

const KEY = 'bw-connector-draft';
const CHECK_MS = 500;
const DOCUMENT_FIRST = msg('Correct the document first: what is wrong stands at its fields and beside the text.');

/** What was tried, and of which document. */
export interface TestResult {
  readonly text: string;
  readonly tried: TriedDocument;
}

interface PublishedDetail {
  readonly _id: string;
  readonly attributes: PublishedConnectorDetail;
}

const EMPTY_TEXT = documentText(NEW_DOCUMENT);

/** One draft of a connector: its text is the fact, the form reads and writes it. */
export class BuilderStore {
  text: string;
  issues: readonly DocumentIssue[] = [];
  /** Why a test could not be made, by field of the form; under the empty name what is about none. */
  testErrors: ReadonlyMap<string, string> = new Map();
  result: TestResult | undefined = undefined;
  isTesting = false;
  /** A test may send one message and make one ticket. */
  maySend = false;
  /** What a new version is written of; undefined for a new connector, and until it is read. */
  published: PublishedDetail | undefined = undefined;
  /** Why it could not be read. */
  error: unknown = undefined;
  /** Somebody wanted to test it: from then on it is said what an empty form lacks. */
  isAsked = false;
  /** Credentials for the test. They live as long as the page. */
  readonly values = observable.map<string, string | boolean>();
  readonly #api: ApiClient;
  readonly #place: DraftPlace;
  readonly #reading = new LatestCall();
  readonly #checking = new LatestCall();
  readonly #testing = new LatestCall();
  /** What is there before anything is written. */
  #first = EMPTY_TEXT;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ApiClient, place: DraftPlace) {
    this.#api = api;
    this.#place = place;
    this.text = this.#kept() ?? this.#first;
    makeAutoObservable(this, { values: false }, { autoBind: true });
  }

  /** Undefined while the text is no JSON object. */
  get document(): DraftDocument | undefined {
    return documentIn(this.text);
  }

  /** Nothing was written yet. */
  get isNew(): boolean {
    return this.text === this.#first;
  }

  get title(): string {
    return textAt(this.document, ['title']);
  }

  /** A publication is still to be read. */
  get isReading(): boolean {
    return this.#place.publicationId !== null && this.published === undefined;
  }

  /**
   * What was recorded of this very document; undefined where it was changed since, or did not succeed. Reports come from the version before: no
   * service is asked for them.
   */
  get fixtures(): unknown {
    const before = this.published?.attributes.fixtures;
    const asks =
      this.document !== undefined &&
      ['check', 'findings', 'actions'].some((part) => this.valueAt([part]) !== undefined);
    if (!asks) return before ?? undefined;
    const tried = this.result?.text === this.text ? this.result.tried.fixtures : undefined;
    const reports = valueAt(before, ['reports']);
    return isRecord(tried) && reports !== undefined ? { ...tried, reports } : (tried ?? undefined);
  }

  /** What the document sends besides what it asks. */
  get sends(): readonly Sending[] {
    return sendingsIn(this.valueAt(['actions']));
  }

  allowSending(isAllowed: boolean): void {
    this.maySend = isAllowed;
  }

  valueAt(path: DraftPath): unknown {
    return valueAt(this.document, path);
  }

  textAt(path: DraftPath): string {
    return textAt(this.document, path);
  }

  /** What is wrong at a place; nothing before somebody has written something. */
  issueAt(path: DraftPath): string | undefined {
    return this.shownIssues.find((issue) => issue.path.join('.') === path.join('.'))?.message;
  }

  get shownIssues(): readonly DocumentIssue[] {
    return this.isNew && !this.isAsked ? [] : this.issues;
  }

  /** Reads what the version is written of. */
  async open(): Promise<void> {
    const { publicationId } = this.#place;
    this.error = undefined;
    if (publicationId !== null) {
      await this.#reading.run(
        (signal) => this.#api.call(getPublishedConnector, { params: { id: publicationId }, signal }),
        ({ data }) => this.#begin(data),
        (error) => {
          this.error = error;
        },
      );
    }
    await this.check();
  }

  edit(text: string): void {
    this.text = text;
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), CHECK_MS);
  }

  change(document: DraftDocument): void {
    this.edit(documentText(document));
  }

  set(path: DraftPath, value: unknown): void {
    const { document } = this;
    if (document !== undefined) this.change(withValue(document, path, value));
  }

  /** A value for the test. */
  fill(name: string, value: string | boolean): void {
    this.values.set(name, value);
    this.testErrors = new Map([...this.testErrors].filter(([field]) => field !== name));
  }

  /** Back to an empty form, or to what is published. */
  discard(): void {
    this.edit(this.#first);
    this.issues = [];
    this.result = undefined;
    this.isAsked = false;
    this.maySend = false;
    this.testErrors = new Map();
    this.values.clear();
    this.#place.storage.removeItem(this.#key);
  }

  check(): Promise<void> {
    const { document } = this;
    if (document === undefined) {
      this.issues = [];
      return Promise.resolve();
    }
    return this.#checking.run(
      (signal) => this.#api.call(checkDocument, { body: { document }, signal }),
      ({ data }) => {
        this.issues = data.issues;
      },
      (error) => {
        this.issues = messagesOf(error).map((message) => ({ path: [], message }));
      },
    );
  }

  /** Tries the document with its service. */
  async test(): Promise<void> {
    const { document, text } = this;
    if (document === undefined || this.isTesting) return;
    const sends = this.maySend && this.sends.length > 0 ? { sends: true } : {};
    this.isTesting = true;
    this.isAsked = true;
    this.testErrors = new Map();
    this.result = undefined;
    await this.#testing.run(
      (signal) => this.#api.call(testDocument, { body: { document, values: this.#typed(), ...sends }, signal }),
      ({ data }) => {
        this.result = { text, tried: data };
        this.isTesting = false;
      },
      (error) => {
        this.#refuse(error);
        this.isTesting = false;
      },
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#reading.dispose();
    this.#checking.dispose();
    this.#testing.dispose();
    this.isTesting = false;
  }

  #begin(published: PublishedDetail): void {
    this.published = published;
    const { document } = published.attributes;
    if (!isRecord(document)) return;
    this.#first = documentText(nextVersionOf(document));
    this.text = this.#kept() ?? this.#first;
  }

  /** What was typed, as the form's schema has it. */
  #typed(): Record<string, unknown> {
    return Object.fromEntries(
      fieldsOf(this.document).flatMap(({ name, type }): [string, unknown][] => {
        const value = this.values.get(name);
        if (value === undefined || value === '') return [];
        if (type === 'number' || type === 'integer') return [[name, Number(value)]];
        if (type === 'array') return [[name, String(value).split('\n')]];
        return [[name, value]];
      }),
    );
  }

  #refuse(error: unknown): void {
    const issues = error instanceof ApiError ? error.issues : [];
    const inForm = issues
      .filter(({ loc }) => loc[1] === 'values')
      .map(({ loc, msg }): [string, string] => [String(loc[2] ?? ''), msg]);
    // what is wrong with the document stands at its fields
    const isDocument = issues.some(({ loc }) => loc[1] === 'document');
    const whole = issues.length === 0 ? messagesOf(error) : isDocument ? [t(DOCUMENT_FIRST)] : [];
    this.testErrors = new Map([...inForm, ...(whole.length === 0 ? [] : [['', whole.join(' ')] as const])]);
  }

  get #key(): string {
    const { userId, publicationId } = this.#place;
    return publicationId === null ? `${KEY}:${userId}` : `${KEY}:${userId}:${publicationId}`;
  }

  #kept(): string | undefined {
    try {
      return this.#place.storage.getItem(this.#key) ?? undefined;
    } catch {
      // a browser that keeps nothing
      return undefined;
    }
  }

  #keep(): void {
    try {
      this.#place.storage.setItem(this.#key, this.text);
    } catch {
      // full, or forbidden: the draft lives as long as the page
    }
  }
}
