import { expect, test } from 'vitest';
import { answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { PeopleStore } from './people.store.ts';

const person = (username: string, status = 'active') => ({
  _id: username,
  attributes: { email: null, username, role: 'developer', status },
});

test('everybody is there to choose from, however large the organisation, but who is not active', async () => {
  const many = Array.from({ length: 450 }, (_, index) => person(`dev-${index}`));
  const { api, calls } = fakeHttp({ 'GET /users-developer': () => listOf([...many, person('gone', 'disabled')]) });
  const people = new PeopleStore(api);
  await people.load();
  expect(people.developers).toHaveLength(450);
  await people.load();
  expect(calls.map(({ query }) => query.get('pagination'))).toEqual(['false']);
});

test('what could not be read is read again when it is asked for', async () => {
  let attempts = 0;
  const { api } = fakeHttp({
    'GET /members': () => {
      attempts += 1;
      return attempts === 1 ? answer(503, { detail: 'Later.' }) : listOf([person('dev')]);
    },
  });
  const people = new PeopleStore(api);
  await people.loadMembers();
  expect([people.members, people.error]).toEqual([undefined, expect.any(Error)]);
  await people.loadMembers();
  expect([people.members, people.error]).toEqual([[{ value: 'dev', label: 'dev' }], undefined]);
});
