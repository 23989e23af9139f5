// no text in this file: its errors are for authors
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyConnector } from '../connector.ts';
import { MAX_VIEW_BYTES, textOf, viewIssue } from '../view/view-document.ts';

/** The views of a plugin by connector id, and why others are left out. */
export interface ReadViews {
  readonly views: ReadonlyMap<string, string>;
  readonly issues: readonly string[];
}

/** Reads the files of views beside a manifest. Runs no code of the plugin and follows no links. */
export const readViews = async (
  folder: string,
  { connectors }: { readonly connectors: readonly Pick<AnyConnector, 'id' | 'view'>[] },
): Promise<ReadViews> => {
  const views = new Map<string, string>();
  const issues: string[] = [];
  for (const { id, view } of connectors) {
    if (view === undefined) continue;
    const read = await readView(folder, view.entry);
    if (read.html === undefined) issues.push(`view ${view.entry}: ${read.issue}`);
    else views.set(id, read.html);
  }
  return { views, issues };
};

const readView = async (folder: string, entry: string): Promise<{ html?: string; issue?: string }> => {
  const file = join(folder, entry);
  try {
    const [root, real, found] = [await realpath(folder), await realpath(file), await lstat(file)];
    // a folder on the way may be a link, too
    if (!found.isFile() || real !== join(root, ...entry.split('/'))) return { issue: 'is no file of the folder' };
    if (found.size > MAX_VIEW_BYTES) return { issue: `has more than ${MAX_VIEW_BYTES} bytes` };
    const content = await readFile(file);
    const issue = viewIssue(content);
    return issue === undefined ? { html: textOf(content) ?? '' } : { issue };
  } catch {
    return { issue: 'cannot be read' };
  }
};
