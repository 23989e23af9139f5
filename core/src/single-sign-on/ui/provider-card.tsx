import { Button, Radio, RadioGroup } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { Time } from '../../platform/ui/display/badges.tsx';
import { FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { CopyAddress, type StoreProps, TextField } from './settings-fields.tsx';

const OidcFields = observer(function OidcFields({ store }: StoreProps) {
  const { stored, draft } = store;
  if (stored === undefined || draft === undefined) return null;
  const { has_oidc_client_secret: hasSecret, oidc_client_secret_hint: hint } = stored;
  const kept = draft.removesSecret
    ? t('It is removed when you save.')
    : hint === ''
      ? t('One is stored.')
      : t('One is stored: ••••{hint}.', { hint });
  return (
    <>
      <CopyAddress label={t('Redirect address')} value={stored.service.redirect_uri} />
      <TextField
        store={store}
        name="oidc_issuer"
        label={t('Issuer')}
        placeholder={t('https://login.example.org/tenant')}
        help={t(
          'As the provider calls itself. Its configuration is read from /.well-known/openid-configuration below it.',
        )}
      />
      <TextField store={store} name="oidc_client_id" label={t('Client id')} />
      <TextField
        store={store}
        name="oidc_client_secret"
        label={t('Client secret')}
        isSecret={true}
        help={
          hasSecret
            ? t('{kept} Enter another one to replace it.', { kept })
            : t('Leave it empty for a public client, which PKCE alone protects.')
        }
        aside={
          hasSecret && (
            <Button
              variant="minimal"
              size="small"
              text={draft.removesSecret ? t('Keep it') : t('Remove')}
              aria-label={draft.removesSecret ? t('Keep the client secret') : t('Remove the client secret')}
              onClick={() => store.set({ removesSecret: !draft.removesSecret })}
            />
          )
        }
      />
    </>
  );
});

const Certificates = observer(function Certificates({ store }: StoreProps) {
  const certificates = store.stored?.saml_certificates ?? [];
  if (certificates.length === 0) return null;
  return (
    <ul className="sso-certificates small" aria-label={t('Stored certificates')}>
      {certificates.map(({ fingerprint, valid_to, is_expired }) => (
        <li key={fingerprint}>
          <span className="mono trunc" title={fingerprint}>
            {fingerprint}
          </span>
          <span className={is_expired ? 'err' : 'muted'}>
            {is_expired ? t('Expired ') : t('Valid until ')}
            <Time value={valid_to} />
          </span>
        </li>
      ))}
    </ul>
  );
});

const SamlFields = observer(function SamlFields({ store }: StoreProps) {
  const { stored, draft } = store;
  if (stored === undefined || draft === undefined) return null;
  const readFile = async ([file]: File[]) => {
    if (file !== undefined) store.set({ saml_metadata: await file.text(), saml_metadata_url: '' });
  };
  return (
    <>
      <CopyAddress label={t('Entity id')} value={stored.service.entity_id} />
      <CopyAddress label={t('Assertion consumer service (ACS)')} value={stored.service.acs_url} />
      <p className="small">
        <a href={stored.service.entity_id} download="breakwater-metadata.xml">
          {t('Download both as metadata')}
        </a>
      </p>
      <h3>{t('Metadata of the provider')}</h3>
      <TextField
        store={store}
        name="saml_metadata_url"
        label={t('Metadata address')}
        placeholder={t('https://login.example.org/metadata.xml')}
        help={t('It is read once, when you save, and fills the three fields below.')}
      />
      <div className="row wrap">
        <FilePicker only={t('Metadata of the identity provider')} onFiles={(files) => void readFile(files)}>
          {t('Choose a metadata file')}
        </FilePicker>
        {draft.saml_metadata !== '' && (
          <span className="small muted" role="status">
            {t('The file is read when you save.')}
          </span>
        )}
      </div>
      {store.errorOf('saml_metadata') !== undefined && (
        <p className="err" id="saml_metadata">
          {store.errorOf('saml_metadata')}
        </p>
      )}
      <TextField store={store} name="saml_entity_id" label={t('Entity id of the provider')} />
      <TextField
        store={store}
        name="saml_sign_in_url"
        label={t('Sign-in address')}
        help={t('The single sign-on service with the binding HTTP-Redirect.')}
      />
      <TextField
        store={store}
        name="saml_certificates"
        label={t('Certificates')}
        rows={5}
        placeholder={t('-----BEGIN CERTIFICATE-----')}
        help={t(
          'In PEM, one after the other: with the next one beside the present one, nobody is locked out when it changes.',
        )}
      />
      <Certificates store={store} />
      <TextField
        store={store}
        name="saml_email_attribute"
        label={t('Attribute of the email')}
        help={t('Leave it empty where the NameID is the email.')}
      />
    </>
  );
});

/** Which identity provider the organisation has, and what to enter there. */
export const ProviderCard = observer(function ProviderCard({ store }: StoreProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  return (
    <section className="bp6-card sso-card" aria-labelledby="sso-provider">
      <h2 id="sso-provider">{t('Identity provider')}</h2>
      <RadioGroup
        label={t('Protocol')}
        inline={true}
        selectedValue={draft.protocol}
        onChange={({ currentTarget }) => store.set({ protocol: currentTarget.value === 'saml' ? 'saml' : 'oidc' })}
      >
        <Radio value="oidc" label={t('OpenID Connect')} />
        <Radio value="saml" label={t('SAML 2.0')} />
      </RadioGroup>
      <p className="muted">{t('Make an application for Breakwater at the provider. It asks for these addresses.')}</p>
      {draft.protocol === 'oidc' ? <OidcFields store={store} /> : <SamlFields store={store} />}
    </section>
  );
});
