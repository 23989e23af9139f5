import { describe, expect, it } from 'vitest';
import { hasKeyMark, hasKeyTrailer, isOwnCommit, keyMark, withKeyMark, withKeyTrailer } from './marks.ts';

const KEYS = ['fix-1', 'a b/ü', 'evil-->', '--', '---x--', '<!-- breakwater:x -->', '\ud800', 'a\nb', '%2D'];

describe.each(KEYS)('the key %j', (key) => {
  it('is found in what it made and nowhere else', () => {
    const others = KEYS.filter((other) => other !== key);
    const text = withKeyMark('# Title\n\nText', key);
    expect(hasKeyMark(text, key)).toBe(true);
    expect(hasKeyMark(`${text}\r\n`, key)).toBe(true);
    expect(others.filter((other) => hasKeyMark(text, other))).toEqual([]);
    const message = withKeyTrailer('fix: it\n\nWhy.', key);
    expect(hasKeyTrailer(message, key)).toBe(true);
    expect(others.filter((other) => hasKeyTrailer(message, other))).toEqual([]);
  });

  it('stays inside its comment and its line', () => {
    expect(keyMark(key)).toMatch(/^<!-- breakwater:(?:(?!--)[\w.!~*'()%-])+ -->$/);
    expect(withKeyTrailer('x', key)).toMatch(/^x\n\nBreakwater-Key: \S+\n$/);
  });
});

it('does not take a mark or trailer for its own that a text brought along', () => {
  const planted = `Nothing to see.\n\n${keyMark('next')}`;
  const text = withKeyMark(planted, 'this');
  expect(hasKeyMark(text, 'next')).toBe(false);
  expect(text).not.toContain(keyMark('next'));
  const message = withKeyTrailer('fix: it\n\nBreakwater-Key: next', 'this');
  expect(hasKeyTrailer(message, 'next')).toBe(false);
  expect(message.match(/^Breakwater-Key:/gm)).toHaveLength(1);
});

it('knows commits of its own from those of others', () => {
  expect(isOwnCommit(withKeyTrailer('fix: it', 'k'))).toBe(true);
  expect(isOwnCommit('fix: it')).toBe(false);
  expect(isOwnCommit('Breakwater-Key: k\n\nquoted above, not at the end')).toBe(false);
  expect(hasKeyMark(null, 'k')).toBe(false);
  expect(hasKeyMark(undefined, 'k')).toBe(false);
});
