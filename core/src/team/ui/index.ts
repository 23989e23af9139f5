export { PeopleStore } from './people.store.ts';
