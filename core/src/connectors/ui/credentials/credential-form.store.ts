import { makeAutoObservable, observable } from 'mobx';
import { msg } from '../../../platform/model/message.ts';
import { ApiError, messagesOf } from '../../../platform/ui/data/api-error.ts';
import type { FormIssue } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type Connector, type FormEntry, formOf, type StoredField } from '../data/connector.ts';
import { type Draft, isEmptyValue, issueOf, valueFrom } from './form-issues.ts';

/** Id of the control of a field. */
export const controlId = (name: string): string => `credential-${name}`;

const REQUIRED = msg('This field is required.');

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];

/** What a field shows before somebody changes it. */
const storedDraft = ({ field }: FormEntry, stored: StoredField | undefined): Draft => {
  const value = stored?.value;
  switch (field.type) {
    case 'boolean':
      return value === true;
    case 'array':
      return textsOf(value);
    case 'object':
      return Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([key, text]) => ({
        key,
        value: String(text),
      }));
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
};

/** The form of one connector while it is edited. What is not changed follows the server; a stored secret is never here. */
export class CredentialForm {
  connector: Connector;
  issues: FormIssue[] = [];
  readonly #edits = observable.map<string, Draft>();
  /** Secrets that are to be deleted. */
  readonly #dropped = observable.set<string>();

  constructor(connector: Connector) {
    this.connector = connector;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get entries(): FormEntry[] {
    return formOf(this.connector);
  }

  get isChanged(): boolean {
    return this.#dropped.size > 0 || this.entries.some((entry) => this.isEdited(entry));
  }

  /** The server told of the connector again. */
  follow(connector: Connector): void {
    this.connector = connector;
  }

  draftOf(entry: FormEntry): Draft {
    return this.#edits.get(entry.name) ?? storedDraft(entry, this.storedOf(entry));
  }

  storedOf({ name }: FormEntry): StoredField | undefined {
    return this.connector.fields[name];
  }

  /** A saved secret that nobody is replacing: it shows as its hint. */
  isKept(entry: FormEntry): boolean {
    return entry.isSecret && this.storedOf(entry)?.set === true && !this.#edits.has(entry.name);
  }

  isDropped({ name }: FormEntry): boolean {
    return this.#dropped.has(name);
  }

  errorOf({ name }: FormEntry): string | undefined {
    const id = controlId(name);
    const prefix = this.prefixOf(name);
    return this.issues.find(({ fieldId }) => fieldId === id)?.message.slice(prefix.length);
  }

  edit({ name }: FormEntry, draft: Draft): void {
    this.#edits.set(name, draft);
    this.#dropped.delete(name);
    const id = controlId(name);
    this.issues = this.issues.filter(({ fieldId }) => fieldId !== undefined && fieldId !== id);
  }

  /** Back to what is saved. */
  keep({ name }: FormEntry): void {
    this.#edits.delete(name);
    this.#dropped.delete(name);
    this.issues = this.issues.filter(({ fieldId }) => fieldId !== controlId(name));
  }

  /** Deletes an optional secret with the next save. */
  drop({ name }: FormEntry): void {
    this.#edits.delete(name);
    this.#dropped.add(name);
  }

  /** Everything as it is saved. */
  reset(): void {
    this.#edits.clear();
    this.#dropped.clear();
    this.issues = [];
  }

  /** Says what is wrong, field by field. @returns true when nothing is. */
  validate(): boolean {
    this.issues = this.entries.flatMap((entry) => {
      const message = this.issueIn(entry);
      return message === undefined ? [] : [this.issueAt(entry.name, message)];
    });
    return this.issues.length === 0;
  }

  /** The fields that changed, for the server. */
  values(): Record<string, unknown> {
    const dropped = [...this.#dropped].map((name) => [name, null] as const);
    const edited = this.entries.filter((entry) => this.isEdited(entry));
    return Object.fromEntries([
      ...dropped,
      ...edited.map((entry) => [entry.name, valueFrom(entry.field, this.draftOf(entry))] as const),
    ]);
  }

  /** The server refused: its issues beside their fields, everything else on top. */
  refuse(error: unknown): void {
    const known = new Set(this.entries.map(({ name }) => name));
    const issues = error instanceof ApiError ? error.issues : [];
    if (issues.length === 0) {
      this.issues = messagesOf(error).map((message) => ({ message }));
      return;
    }
    this.issues = issues.map(({ loc, msg }) => {
      const name = loc[2];
      return typeof name === 'string' && known.has(name) ? this.issueAt(name, msg) : { message: msg };
    });
  }

  /** In the summary a message stands without its field, so it names it. */
  private issueAt(name: string, message: string): FormIssue {
    return { fieldId: controlId(name), message: `${this.prefixOf(name)}${message}` };
  }

  private prefixOf(name: string): string {
    return `${this.entries.find((entry) => entry.name === name)?.label ?? name}: `;
  }

  private isEdited(entry: FormEntry): boolean {
    const edit = this.#edits.get(entry.name);
    if (edit === undefined) return false;
    // An empty replacement leaves the secret as it is.
    if (entry.isSecret) return !isEmptyValue(valueFrom(entry.field, edit));
    const before = valueFrom(entry.field, storedDraft(entry, this.storedOf(entry)));
    return JSON.stringify(valueFrom(entry.field, edit)) !== JSON.stringify(before);
  }

  private issueIn(entry: FormEntry): string | undefined {
    if (this.isKept(entry) && !this.isDropped(entry)) return undefined;
    const value = valueFrom(entry.field, this.draftOf(entry));
    if (isEmptyValue(value)) {
      const isStillSet = entry.isSecret && this.storedOf(entry)?.set === true && !this.isDropped(entry);
      return entry.isRequired && !isStillSet ? t(REQUIRED) : undefined;
    }
    return issueOf(entry.field, value);
  }
}
