import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { updateBilling } from '../api/billing-routes.ts';
import { notifyChanged } from './deps.ts';
import './tables.ts';

const NO_CARDS = 'Card numbers are not taken here. The payment provider asks for the card when you buy a plan.';

/** To whom invoices are written. */
export const billingEndpoint = (): Endpoint =>
  tenantEndpoint(updateBilling)(async ({ db, caller, body, audit }) => {
    const { credit_card, ...changes } = body;
    if (credit_card) {
      const issues = [{ loc: ['body', 'credit_card'], msg: NO_CARDS, type: 'credit_card' }];
      throw new AppError('validation_failed', NO_CARDS, { issues });
    }
    const isUnchanged = Object.keys(changes).length === 0;
    audit({ subject: 'Billing', isUnchanged });
    if (isUnchanged) return { success: true };
    await db.updateTable('clients').set(changes).where('id', '=', caller.clientId).execute();
    await notifyChanged(db, caller.clientId);
    return { success: true };
  });
