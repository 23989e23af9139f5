import { expect, test } from 'vitest';
import { newestKnown } from './newest-known.ts';

const npm = { ecosystem: 'npm', version: '6.9.0' };
const inShop = (version: string | null) => ({ version, repository: 'shop' });
const fix = (version: string | null) => ({ version, repository: null });

test('the highest version that an inventory or a fix names, by numbers and not by letters', () => {
  expect(newestKnown(npm, [inShop('6.10.0'), fix('6.9.7')])).toEqual({ version: '6.10.0', repository: 'shop' });
  expect(newestKnown(npm, [inShop('6.10.0'), fix('6.9.7, 7.0.1')])).toEqual({ version: '7.0.1', repository: null });
});

test('nothing is named that is not newer, or that has no order', () => {
  expect(
    newestKnown(npm, [inShop('6.9.0'), inShop('6.8.9'), inShop(null), fix(null), inShop('latest')]),
  ).toBeUndefined();
  expect(newestKnown({ ecosystem: 'npm', version: 'main' }, [inShop('7.0.0')])).toBeUndefined();
  expect(newestKnown({ ecosystem: null, version: '1.0.0' }, [inShop('2.0.0')])).toBeUndefined();
});

test('each ecosystem has its own order', () => {
  const release = { ecosystem: 'maven', version: '1.0-rc1' };
  expect(newestKnown(release, [inShop('1.0')])).toEqual({ version: '1.0', repository: 'shop' });
  expect(newestKnown({ ecosystem: 'pypi', version: '1.0' }, [inShop('1.0.post1')])).toEqual({
    ...{ version: '1.0.post1', repository: 'shop' },
  });
});
