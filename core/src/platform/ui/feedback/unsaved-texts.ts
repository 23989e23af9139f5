import { makeAutoObservable } from 'mobx';
import { useEffect, useRef } from 'react';
import { serviceId } from '../data/service-id.ts';
import { useService } from '../data/services.tsx';

/** Text that somebody wrote and that no answer of the server confirms yet. */
export interface WrittenText {
  /** What it was written for: "Mark 1 finding false positive". */
  what: string;
  text: string;
}

export interface UnsavedText extends WrittenText {
  /** Path of the page on which it was written. */
  href: string;
}

interface KeptText extends UnsavedText {
  userId: string;
}

const KEY = 'bw-unsaved-texts';

const isKept = (value: unknown): value is KeptText =>
  typeof value === 'object' &&
  value !== null &&
  ['userId', 'what', 'text', 'href'].every((key) => typeof Reflect.get(value, key) === 'string');

type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Texts that are being written or sent. When the session ends they are kept in this tab until the same person has signed in again and has seen
 * them; nobody else is shown them.
 */
export class UnsavedTexts {
  /** What the session that ended left behind, for the person who is signed in now. */
  left: readonly UnsavedText[] = [];
  readonly #storage: PageStorage;
  readonly #pagePath: () => string;
  readonly #written = new Set<() => WrittenText>();

  constructor(storage: PageStorage, pagePath: () => string) {
    this.#storage = storage;
    this.#pagePath = pagePath;
    makeAutoObservable(this, { isKeeping: false }, { autoBind: true });
  }

  /** @param read what is written at the moment. @returns how to stop. */
  watch(read: () => WrittenText): () => void {
    this.#written.add(read);
    return () => {
      this.#written.delete(read);
    };
  }

  /** The session of this person has ended. */
  keep(userId: string): void {
    const href = this.#pagePath();
    const texts = [...this.#written].map((read) => ({ ...read(), href })).filter(({ text }) => text.trim() !== '');
    const kept = new Map([...this.#read(userId), ...texts].map((text) => [JSON.stringify(text), text]));
    this.#write(userId, [...kept.values()]);
  }

  /** Whether a session that ended left something behind, whoever wrote it. */
  isKeeping(): boolean {
    return this.#storage.getItem(KEY) !== null;
  }

  /** This person signed in. */
  restore(userId: string): void {
    this.left = this.#read(userId);
    this.#write(userId, this.left);
  }

  /** The person has seen them. */
  dismiss(): void {
    this.left = [];
    this.#storage.removeItem(KEY);
  }

  #read(userId: string): UnsavedText[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
      return Array.isArray(stored)
        ? stored.filter(isKept).flatMap((kept) => {
            const { what, text, href } = kept;
            return kept.userId === userId ? [{ what, text, href }] : [];
          })
        : [];
    } catch {
      return [];
    }
  }

  #write(userId: string, texts: readonly UnsavedText[]): void {
    if (texts.length === 0) this.#storage.removeItem(KEY);
    else this.#storage.setItem(KEY, JSON.stringify(texts.map((text) => ({ ...text, userId }))));
  }
}

export const UNSAVED_TEXTS = serviceId<UnsavedTexts>('platform.unsaved-texts');

/** While the component shows, its text outlasts the end of the session. */
export const useUnsavedText = (what: string, text: string): void => {
  const unsaved = useService(UNSAVED_TEXTS);
  const written = useRef({ what, text });
  written.current = { what, text };
  useEffect(() => unsaved.watch(() => written.current), [unsaved]);
};
