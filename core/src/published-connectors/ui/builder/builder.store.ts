import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import {
  checkDocument,
  type DocumentIssue,
  getPublishedConnector,
  type PublishedConnectorDetail,
} from '../../api/routes.ts';
import {
  type DraftDocument,
  type DraftPath,
  documentIn,
  documentText,
  isRecord,
  NEW_DOCUMENT,
  nextVersionOf,
  textAt,
  valueAt,
  withValue,
} from '../../model/draft-document.ts';
import { LiveTestStore } from './live-test.store.ts';

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

interface PublishedDetail {
  readonly _id: string;
  readonly attributes: PublishedConnectorDetail;
}

const EMPTY_TEXT = documentText(NEW_DOCUMENT);

/** One draft of a connector: its text is the fact, the form reads and writes it. */
export class BuilderStore {
  text: string;
  issues: readonly DocumentIssue[] = [];
  /** What a new version is written of; undefined for a new connector, and until it is read. */
  published: PublishedDetail | undefined = undefined;
  /** Why it could not be read. */
  error: unknown = undefined;
  /** Somebody wanted to test it: from then on it is said what an empty form lacks. */
  isAsked = false;
  readonly live: LiveTestStore;
  readonly #api: ApiClient;
  readonly #place: DraftPlace;
  readonly #reading = new LatestCall();
  readonly #checking = new LatestCall();
  /** What is there before anything is written. */
  #first = EMPTY_TEXT;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ApiClient, place: DraftPlace) {
    this.#api = api;
    this.#place = place;
    this.text = this.#kept() ?? this.#first;
    this.live = new LiveTestStore(api, this);
    makeAutoObservable(this, { live: false }, { autoBind: true });
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
   * What was recorded of this very document; undefined where it was changed since, or did not succeed. Reports come from the test, else from the version
   * before.
   */
  get fixtures(): unknown {
    const { fixtures: tried, readsReports } = this.live;
    const before = this.published?.attributes.fixtures;
    const asks =
      this.document !== undefined &&
      ['check', 'findings', 'actions'].some((part) => this.valueAt([part]) !== undefined);
    if (!isRecord(tried)) return asks ? undefined : (before ?? undefined);
    const reports = tried['reports'] ?? this.#reportsBefore;
    if (reports === undefined) return readsReports ? undefined : tried;
    return { ...tried, reports };
  }

  /** Nothing of a report is recorded: neither now nor in the version before. */
  get isReportMissing(): boolean {
    const { readsReports, report } = this.live;
    return readsReports && report === undefined && this.#reportsBefore === undefined;
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

  /** Back to an empty form, or to what is published. */
  discard(): void {
    this.edit(this.#first);
    this.issues = [];
    this.isAsked = false;
    this.live.clear();
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
    if (this.document === undefined) return;
    this.isAsked = true;
    await this.live.run();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#reading.dispose();
    this.#checking.dispose();
    this.live.dispose();
  }

  #begin(published: PublishedDetail): void {
    this.published = published;
    const { document } = published.attributes;
    if (!isRecord(document)) return;
    this.#first = documentText(nextVersionOf(document));
    this.text = this.#kept() ?? this.#first;
  }

  get #reportsBefore(): unknown {
    return valueAt(this.published?.attributes.fixtures, ['reports']);
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
