/** Runs beside the thread that `watchThread` watches. It writes itself: what a thread prints goes through the one that does not answer. */
import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import type { WatchOrder } from './thread-watch.ts';

const STANDARD_ERROR = 2;
const LOOK_MS = 500;
/** For the stack; a thread that waits inside the kernel tells none. */
const STACK_MS = 5_000;
const MOST_LOOKS = 20;
const PAUSE_MS = 7;
const SHOWN_FRAMES = 15;

const { beats, limitMs }: WatchOrder = workerData;
let file = '';
let last = 0;
let since = performance.now();

const end = (frames: readonly Debugger.CallFrame[], urls: ReadonlyMap<string, string>): void => {
  const lines = frames.slice(0, SHOWN_FRAMES).map(({ functionName, location: { scriptId, lineNumber } }) => {
    return `    at ${functionName || '(anonymous)'} (${urls.get(scriptId) ?? ''}:${lineNumber + 1})`;
  });
  const told = `\n${file}: nothing else ran for ${limitMs} ms, so its process is ended.\n${lines.join('\n')}\n`;
  writeSync(STANDARD_ERROR, told);
  process.kill(process.pid, 'SIGKILL');
};

/** Where the other thread is, looked at several times: between two steps of a promise it is nowhere. */
const stop = (): void => {
  const urls = new Map<string, string>();
  let deepest: readonly Debugger.CallFrame[] = [];
  let looks = 0;
  const session = new Session();
  const pause = (): void => void setTimeout(() => session.post('Debugger.pause'), PAUSE_MS);
  setTimeout(() => end(deepest, urls), STACK_MS);
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    if (callFrames.length > deepest.length) deepest = callFrames;
    looks += 1;
    if (looks === MOST_LOOKS) return end(deepest, urls);
    session.post('Debugger.resume');
    pause();
  });
  session.post('Debugger.enable');
  pause();
};

const look = setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) {
    last = beat;
    since = performance.now();
  } else if (performance.now() - since > limitMs) {
    clearInterval(look);
    stop();
  }
}, LOOK_MS);
parentPort?.on('message', (present: string) => {
  file = present;
});
