import { Button } from '@blueprintjs/core';
import { Share } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import type { CredentialForm } from '../credentials/credential-form.store.ts';
import { type ConnectorItem, titleOf } from '../data/connector.ts';
import type { AllowedActions } from '../data/connector-state.ts';
import type { ConnectorsStore } from '../data/connectors.store.ts';
import { Remark } from './connector-status.tsx';

type Step = Parameters<ConnectorsStore['authorize']>[1];

export interface SignInProps {
  store: ConnectorsStore;
  item: ConnectorItem;
  can: AllowedActions;
  form: CredentialForm;
}

/** Saves what was entered, since the address of the service may be among it, and goes to the service in this window. */
const useSignIn = ({ store, item, form }: SignInProps) => {
  const toasts = useService(TOASTS);
  return async (step: Step) => {
    if (store.workOn(item) !== undefined) return;
    try {
      if (form.isChanged) {
        await store.save(item, form.values());
        form.reset();
      }
      const url = await store.authorize(item, step);
      if (/^https?:\/\//.test(url)) window.location.assign(url);
    } catch (error) {
      toasts.showError(error);
      void store.refresh(item.attributes.id);
    }
  };
};

const signInText = (connector: ConnectorItem['attributes']): string => {
  const { state, sign_in: signIn } = connector;
  const title = titleOf(connector);
  if (state === 'authorizing') return t('Begin again with {title}', { title });
  return signIn?.signed_in === true ? t('Connect again with {title}', { title }) : t('Connect with {title}', { title });
};

/** The way to a connection without a typed-in token: consent at the service, then what the application may see. */
export const SignIn = observer(function SignIn(props: SignInProps) {
  const { store, item, can } = props;
  const { sign_in: signIn, is_configured: isConfigured, state } = item.attributes;
  const title = titleOf(item.attributes);
  const go = useSignIn(props);
  if (signIn === null || !can.signIn) return null;
  if (!signIn.ready) return signIn.message === null ? null : <Remark>{t(signIn.message)}</Remark>;
  const work = store.workOn(item);
  const isDone = signIn.signed_in && state !== 'needsAuth';
  const isInstalling = signIn.installation && signIn.signed_in;
  const isNext = isInstalling && !isConfigured;
  return (
    <section className="sec sign-in" aria-label={t('Sign in')}>
      <p className="t2">
        {isNext
          ? t('Signed in at {title}. Choose there which repositories Breakwater may see.', { title })
          : t('You agree at {title} and come back to this page; no token has to be typed.', { title })}
      </p>
      <div className="row">
        {isInstalling && (
          <Button
            intent={isNext ? 'primary' : 'none'}
            icon={<Share aria-hidden={true} />}
            text={t('Choose repositories on {title}', { title })}
            disabled={work !== undefined}
            onClick={() => void go('installation')}
          />
        )}
        <Button
          intent={isDone ? 'none' : 'primary'}
          text={signInText(item.attributes)}
          disabled={work !== undefined}
          loading={work === 'sign-in'}
          onClick={() => void go('sign-in')}
        />
      </div>
    </section>
  );
});
