import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { readDraft } from '../../model/patch-draft.ts';
import { writeDiff } from '../../model/unified-diff.ts';
import { FixStore } from '../fix.store.ts';
import { PatchStore } from './patch.store.ts';
import { PatchFile } from './patch-files.tsx';

afterEach(cleanup);

const BEFORE = Array.from({ length: 40 }, (_, index) => `call(${index + 1})\n`).join('');
const AFTER = BEFORE.replace('call(3)', '  call(3)').replace('call(30)', 'call(300)');

test('changes of whitespace alone are folded to their heads; the others stay, and all are taken', () => {
  const [file] = readDraft(writeDiff([{ path: 'a.js', before: BEFORE, after: AFTER }])) ?? [];
  if (file === undefined) throw new Error('no file');
  const store = new PatchStore(new FixStore(fakeHttp({}).api, 'f-1'));
  const look = { isSideBySide: false, isWhitespaceShown: false };
  const show = (isWhitespaceFolded: boolean) => (
    <PatchFile {...{ store, file }} look={{ ...look, isWhitespaceFolded }} isReadOnly={false} />
  );
  const { rerender, container } = render(show(false));
  const [blank, other] = screen.getAllByRole('region', { name: /^Lines .* of a\.js$/ });
  const bodies = () =>
    [...container.querySelectorAll('section.hunk')].map(
      (hunk) => hunk.querySelector('.hunk-wait, .hunk-editor') !== null,
    );
  expect(bodies()).toEqual([true, true]);
  within(blank ?? container).getByText('Only whitespace');
  expect(within(other ?? container).queryByText('Only whitespace')).toBeNull();
  rerender(show(true));
  expect(bodies()).toEqual([false, true]);
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
});
