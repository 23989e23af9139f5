import { expect, test } from 'vitest';
import { cloneUrlIssue } from './clone-url.ts';

test.each([
  '',
  'https://github.com/acme/shop.git',
  'https://github.com/acme/shop',
  'http://git.internal:3000/acme/shop.git',
  'https://[2001:db8::1]/acme/shop.git',
  'ssh://git@gitlab.example.test:2222/group/sub/shop.git',
  'git://git.example.test/shop.git',
  'git@github.com:acme/shop.git',
  'github.com:acme/shop.git',
  'deploy@intranet:shop.git',
  'https://dev.azure.com/acme/My%20Project/_git/shop',
])('%s can be cloned', (address) => {
  expect(cloneUrlIssue(address)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://github.com/%0aalert(1)',
  'data:text/html,x',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  '/etc/passwd',
  '../shop',
  'C:\\shop',
  'ext::sh -c touch% /tmp/x',
  'ext::sh',
  'fd::17/foo',
  '-oProxyCommand=touch',
  '--upload-pack=touch',
  'ssh://-oProxyCommand=touch/shop',
  'ssh://-oProxyCommand=touch@host/shop',
  'git@-oProxyCommand=touch:shop',
  'git@github.com:-upload-pack=touch',
  'https://host/--upload-pack=touch/shop',
  'https://user:token@github.com/acme/shop.git',
  'https://ghp_0123456789@github.com/acme/shop.git',
  'ssh://git:hunter2@host/shop.git',
  'https://git hub.com/shop',
  'https://github.com/acme/\u202eshop',
  'https://github.com/a\nb',
  'https://',
  'https://%zz/shop',
  'shop',
])('%j cannot, and the reason says what to do', (address) => {
  const issue = cloneUrlIssue(address);
  expect(issue).toMatch(/Give a clone address|Leave out/);
  expect(issue).not.toMatch(/ghp_0123456789|hunter2/);
});
