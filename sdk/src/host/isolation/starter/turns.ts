import { programOf } from '../processor-time.ts';

/** Those whose turn it is run so long; thereafter none of them does, until the next turn. */
const TURN_MS = 20;
const REST_MS = 80;

const signal = (pid: number, name: 'SIGSTOP' | 'SIGCONT'): void => {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
};

/** What was started, and the program last, which it may wait for. */
type Family = readonly [number, ...number[]];

const programIn = (family: Family): number => family.at(-1) ?? family[0];

/**
 * Processes that take much run by turns, so that all of them together take a fifth of the processors of plugins, whatever the kernel
 * would give them. Each is stopped between its turns. Source: signal(7), SIGSTOP.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #families = new Map<number, Family>();
  #running: Family[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param atOnce how many run in one turn */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** @param started as `programOf` takes it */
  add(id: number, started: number): void {
    if (this.#families.has(id)) return;
    const family: Family = [started, programOf(started)];
    this.#families.set(id, family);
    signal(programIn(family), 'SIGSTOP');
    if (this.#timer === undefined) this.#begin();
  }

  /** It has ended. */
  remove(id: number): void {
    this.#families.delete(id);
  }

  #begin(): void {
    // who ran goes to the end of the line
    const next = [...this.#families].slice(0, this.#atOnce);
    for (const [id, family] of next) {
      this.#families.delete(id);
      this.#families.set(id, family);
    }
    this.#running = next.map(([, family]) => family);
    for (const pid of this.#running.flat()) signal(pid, 'SIGCONT');
    this.#timer = setTimeout(() => this.#end(), TURN_MS);
  }

  #end(): void {
    const present = new Set(this.#families.values());
    // what has ended is not signalled: another may have its number
    for (const family of this.#running.filter((one) => present.has(one))) signal(programIn(family), 'SIGSTOP');
    this.#running = [];
    this.#timer = present.size === 0 ? undefined : setTimeout(() => this.#begin(), REST_MS);
  }
}
