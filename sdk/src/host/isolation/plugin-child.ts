import type { Readable, Writable } from 'node:stream';

/** The running process of a plugin. */
export interface PluginChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Ends it with all that belongs to it. */
  kill(): void;
  /** How it ended, once it has, and all that it said was read or a moment has passed. */
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
