import { observer } from 'mobx-react-lite';
import { msg } from '../../platform/model/message.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { ApiTokens } from '../../session/ui/index.ts';
import { CopyAddress, type StoreProps } from './settings-fields.tsx';

const OFFERED = ['scim'] as const;
const NAMING = { help: msg('Shown in the audit log.'), placeholder: msg('Identity provider') };

/** How the provider keeps people and groups: its address here, and its tokens. */
export const ProvisioningCard = observer(function ProvisioningCard({ store }: StoreProps) {
  if (store.stored === undefined) return null;
  return (
    <section className="bp6-card sso-card" aria-labelledby="sso-provisioning">
      <h2 id="sso-provisioning">{t('Provisioning (SCIM 2.0)')}</h2>
      <CopyAddress label={t('SCIM base address')} value={store.stored.service.scim_url} />
      <ApiTokens
        offered={OFFERED}
        naming={NAMING}
        example={<p className="small muted">{t('Enter it at the provider as the secret token (bearer token).')}</p>}
      >
        <p className="t2">
          {t(
            'With a token the provider makes people of your email domains members, ends memberships, and gives roles by its groups. What somebody owned who leaves goes to nobody, as when you remove them in the team.',
          )}
        </p>
      </ApiTokens>
    </section>
  );
});
