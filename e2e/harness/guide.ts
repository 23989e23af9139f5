import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ROOT } from './server.ts';
import { rest } from './visit.ts';

const GUIDE = path.join(ROOT, 'docs/user-guide.md');

/** Where the pictures of the user guide are. */
export const GUIDE_PICTURES = path.join(ROOT, 'docs/images/guide');

/** What stands under one heading (`##`) of the user guide. */
export interface GuideSection {
  title: string;
  /** Texts in bold, in their order, each once: controls and headings of the screens that the section is about. */
  names: string[];
  /** Names of the pictures, in their order. */
  pictures: string[];
}

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll(/\s+/g, ' '))),
];

/** The sections of `docs/user-guide.md`. */
export const readGuide = async (): Promise<GuideSection[]> => {
  const [, ...parts] = (await readFile(GUIDE, 'utf8')).split(/^## /m);
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf('\n')).trim(),
    names: matches(part, /\*\*(.+?)\*\*/gs),
    pictures: matches(part, /!\[[^\]]+\]\(images\/guide\/([\w-]+)\.png\)/g),
  }));
};

/** `- button "Save" [disabled]`, or the same in the quotes of YAML. */
const NAMED = /^\s*- '?\w+ "((?:[^"\\]|\\.)*)"/;
/** The figure that an item of the navigation or a tab has behind its name. */
const COUNT = / [\d,.]+k?$/;

/** Accessible names of everything on the page, by a snapshot of Playwright's. */
const namesIn = (snapshot: string): string[] =>
  snapshot.split('\n').flatMap((line) => {
    const name = NAMED.exec(line)?.[1]?.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1');
    return name === undefined ? [] : [name, name.replace(COUNT, '')];
  });

/** What a walk through one section of the guide has come across. */
export interface Seen {
  names: Set<string>;
  pictures: string[];
}

/** 256 colours are a third of the size, and nobody sees which. */
const reduced = (png: Buffer): Buffer => {
  const { status, stdout, error } = spawnSync('pngquant', ['--strip', '--speed', '1', '256', '-'], { input: png });
  if (status === 0) return stdout;
  throw new Error('Pictures of the guide are reduced by pngquant: apt-get install pngquant.', { cause: error });
};

interface Picture {
  /** Name of the file. */
  name: string;
  /** What the picture is of; the window without it. */
  of?: Locator;
}

/** Notes what the page names, once it rests; writes its picture into docs/images/guide where BREAKWATER_GUIDE_PICTURES=1 asks for that. */
export const look = async (page: Page, seen: Seen, picture?: Picture): Promise<void> => {
  await rest(page);
  for (const name of namesIn(await page.locator('body').ariaSnapshot())) seen.names.add(name);
  if (picture === undefined) return;
  seen.pictures.push(picture.name);
  if (process.env['BREAKWATER_GUIDE_PICTURES'] !== '1') return;
  await mkdir(GUIDE_PICTURES, { recursive: true });
  // what comes when the page is idle, such as the count of the bell
  await page.waitForLoadState('networkidle');
  const png = await (picture.of ?? page).screenshot({ animations: 'disabled' });
  await writeFile(path.join(GUIDE_PICTURES, `${picture.name}.png`), reduced(png));
};

/** Opens a menu or a dialog by its button; its code may have to come first. */
export const openBy = async (page: Page, button: Locator): Promise<void> => {
  await button.click();
  await page.locator('.bp6-popover li, .bp6-popover [role], [role="dialog"]').first().waitFor();
};

/** Closes it again, and waits until it is gone. */
export const closeByEscape = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.locator('.bp6-popover, [role="dialog"]').first().waitFor({ state: 'detached' });
};
