import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox 132 on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Safari 17 on macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome 126 on Android',
  ],
  ['', null],
  ['x', null],
  ['curl/8.5.0', 'curl 8'],
])('%s is %s', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});

test('nobody, and what is no agent, is no device', () => {
  expect(deviceOf(null)).toBeNull();
  expect(() => deviceOf('('.repeat(5000))).not.toThrow();
});
