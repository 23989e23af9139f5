import { action, makeAutoObservable } from 'mobx';
import { isAbort, messagesOf } from '../data/api-error.ts';
import { serviceId } from '../data/service-id.ts';
import { t } from '../language/translate.ts';
import { type NextStep, nextStepOf } from './next-step.ts';

/** Source: specification §9 "Toast default timeout". */
const DEFAULT_TIMEOUT_MS = 5_000;
/** Source: experience.md, acceptance point 10. */
const UNDO_TIMEOUT_MS = 10_000;
const MAX_TOASTS = 3;

export type ToastTone = 'done' | 'problem' | 'notice';

export interface ToastAction {
  label: string;
  onAction: () => void;
}

export interface ToastOptions {
  tone?: ToastTone;
  action?: ToastAction;
  link?: NextStep | undefined;
  timeoutMs?: number;
}

export interface Toast {
  readonly id: number;
  readonly message: string;
  readonly tone: ToastTone;
  readonly action: ToastAction | undefined;
  readonly link: NextStep | undefined;
  readonly timeoutMs: number;
  /** A bar shows how long the action can still be taken. */
  readonly hasBar: boolean;
  isPaused: boolean;
}

interface Countdown {
  timer: ReturnType<typeof setTimeout> | undefined;
  startedAt: number;
  remainingMs: number;
}

/** The notices at the bottom right: at most three, the oldest gives way. */
export class ToastsStore {
  toasts: Toast[] = [];
  /** Panels whose buttons stand where notices would. */
  panels = 0;
  readonly #countdowns = new Map<number, Countdown>();
  #nextId = 1;

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Lets notices appear above the buttons of a panel, until what it returns is called. */
  raise(): () => void {
    this.panels += 1;
    return action(() => {
      this.panels -= 1;
    });
  }

  show(message: string, options: ToastOptions = {}): number {
    return this.add(message, options, false);
  }

  /** A fact that can be taken back for ten seconds. */
  showUndo(message: string, onUndo: () => void): number {
    const options: ToastOptions = {
      tone: 'done',
      action: { label: t('Undo'), onAction: onUndo },
      timeoutMs: UNDO_TIMEOUT_MS,
    };
    return this.add(message, options, true);
  }

  /** Each message of a failed call as its own notice (specification §5). Calls given up on purpose are silent. */
  showError(error: unknown): void {
    if (isAbort(error)) return;
    for (const message of messagesOf(error)) this.show(message, { tone: 'problem', link: nextStepOf(error) });
  }

  runAction(id: number): void {
    const toast = this.toasts.find((candidate) => candidate.id === id);
    this.dismiss(id);
    toast?.action?.onAction();
  }

  dismiss(id: number): void {
    clearTimeout(this.#countdowns.get(id)?.timer);
    this.#countdowns.delete(id);
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }

  /** The pointer or the focus is on the toast: the time stands still. */
  pause(id: number): void {
    const countdown = this.#countdowns.get(id);
    const toast = this.toasts.find((candidate) => candidate.id === id);
    if (countdown === undefined || toast === undefined || toast.isPaused) return;
    clearTimeout(countdown.timer);
    countdown.remainingMs = Math.max(0, countdown.remainingMs - (Date.now() - countdown.startedAt));
    toast.isPaused = true;
  }

  resume(id: number): void {
    const toast = this.toasts.find((candidate) => candidate.id === id);
    if (toast === undefined || !toast.isPaused) return;
    toast.isPaused = false;
    this.run(id);
  }

  clear(): void {
    for (const { id } of this.toasts) this.dismiss(id);
  }

  private add(message: string, options: ToastOptions, hasBar: boolean): number {
    const id = this.#nextId;
    this.#nextId += 1;
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const { tone = 'notice', action: act, link } = options;
    this.toasts.push({ id, message, tone, action: act, link, timeoutMs, hasBar, isPaused: false });
    for (const oldest of this.toasts.slice(0, -MAX_TOASTS)) this.dismiss(oldest.id);
    this.#countdowns.set(id, { timer: undefined, startedAt: 0, remainingMs: timeoutMs });
    this.run(id);
    return id;
  }

  private run(id: number): void {
    const countdown = this.#countdowns.get(id);
    if (countdown === undefined) return;
    countdown.startedAt = Date.now();
    countdown.timer = setTimeout(() => this.dismiss(id), countdown.remainingMs);
  }
}

export const TOASTS = serviceId<ToastsStore>('platform.toasts');
