import { makeAutoObservable } from 'mobx';
import type { Connector } from './connector.ts';

type Success = Pick<Connector, 'id' | 'title' | 'state' | 'was_connected'>;

/** Whether a first successful connection is being celebrated. Source: specification §3 "connector confetti state". */
export class ConfettiStore {
  connectorTitle: string | undefined = undefined;
  show = false;
  readonly #celebrated = new Set<string>();

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Looks at a card that changed: never connected before, connected now. Once per connector. */
  notice(before: Success, after: Success): void {
    if (before.was_connected || !after.was_connected || after.state !== 'connected') return;
    if (this.#celebrated.has(after.id)) return;
    this.#celebrated.add(after.id);
    this.connectorTitle = after.title;
    this.show = true;
  }

  end(): void {
    this.show = false;
  }
}
