import { makeAutoObservable, runInAction } from 'mobx';
import { isLocale, isTimeZone, type LocalePreferences, parsePreferences } from '../../model/locale.ts';
import { serviceId } from '../data/service-id.ts';
import { formatDecimal, formatExact, setFormats } from '../display/formats.ts';
import { setDensity } from '../page/density.ts';
import { addPluginTexts, setLanguage, type TextTable } from './translate.ts';

/** Preferences of whoever used this browser last, so that the first page is in their language. */
export const LOCALE_KEY = 'bw-locale';
const ENGLISH = 'en';

export interface LocaleEnvironment {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** What the browser prefers, best first. */
  preferred: readonly string[];
  languages: ReadonlyMap<string, () => Promise<TextTable>>;
  root: Pick<HTMLElement, 'lang' | 'dataset'>;
  /** What plugins show, for who is signed in. */
  pluginTexts?: (language: string) => Promise<PluginTexts>;
}

/** Texts of plugins by their English: of the installation, and of what the organisation added. */
export interface PluginTexts {
  installation: TextTable;
  organisation: TextTable;
}

/** Language, time zone and number format of the interface. */
export class LocaleStore {
  preferences: LocalePreferences;
  /** The language that shows. */
  language = ENGLISH;
  /** Counts changes: what is drawn is drawn anew at each. */
  version = 0;
  readonly #environment: LocaleEnvironment;

  constructor(environment: LocaleEnvironment) {
    this.#environment = environment;
    this.preferences = parsePreferences(environment.storage.getItem(LOCALE_KEY));
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
  async apply({ language, time_zone, number_format, density }: LocalePreferences): Promise<void> {
    const preferences = { language, time_zone, number_format, density };
    const written = JSON.stringify(preferences);
    if (written === JSON.stringify(this.preferences)) {
      await this.addPluginTexts();
      return;
    }
    this.#environment.storage.setItem(LOCALE_KEY, written);
    const isSameText = written === JSON.stringify({ ...this.preferences, density });
    await this.show(preferences);
    await this.addPluginTexts();
    // rows change their height where they stand
    if (isSameText) return;
    runInAction(() => {
      this.version += 1;
    });
  }

  private async show(preferences: LocalePreferences): Promise<void> {
    const { language: chosen, time_zone: timeZone, number_format: format, density } = preferences;
    const wanted = this.offeredOf(chosen) ?? this.preferredByBrowser();
    // where its file cannot be had, English shows
    const texts = await this.#environment.languages
      .get(wanted)?.()
      .catch(() => undefined);
    const language = texts === undefined ? ENGLISH : wanted;
    const ownNumbers = language === ENGLISH ? 'en-US' : language;
    setLanguage(language, texts, formatDecimal, formatExact);
    setFormats({
      language,
      numbers: format !== null && isLocale(format) ? format : ownNumbers,
      // a browser may know fewer zones than the server
      timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : undefined,
    });
    this.#environment.root.lang = language;
    setDensity(density, this.#environment.root);
    runInAction(() => {
      this.preferences = preferences;
      this.language = language;
    });
  }

  /** Where they cannot be had, they show in English. */
  private async addPluginTexts(): Promise<void> {
    const { language } = this;
    if (language === ENGLISH || this.#environment.pluginTexts === undefined) return;
    // asked anew for each who signs in: another organisation has others
    const texts = await this.#environment.pluginTexts(language).catch(() => undefined);
    if (texts !== undefined && this.language === language) addPluginTexts(texts.installation, texts.organisation);
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
