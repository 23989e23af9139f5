import { programOf } from '../processor-time.ts';

/** Those whose turn it is run so long; thereafter none of them does, until the next turn. Short, since whoever wakes up on their processor waits for the end. */
const TURN_MS = 2;
const REST_MS = 18;

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
};

interface Member {
  /** As `programOf` takes it. */
  readonly started: number;
  readonly program: number;
}

const resume = ({ started, program }: Member): void => {
  for (const pid of [started, program]) signal(pid, 'SIGCONT');
};

/**
 * Processes that take much run by turns, so that all of them together take a tenth of the processors of plugins, whatever the kernel
 * would give them. Each is stopped between its turns. Source: signal(7), SIGSTOP.
 */
export class Turns {
  readonly #atOnce: number;
  /** The next of them first. */
  readonly #members = new Map<number, Member>();
  #running: readonly number[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param atOnce how many run in one turn */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** @param started as `programOf` takes it */
  add(id: number, started: number): void {
    if (this.#members.has(id)) return;
    const program = programOf(started);
    this.#members.set(id, { started, program });
    signal(program, 'SIGSTOP');
    if (this.#timer === undefined) this.#begin();
  }

  /** It runs all the time again. */
  free(id: number): void {
    const member = this.#members.get(id);
    if (member === undefined) return;
    this.#members.delete(id);
    resume(member);
  }

  /** It has ended. */
  remove(id: number): void {
    this.#members.delete(id);
  }

  #begin(): void {
    const next = [...this.#members].slice(0, this.#atOnce);
    for (const [id, member] of next) {
      // to the end of the line
      this.#members.delete(id);
      this.#members.set(id, member);
      resume(member);
    }
    this.#running = next.map(([id]) => id);
    this.#timer = setTimeout(() => this.#end(), TURN_MS);
  }

  #end(): void {
    for (const id of this.#running) {
      // what has ended is not signalled: another may have its number
      const member = this.#members.get(id);
      if (member !== undefined) signal(member.program, 'SIGSTOP');
    }
    this.#timer = this.#members.size === 0 ? undefined : setTimeout(() => this.#begin(), REST_MS);
  }
}
