import { readFile } from 'node:fs/promises';
import type { Json } from '../../context.ts';
import type { TestAnswers } from '../../testing/test-service.ts';

const read = async (id: string) =>
  JSON.parse(await readFile(new URL(`./${id}/connector.json`, import.meta.url), 'utf8'));

/** Pier Desk, which tells a channel besides: both actions of one document. */
export const deskDocument = async () => {
  const desk = await read('pier-desk');
  const { notify } = (await read('dock-chat')).actions;
  const body = {
    text: '{{message.title}}',
    more: '{{message.text}}',
    link: '{{message.link}}',
    nonce: '{{idempotencyKey}}',
  };
  return { ...desk, actions: { ...desk.actions, notify: { ...notify, request: { path: '/messages', body } } } };
};

export interface DeskTicket {
  id: number;
  external_id: string;
  state: string;
  subject: string;
  body: string;
  note?: string;
}

/** Pier Desk with its tickets. Its search finds tickets of other keys, too, as one for words does. */
export const createFakeDesk = (token: string) => {
  const tickets: DeskTicket[] = [{ id: 1, external_id: 'another', state: 'open', subject: 'Other', body: '' }];
  const messages: Record<string, Json>[] = [];
  /** The answer to what is made gets lost; a ticket stays open; the search finds nothing, or answers without a list. */
  const faults = { losesAnswer: false, keepsOpen: false, findsNothing: false, forgetsList: false };
  const shown = (ticket: DeskTicket) => ({ ...ticket, link: `https://pier.example/t/${ticket.id}`, token });
  const search = (): Json => {
    if (faults.forgetsList) return {};
    return { tickets: faults.findsNothing ? [] : tickets.map(shown) };
  };
  const make = (body: string) => {
    const made: DeskTicket = { state: 'open', ...JSON.parse(body), id: tickets.length + 1 };
    tickets.push(made);
    return made;
  };
  const answer: TestAnswers = ({ method, path, headers, body }) => {
    if (headers['authorization'] !== `Bearer ${token}`) return { status: 401, json: {} };
    const [, place = '', id] = /\/(me|messages|tickets)(?:\/(\d+))?$/.exec(path) ?? [];
    if (place === 'me') return { json: { email: 'ada@pier.example' } };
    if (place === 'messages') {
      messages.push(JSON.parse(body));
      return { status: 204 };
    }
    if (id === undefined && method === 'GET') return { json: search() };
    if (id === undefined) {
      const made = make(body);
      return faults.losesAnswer ? { ends: 'cut' } : { status: 201, json: { ticket: shown(made) } };
    }
    const ticket = tickets.find((one) => `${one.id}` === id);
    if (ticket === undefined) return { status: 404, json: {} };
    if (method === 'PATCH' && !faults.keepsOpen) Object.assign(ticket, JSON.parse(body));
    return { json: { ticket: shown(ticket) } };
  };
  return { tickets, messages, faults, answer };
};
