import { makeAutoObservable, observable } from 'mobx';
import { isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import type { FixStore, TemplateField } from './fix.store.ts';

/** Typing pauses so long before a preview is asked for: it reads the files at their provider. */
const PAUSE_MS = 400;

/** What somebody types into the fields of a template, and what it would make of the files. */
export class TemplatePreview {
  readonly typed = observable.map<string, string>();
  /** Undefined before the first preview. */
  diff: string | undefined = undefined;
  /** Why there is no preview. */
  refusal: string | undefined = undefined;
  isReading = false;
  readonly #fix: FixStore;
  readonly #reading = new LatestCall();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(fix: FixStore) {
    this.#fix = fix;
    makeAutoObservable(this, { typed: false }, { autoBind: true });
  }

  valueOf(key: string): string {
    return this.typed.get(key) ?? this.#fix.remediation?.attributes.template_values[key] ?? '';
  }

  /** What is wrong with a value that somebody has typed. */
  problemOf({ key, pattern, message }: TemplateField): string | undefined {
    const value = this.valueOf(key);
    if (!this.typed.has(key) || value === '') return undefined;
    return new RegExp(`^(?:${pattern})$`, 'u').test(value) ? undefined : message;
  }

  /** The fields that have a value. */
  get given(): Record<string, string> {
    const fields = this.#fix.remediation?.attributes.template_fields ?? [];
    const values = fields.flatMap(({ key }) => {
      const value = this.valueOf(key);
      return value === '' ? [] : [[key, value] as const];
    });
    return Object.fromEntries(values);
  }

  type(key: string, value: string, hasPreview: boolean): void {
    this.typed.set(key, value);
    clearTimeout(this.#timer);
    const fields = this.#fix.remediation?.attributes.template_fields ?? [];
    if (!hasPreview || fields.some((field) => this.problemOf(field) !== undefined)) return;
    this.#timer = setTimeout(() => void this.read(), PAUSE_MS);
  }

  async read(): Promise<void> {
    this.isReading = true;
    await this.#reading.run(
      (signal) => this.#fix.preview(this.given, signal),
      ({ code_diff }) => {
        this.diff = code_diff ?? undefined;
        this.refusal = undefined;
        this.isReading = false;
      },
      (error) => {
        if (isAbort(error)) return;
        this.refusal = messagesOf(error).join(' ');
        this.isReading = false;
      },
    );
  }

  /** What was typed is stored now. */
  clear(): void {
    this.dispose();
    this.typed.clear();
    this.diff = undefined;
    this.refusal = undefined;
    this.isReading = false;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#reading.dispose();
  }
}
