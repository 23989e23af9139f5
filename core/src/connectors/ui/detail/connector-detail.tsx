import { Button } from '@blueprintjs/core';
import { Import, Refresh, Share, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can as mayDo } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { loadPlexalyzerTokens } from '../../../session/ui/index.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { CredentialForm } from '../credentials/credential-form.store.ts';
import { CredentialSection, FORM_ID } from '../credentials/credential-form.tsx';
import { type ConnectorItem, formOf, TOKENS_CARD, titleOf } from '../data/connector.ts';
import {
  type AllowedActions,
  allowedActions,
  isConnectable,
  isConnected,
  mayManageTokens,
  mayUpload,
  readOnlyReason,
} from '../data/connector-state.ts';
import type { ConnectorsStore } from '../data/connectors.store.ts';
import { useConnectionActions } from '../data/use-connectors.ts';
import { DeliveryAddress, NextSteps, Permissions } from './connector-facts.tsx';
import { Remark, StateNote } from './connector-status.tsx';

export interface ConnectorDetailProps {
  store: ConnectorsStore;
  item: ConnectorItem;
  /** Tests the fields as they are before they are saved. @returns what to say of it. @throws ApiError */
  onTest?: (values: Record<string, unknown>) => Promise<string>;
}

/** Of a few cards alone. */
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }));
const PlexalyzerTokens = lazy(async () => ({ default: await loadPlexalyzerTokens() }));
/** Last in the panel: the form does not wait for it. */
const Upkeep = lazy(async () => ({ default: (await import('./connector-upkeep.tsx')).Upkeep }));
const ViewSection = lazy(async () => ({
  default: (await import('../view/connector-view-section.tsx')).ConnectorViewSection,
}));
const GateNote = lazy(async () => ({ default: (await import('./connector-control.tsx')).GateNote }));

interface PartProps extends ConnectorDetailProps {
  can: AllowedActions;
  form: CredentialForm;
  onSubmit: () => void;
}

const useForm = (item: ConnectorItem): CredentialForm => {
  const [form] = useState(() => new CredentialForm(item.attributes));
  useEffect(() => form.follow(item.attributes), [form, item]);
  return form;
};

/** Saves what changed; where nothing did, checks again. */
const useSubmit = ({ store, item }: ConnectorDetailProps, form: CredentialForm, can: AllowedActions) => {
  const toasts = useService(TOASTS);
  const actions = useConnectionActions(store);
  return async () => {
    if (store.workOn(item) !== undefined) return;
    if (!form.isChanged && can.check) return actions.check(item);
    if (!form.validate()) return undefined;
    try {
      const { attributes } = await store.save(item, form.values());
      form.reset();
      // What a check said stands at the top of the panel; where none was made, this says that the values arrived.
      if (!isConnected(attributes) && attributes.state_detail.code === null) {
        toasts.show(t('{title} saved', { title: titleOf(attributes) }), { tone: 'done' });
      }
    } catch (error) {
      // The specification only logs it; the person sees it as well.
      console.error('Saving the connector failed', error);
      form.refuse(error);
    }
    return undefined;
  };
};

const Remarks = observer(function Remarks({ item }: { item: ConnectorItem }) {
  const role = useService(SESSION).user?.role;
  const { commercial, disabled } = item.attributes;
  const title = titleOf(item.attributes);
  const reason = readOnlyReason(role);
  const hasForm = formOf(item.attributes).length > 0;
  return (
    <>
      {reason !== undefined && (isConnectable(item.attributes) || hasForm) && <Remark>{t(reason)}</Remark>}
      {commercial && (
        <Remark>
          {t('{title} is a commercial product: using it needs your own licence of its vendor.', { title })}
        </Remark>
      )}
      {disabled !== null && hasForm && (
        <Remark>{t('Its settings can be saved for later. It is not checked and nothing is pulled.')}</Remark>
      )}
    </>
  );
});

const Body = observer(function Body({ store, item, can, form, onSubmit }: PartProps) {
  const { attributes } = item;
  const work = store.workOn(item);
  const isClosed = attributes.gate.state !== 'open' && attributes.disabled === null;
  const hasForm = form.entries.length > 0;
  return (
    <div className="body">
      {isClosed ? (
        <Suspense fallback={null}>
          <GateNote store={store} item={item} can={can} />
        </Suspense>
      ) : (
        <StateNote connector={attributes} work={work} />
      )}
      <Remarks item={item} />
      {attributes.sign_in !== null && (
        <Suspense fallback={null}>
          <SignIn store={store} item={item} can={can} form={form} />
        </Suspense>
      )}
      {attributes.view !== null && (
        <Suspense fallback={null}>
          <ViewSection item={item} />
        </Suspense>
      )}
      {hasForm && (
        <CredentialSection
          form={form}
          isDisabled={!can.edit || work !== undefined}
          onSubmit={onSubmit}
          onOffer={(field) => store.offers(item, field, form.values())}
        />
      )}
      {can.edit && <NextSteps connector={attributes} />}
      <DeliveryAddress connector={attributes} />
      <Permissions connector={attributes} />
      <Suspense fallback={null}>
        <Upkeep store={store} item={item} can={can} form={form} />
      </Suspense>
    </div>
  );
});

const primaryText = (item: ConnectorItem, form: CredentialForm): string => {
  const { abilities, disabled, gate, is_configured: isConfigured } = item.attributes;
  if (disabled !== null || gate.state !== 'open' || !abilities.includes('check')) return msg('Save');
  return isConfigured && !form.isChanged ? msg('Check again') : msg('Check and save');
};

interface TestButtonProps {
  form: CredentialForm;
  isBusy: boolean;
  onTest: NonNullable<ConnectorDetailProps['onTest']>;
}

/** Asks the service with what stands in the form; nothing is stored. */
const TestButton = observer(function TestButton({ form, isBusy, onTest }: TestButtonProps) {
  const toasts = useService(TOASTS);
  const [isTesting, setIsTesting] = useState(false);
  const test = async () => {
    if (!form.validate()) return;
    setIsTesting(true);
    try {
      toasts.show(await onTest(form.values()), { tone: 'done' });
    } catch (error) {
      form.refuse(error);
    } finally {
      setIsTesting(false);
    }
  };
  return <Button text={t('Test connection')} disabled={isBusy} loading={isTesting} onClick={() => void test()} />;
});

const FooterActs = observer(function FooterActs({ store, item, can, form, onSubmit, onTest }: PartProps) {
  const uploads = useService(UPLOADS);
  const actions = useConnectionActions(store);
  const { attributes } = item;
  const work = store.workOn(item);
  const isBusy = work !== undefined;
  const hasForm = form.entries.length > 0;
  const isAsking = work === 'save' || work === 'check';
  const canSubmit = isAsking || (can.edit && (hasForm || can.check));
  const text = primaryText(item, form);
  // A service that asked for a pause is not asked again by pressing a button.
  const isIdle = !form.isChanged && (text === 'Save' || attributes.state === 'paused');
  const canUpload = mayUpload(attributes, useService(SESSION).user?.role);
  return (
    <>
      {canSubmit && (
        <Button
          // Without a form there is nothing that a submit could belong to.
          {...(hasForm ? { type: 'submit', form: FORM_ID } : { onClick: onSubmit })}
          intent="primary"
          {...(form.isChanged ? {} : { icon: text === 'Check again' ? <Refresh aria-hidden={true} /> : null })}
          text={t(text)}
          disabled={isBusy || isIdle}
          loading={isAsking}
        />
      )}
      {onTest !== undefined && can.edit && <TestButton form={form} isBusy={isBusy} onTest={onTest} />}
      {can.sync && (
        <Button
          icon={<Import aria-hidden={true} />}
          text={t('Pull findings now')}
          disabled={isBusy}
          onClick={() => void actions.sync(item)}
        />
      )}
      {canUpload && (
        <Button
          intent={canSubmit ? 'none' : 'primary'}
          icon={<Upload aria-hidden={true} />}
          text={t('Upload report')}
          onClick={() => uploads.open()}
        />
      )}
      {form.isChanged && (
        <Button variant="minimal" text={t('Discard changes')} disabled={isBusy} onClick={form.reset} />
      )}
    </>
  );
});

/** A source control is connected to import from it. */
function ImportLink({ item }: { item: ConnectorItem }) {
  const role = useService(SESSION).user?.role;
  const { category, id } = item.attributes;
  if (category !== 'source-control' || !isConnected(item.attributes) || !mayDo(role, 'repositories.write')) return null;
  return (
    <Link className="bp6-button" to={`/manage-repositories?source_control=${encodeURIComponent(id)}`}>
      {t('Import repositories')}
    </Link>
  );
}

/** What a connector is, where it stands, and all that can be done with it: body and footer of its panel or page. */
export const ConnectorDetail = observer(function ConnectorDetail({ store, item, onTest }: ConnectorDetailProps) {
  const role = useService(SESSION).user?.role;
  const form = useForm(item);
  const can = allowedActions(item.attributes, role);
  const submit = useSubmit({ store, item }, form, can);
  const bodyRef = useRef<HTMLDivElement>(null);
  const work = store.workOn(item);
  const isBusy = work !== undefined;
  const isAsking = work === 'save' || work === 'check';
  useEffect(() => {
    // The button that was pressed cannot hold the focus while it works: it goes on at the beginning of the panel.
    if (document.activeElement === document.body) bodyRef.current?.focus({ preventScroll: true });
    // There stands what is asked, and then what the service said.
    if (isAsking) bodyRef.current?.querySelector('.body')?.scrollTo(0, 0);
  }, [isAsking]);
  const part = { store, item, can, form, onSubmit: () => void submit(), ...(onTest && { onTest }) };
  if (item.attributes.id === TOKENS_CARD) return <TokensDetail />;
  return (
    <div className="conn-detail" ref={bodyRef} tabIndex={-1}>
      <Body {...part} />
      <footer>
        <FooterActs {...part} />
        <ImportLink item={item} />
        <span className="grow" />
        <Documentation item={item} />
      </footer>
      <ConfirmLeave isChanged={form.isChanged && !isBusy} parameter="open" />
    </div>
  );
});

function Documentation({ item }: { item: ConnectorItem }) {
  const { documentation } = item.attributes;
  if (documentation === null || !documentation.startsWith('https://')) return null;
  return (
    <a className="small doc" href={documentation} target="_blank" rel="noopener noreferrer">
      {t('Documentation')}
      <span className="sr"> {t('of {title}, opens in a new tab', { title: titleOf(item.attributes) })}</span>
      <Share size={12} aria-hidden={true} />
    </a>
  );
}

/** The card of API tokens: their list in place of a form. */
const TokensDetail = observer(function TokensDetail() {
  const role = useService(SESSION).user?.role;
  return (
    <div className="conn-detail">
      <div className="body">
        {mayManageTokens(role) ? (
          <Suspense fallback={null}>
            <PlexalyzerTokens />
          </Suspense>
        ) : (
          <Remark>{t('An admin of your organisation makes and revokes these tokens.')}</Remark>
        )}
      </div>
    </div>
  );
});
