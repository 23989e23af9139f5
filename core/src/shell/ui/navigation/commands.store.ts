import { makeAutoObservable, observable } from 'mobx';
import { serviceId } from '../../../platform/ui/data/service-id.ts';

/** Something that the page in front can do now. */
export interface Command {
  label: string;
  /** The key that does the same. */
  key?: string;
  run: () => void;
}

/** What the palette offers besides the pages: each page brings its own commands while it shows. */
export class CommandsStore {
  readonly #lists = observable.array<readonly Command[]>([], { deep: false });

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get all(): Command[] {
    return this.#lists.flat();
  }

  /** @returns how to take them back. */
  register(commands: readonly Command[]): () => void {
    this.#lists.push(commands);
    return () => void this.#lists.remove(commands);
  }
}

export const COMMANDS = serviceId<CommandsStore>('shell.commands');
