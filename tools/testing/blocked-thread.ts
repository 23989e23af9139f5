import { expect } from 'vitest';
import { type ThreadWatch, watchThread } from './thread-watch.ts';

/** Longer than any program that a test waits for without letting others run. */
const LIMIT_MS = 480_000;

const KEY = Symbol.for('breakwater.thread-watch');

/** Setup file: a worker that lets nothing else run is ended with its file named, instead of keeping the whole run for ever. One watch for all files of a process. */
const known: ThreadWatch | undefined = Reflect.get(globalThis, KEY);
const watch = known ?? watchThread(LIMIT_MS);
Reflect.set(globalThis, KEY, watch);
watch.at(expect.getState().testPath ?? '');
