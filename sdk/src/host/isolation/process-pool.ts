import { IsolationError } from './isolation-error.ts';
import { type CallOrder, PluginProcess, type PluginProcessSpec } from './plugin-process.ts';

/**
 * The processes of one plugin version. What belongs to one organisation never meets another's: each has a process of its own, and what
 * is not of a connection (a parser, a migration) one for that call alone.
 */
export class ProcessPool {
  readonly #spec: PluginProcessSpec;
  readonly #processes = new Map<string, PluginProcess>();
  readonly #single = new Set<PluginProcess>();
  /** Owners whose last process failed. */
  readonly #failed = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(spec: PluginProcessSpec) {
    this.#spec = spec;
    this.#timer = setInterval(() => this.#endIdle(), Math.min(spec.limits.idleMs, 5_000));
    this.#timer.unref();
  }

  /** Starts the process of an owner before it is needed. */
  async start(owner: string): Promise<void> {
    await this.#of(owner).description;
  }

  async call(owner: string, order: CallOrder): Promise<unknown> {
    return this.#of(owner).call(order);
  }

  async *stream(owner: string, order: CallOrder, most = 1): AsyncGenerator<unknown> {
    yield* this.#of(owner).stream(order, most);
  }

  /** In a process for this call alone. */
  async callAlone(order: CallOrder): Promise<unknown> {
    const alone = this.#startAlone();
    try {
      return await alone.call(order);
    } finally {
      this.#endAlone(alone);
    }
  }

  async *streamAlone(order: CallOrder, most: number): AsyncGenerator<unknown> {
    const alone = this.#startAlone();
    try {
      yield* alone.stream(order, most);
    } finally {
      this.#endAlone(alone);
    }
  }

  /** Manifest and members of the plugin, from a process that is ended thereafter. */
  async describe(): Promise<{ plugin: unknown; isNetworkCut: boolean }> {
    const alone = this.#startAlone();
    try {
      const plugin = await alone.description;
      return { plugin, isNetworkCut: alone.isNetworkCut };
    } finally {
      this.#endAlone(alone);
    }
  }

  /** How many processes there are. */
  get size(): number {
    return [...this.#processes.values(), ...this.#single].filter((one) => !one.isEnded).length;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const one of [...this.#processes.values(), ...this.#single]) one.end('ended', 'closed');
    this.#processes.clear();
    this.#single.clear();
  }

  #of(owner: string): PluginProcess {
    const present = this.#processes.get(owner);
    if (present !== undefined && !present.isEnded) return present;
    this.#removeEnded();
    this.#makeRoom();
    const started = new PluginProcess(this.#spec, this.#failed.has(owner));
    this.#processes.set(owner, started);
    return started;
  }

  #startAlone(): PluginProcess {
    this.#makeRoom();
    const started = new PluginProcess(this.#spec);
    this.#single.add(started);
    return started;
  }

  #endAlone(alone: PluginProcess): void {
    alone.end('ended', 'done');
    this.#single.delete(alone);
  }

  /** Those that ended by themselves, or had to be ended. */
  #removeEnded(): void {
    for (const [owner, one] of this.#processes) {
      if (!one.isEnded) continue;
      this.#processes.delete(owner);
      this.#failed.add(owner);
    }
  }

  #makeRoom(): void {
    if (this.size < this.#spec.limits.processes) return;
    const idle = [...this.#processes].filter(([, one]) => one.callCount === 0);
    const [longest] = idle.toSorted(([, left], [, right]) => left.idleSince - right.idleSince);
    if (longest === undefined) throw new IsolationError('busy');
    this.#end(...longest);
  }

  #endIdle(): void {
    this.#removeEnded();
    const before = performance.now() - this.#spec.limits.idleMs;
    for (const [owner, one] of this.#processes) {
      if (one.callCount === 0 && one.idleSince < before) this.#end(owner, one);
    }
  }

  #end(owner: string, one: PluginProcess): void {
    one.end('ended', 'idle');
    this.#processes.delete(owner);
    this.#failed.delete(owner);
  }
}
