// first: the importers take Node's globals for granted
import '@breakwater/plugin-scanners/browser/node-globals';
import { previewReport } from './preview-report.ts';

/** Of a worker; Node's types do not know them. */
declare const addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void;
declare const postMessage: (message: unknown) => void;

const requestOf = (data: unknown) => {
  if (typeof data !== 'object' || data === null || !('file' in data) || !(data.file instanceof Blob)) return undefined;
  const name = 'name' in data && typeof data.name === 'string' ? data.name : '';
  const toolId = 'toolId' in data && typeof data.toolId === 'string' ? data.toolId : null;
  return { file: data.file, name, toolId };
};

addEventListener('message', ({ data }) => {
  const request = requestOf(data);
  if (request === undefined) return;
  // a file that cannot be read is given up, as one that takes too long
  void previewReport(request).then(postMessage, () => postMessage({ kind: 'given_up' }));
});
// the time of a report counts from here
postMessage({ kind: 'ready' });
