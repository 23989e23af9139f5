import type { KitCheck } from '../../check.ts';
import type { Recorded } from '../../service/recorded.ts';
import type { Subject } from '../../service/subject.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkIdentities } from './identities.ts';
import { checkLostAnswers } from './lost-answers.ts';
import { checkMigrations } from './migrations.ts';
import { checkPageSizes } from './page-sizes.ts';
import { checkSignIn } from './sign-in.ts';

/** The checks of gold that play the service of a connector, which is silver. */
export async function checkGold(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck[]> {
  return Promise.all([
    checkIdentities(subject, recorded),
    checkPageSizes(subject, recorded),
    checkLostAnswers(subject, recorded),
    checkDeliveries(subject, recorded),
    checkSignIn(subject, recorded),
    checkMigrations(subject),
  ]);
}
