import type { Readable, Writable } from 'node:stream';

/** The running process of a plugin. */
export interface PluginChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Of what was started: the program itself, or what waits for it. Undefined until that is known. */
  readonly pid: number | undefined;
  /** From now on it runs a part of the time, where the starter started it. */
  runByTurns(): void;
  /** From now on it runs all the time again. */
  runFreely(): void;
  /** Ends it with all that belongs to it. */
  kill(): void;
  /** How it ended, once it has, and all that it said was read or a moment has passed. */
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
