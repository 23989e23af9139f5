import { makeAutoObservable, observable } from 'mobx';
import { msg } from '../../../platform/model/message.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type TriedDocument, testDocument } from '../../api/routes.ts';
import { type DraftDocument, fieldsOf, valueAt } from '../../model/draft-document.ts';
import { MOST_REPORT, type Sending, sendingsIn } from '../../model/publication.ts';

const DOCUMENT_FIRST = msg('Correct the document first: what is wrong stands at its fields and beside the text.');
/** Where what is wrong with the report stands among errors; no field of a form has this name. */
export const REPORT_FIELD = ' report';

/** What was tried, and of which document. */
export interface TestResult {
  readonly text: string;
  readonly tried: TriedDocument;
}

/** The document that is tried. */
interface Tested {
  readonly text: string;
  readonly document: DraftDocument | undefined;
}

/** One document tried with its service: what it is given, and what came of it. All of it lives as long as the page. */
export class LiveTestStore {
  /** Why a test could not be made, by field of the form; under the empty name what is about none. */
  errors: ReadonlyMap<string, string> = new Map();
  result: TestResult | undefined = undefined;
  isTesting = false;
  /** A test may send one message and make one ticket. */
  maySend = false;
  /** A report to be read in the test, and what it is called. */
  report: { readonly name: string; readonly text: string } | undefined = undefined;
  /** Values of the form, credentials among them. */
  readonly values = observable.map<string, string | boolean>();
  readonly #api: ApiClient;
  readonly #of: Tested;
  readonly #testing = new LatestCall();

  constructor(api: ApiClient, of: Tested) {
    this.#api = api;
    this.#of = of;
    makeAutoObservable(this, { values: false }, { autoBind: true });
  }

  /** What the document sends besides what it asks. */
  get sends(): readonly Sending[] {
    return sendingsIn(valueAt(this.#of.document, ['actions']));
  }

  /** The document reads reports that people upload. */
  get readsReports(): boolean {
    return valueAt(this.#of.document, ['report']) !== undefined;
  }

  /** What was recorded of this very document; undefined where it was changed since, or did not succeed. */
  get fixtures(): unknown {
    return this.result?.text === this.#of.text ? (this.result.tried.fixtures ?? undefined) : undefined;
  }

  allowSending(isAllowed: boolean): void {
    this.maySend = isAllowed;
  }

  /** A value for the test. */
  fill(name: string, value: string | boolean): void {
    this.values.set(name, value);
    this.#say(name, undefined);
  }

  async choose(file: Pick<File, 'name' | 'text'> | undefined): Promise<void> {
    if (file !== undefined) this.#take(file.name, await file.text());
  }

  async run(): Promise<void> {
    const { document, text } = this.#of;
    if (document === undefined || this.isTesting) return;
    this.isTesting = true;
    this.errors = new Map();
    this.result = undefined;
    const sends = this.maySend && this.sends.length > 0 ? { sends: true } : {};
    const report = this.report !== undefined && this.readsReports ? { report: this.report.text } : {};
    const body = { document, values: this.#typed(document), ...sends, ...report };
    await this.#testing.run(
      (signal) => this.#api.call(testDocument, { body, signal }),
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

  clear(): void {
    this.result = undefined;
    this.errors = new Map();
    this.maySend = false;
    this.report = undefined;
    this.values.clear();
  }

  dispose(): void {
    this.#testing.dispose();
    this.isTesting = false;
  }

  #take(name: string, text: string): void {
    const isTooLong = text.length > MOST_REPORT;
    this.#say(
      REPORT_FIELD,
      isTooLong ? t('A report that is recorded has at most 200,000 characters: choose a smaller one.') : undefined,
    );
    if (!isTooLong) this.report = { name, text };
  }

  #say(field: string, message: string | undefined): void {
    const others = [...this.errors].filter(([name]) => name !== field);
    this.errors = new Map(message === undefined ? others : [...others, [field, message]]);
  }

  /** What was typed, as the form's schema has it. */
  #typed(document: DraftDocument): Record<string, unknown> {
    return Object.fromEntries(
      fieldsOf(document).flatMap(({ name, type }): [string, unknown][] => {
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
    this.errors = new Map([...inForm, ...(whole.length === 0 ? [] : [['', whole.join(' ')] as const])]);
  }
}
