import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { readBoard, writeBoard } from '../api/board-routes.ts';
import { type Board, type BoardCard, completeBoard, DEFAULT_BOARD, moveCard, toggleCard } from '../model/board.ts';

/** How the dashboard is arranged, and what an admin is changing of it. */
export class BoardStore {
  stored: Board = DEFAULT_BOARD;
  /** What is being arranged; undefined while nobody does. */
  draft: Board | undefined = undefined;
  isSaving = false;
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get board(): Board {
    return this.draft ?? this.stored;
  }

  /** Cards that show, in their order. */
  get shown(): BoardCard[] {
    return this.board.cards.filter((card) => !this.board.hidden.includes(card));
  }

  /** The board of the organisation. Without an answer the default stays: the figures matter more than their order. */
  async load(signal: AbortSignal): Promise<void> {
    const read = await this.#api.call(readBoard, { signal }).catch(() => undefined);
    if (read === undefined) return;
    runInAction(() => {
      this.stored = completeBoard(read.data);
    });
  }

  arrange(): void {
    this.draft = this.stored;
  }

  cancel(): void {
    this.draft = undefined;
  }

  reset(): void {
    this.draft = DEFAULT_BOARD;
  }

  move(card: BoardCard, step: -1 | 1): void {
    this.draft = moveCard(this.board, card, step);
  }

  toggle(card: BoardCard): void {
    this.draft = toggleCard(this.board, card);
  }

  /** Keeps the arrangement for everyone. Throws an ApiError, and the draft stays. */
  async save(): Promise<void> {
    const { cards, hidden } = this.board;
    this.isSaving = true;
    try {
      const { data } = await this.#api.call(writeBoard, { body: { cards: [...cards], hidden: [...hidden] } });
      runInAction(() => {
        this.stored = completeBoard(data);
        this.draft = undefined;
      });
    } finally {
      runInAction(() => {
        this.isSaving = false;
      });
    }
  }
}
