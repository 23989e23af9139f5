import { makeAutoObservable, runInAction } from 'mobx';
import { serviceId } from '../data/service-id.ts';
import { setLanguage, type TextTable } from './translate.ts';

/** What a person has chosen; null follows the browser, or the language. */
export interface LocalePreferences {
  /** BCP 47 of a language that has a folder, or `en`. */
  language: string | null;
}

/** Preferences of whoever used this browser last, so that the first page is in their language. */
export const LOCALE_KEY = 'bw-locale';
const ENGLISH = 'en';
const NONE: LocalePreferences = { language: null };

export interface LocaleEnvironment {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** What the browser prefers, best first. */
  preferred: readonly string[];
  languages: ReadonlyMap<string, () => Promise<TextTable>>;
  root: Pick<HTMLElement, 'lang'>;
}

const textOrNull = (value: object, key: string): string | null => {
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : null;
};

/** What is kept here may be of another release, or anything. */
const parsed = (stored: string | null): LocalePreferences => {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    return typeof value === 'object' && value !== null ? { language: textOrNull(value, 'language') } : NONE;
  } catch {
    return NONE;
  }
};

/** Language of the interface. */
export class LocaleStore {
  preferences: LocalePreferences;
  /** The language that shows. */
  language = ENGLISH;
  /** Counts changes: what is drawn is drawn anew at each. */
  version = 0;
  readonly #environment: LocaleEnvironment;

  constructor(environment: LocaleEnvironment) {
    this.#environment = environment;
    this.preferences = parsed(environment.storage.getItem(LOCALE_KEY));
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Languages to choose from, English first. */
  get offered(): string[] {
    return [ENGLISH, ...this.#environment.languages.keys()];
  }

  /** Before anything is drawn. */
  start(): Promise<void> {
    return this.show(this.preferences);
  }

  /** Takes over what a person has chosen, here or elsewhere, and keeps it for the next page. */
  async apply(preferences: LocalePreferences): Promise<void> {
    const written = JSON.stringify(preferences);
    if (written === JSON.stringify(this.preferences)) return;
    this.#environment.storage.setItem(LOCALE_KEY, written);
    await this.show(preferences);
    runInAction(() => {
      this.version += 1;
    });
  }

  private async show(preferences: LocalePreferences): Promise<void> {
    const wanted = this.offeredOf(preferences.language) ?? this.preferredByBrowser();
    // where its file cannot be had, English shows
    const texts = await this.#environment.languages
      .get(wanted)?.()
      .catch(() => undefined);
    const language = texts === undefined ? ENGLISH : wanted;
    setLanguage(language, texts, (value) => value.toLocaleString(language === ENGLISH ? 'en-US' : language));
    this.#environment.root.lang = language;
    runInAction(() => {
      this.preferences = preferences;
      this.language = language;
    });
  }

  private preferredByBrowser(): string {
    return this.#environment.preferred.map(this.offeredOf).find((id) => id !== undefined) ?? ENGLISH;
  }

  /** `de` for `de-AT`. */
  private offeredOf(id: string | null): string | undefined {
    return this.offered.find((one) => one === id || id?.startsWith(`${one}-`) === true);
  }
}

export const LOCALE = serviceId<LocaleStore>('platform.locale');
