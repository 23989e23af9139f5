import type { ServerResponse } from 'node:http';
import type { StripeAccount } from './stripe-account.ts';

const page = (response: ServerResponse, title: string, body: string): void => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`);
};

const goTo = (response: ServerResponse, address: string): void => {
  response.writeHead(303, { location: address });
  response.end();
};

const checkoutPage = (account: StripeAccount, id: string, method: string, response: ServerResponse) => {
  const session = account.find(account.checkouts, id);
  if (method === 'POST') {
    account.pay(id);
    return goTo(response, session.success_url ?? '/');
  }
  const amount = (session.amount_total ?? 0) / 100;
  page(
    response,
    'Checkout',
    `<p>$${amount}</p><form method="post"><button>Pay</button></form><a href="${session.cancel_url}">Back</a>`,
  );
};

const portalPage = (account: StripeAccount, id: string, method: string, response: ServerResponse) => {
  const { session, change } = account.find(account.portals, id);
  if (change !== undefined && method === 'POST') {
    account.changePrice(change.subscription, change.price);
    return goTo(response, change.returnUrl);
  }
  const confirm = change === undefined ? '' : '<form method="post"><button>Confirm</button></form>';
  page(response, 'Billing', `${confirm}<a href="${session.return_url}">Back</a>`);
};

/** The pages on which people pay and manage what they bought. */
export const stripePage = (
  account: StripeAccount,
  { method, path }: { method: string; path: string },
  response: ServerResponse,
) => {
  const [, kind = '', id = ''] = path.split('/');
  if (kind === 'pay') return checkoutPage(account, id, method, response);
  if (kind === 'portal') return portalPage(account, id, method, response);
  page(response, 'Invoice', `<p>${kind}</p>`);
};
