import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { PIPELINE_SCOPES, TOKEN_SCOPE_LABELS, type TokenScope } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { Pager } from '../../platform/ui/page/page-layout.tsx';
import type { TokenKind } from '../model/api-token.ts';
import { ApiTokensStore, type MadeToken, TOKENS_PER_PAGE, type TokenItem } from './api-tokens.store.ts';
import { NewToken, TokenForm, type TokenNaming } from './token-form.tsx';
import './api-tokens.css';

interface RowProps {
  item: TokenItem;
  /** One's own need not say whose they are. */
  kind: TokenKind;
  onRevoke: (item: TokenItem) => void;
}

function TokenRow({ item, kind, onRevoke }: RowProps) {
  const { name, hint, scopes, status, created_at, created_by, expired_at, last_used_at, owner } = item.attributes;
  const isActive = status === 'active';
  return (
    <li className="token">
      <div className="grow">
        <p className="row wrap">
          <span className="strong trunc" title={name}>
            {name}
          </span>
          <span className="mono muted small">••••{hint}</span>
          <StatusDot tone={isActive ? 'ok' : 'neutral'}>{isActive ? t('Active') : t('Expired')}</StatusDot>
        </p>
        <dl className="facts small">
          <dt>{t('Created')}</dt>
          <dd>
            {created_by === null || kind === 'personal' ? (
              <Time value={created_at} />
            ) : (
              <Words of="{time} by {person}" time={<Time value={created_at} />} person={created_by} />
            )}
          </dd>
          {owner !== null && kind === 'organization' && (
            <>
              <dt>{t('Calls as')}</dt>
              <dd>{owner}</dd>
            </>
          )}
          <dt>{isActive ? t('Expires') : t('Expired')}</dt>
          <dd>
            <Time value={expired_at} />
          </dd>
          <dt>{t('May')}</dt>
          <dd>{scopes.map((scope) => t(TOKEN_SCOPE_LABELS[scope])).join(', ')}</dd>
          <dt>{t('Last used')}</dt>
          <dd>{last_used_at === null ? t('Never') : <Time value={last_used_at} />}</dd>
        </dl>
      </div>
      <Button
        size="small"
        text={isActive ? t('Revoke') : t('Remove')}
        aria-label={isActive ? t('Revoke {name}', { name }) : t('Remove {name}', { name })}
        onClick={() => onRevoke(item)}
      />
    </li>
  );
}

interface ListProps extends Omit<RowProps, 'item'> {
  store: ApiTokensStore;
  offered: readonly TokenScope[];
}

const TokenList = observer(function TokenList({ store, kind, offered, onRevoke }: ListProps) {
  const { error } = store;
  const rows = store.rows?.filter(({ attributes }) => attributes.scopes.some((scope) => offered.includes(scope)));
  if (error !== undefined) {
    return <ErrorState title={t('The tokens could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={2} rowHeight={72} label={t('Tokens')} />;
  if (rows.length === 0) return <p className="muted">{t('No token yet.')}</p>;
  return (
    <>
      <ul className="tokens" aria-label={t('Tokens')}>
        {rows.map((item) => (
          <TokenRow key={item._id} item={item} kind={kind} onRevoke={onRevoke} />
        ))}
      </ul>
      <Pager page={store.page} pageSize={TOKENS_PER_PAGE} total={store.total} onPage={store.showPage} />
    </>
  );
});

interface RevokeProps {
  store: ApiTokensStore;
  item: TokenItem | undefined;
  onClose: () => void;
}

/** Asks before a token ends. */
const RevokeDialog = observer(function RevokeDialog({ store, item, onClose }: RevokeProps) {
  const toasts = useService(TOASTS);
  const name = item?.attributes.name ?? '';
  const isExpired = item?.attributes.status === 'expired';
  const revoke = async () => {
    if (item === undefined) return;
    try {
      await store.revoke(item._id);
      toasts.show(isExpired ? t('Token {name} removed', { name }) : t('Token {name} revoked', { name }), {
        tone: 'done',
      });
      onClose();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <ActionDialog
      isOpen={item !== undefined}
      title={isExpired ? t('Remove token {name}', { name }) : t('Revoke token {name}', { name })}
      consequence={t(
        'Whatever calls with it is refused at once. Its uploads and their findings stay. This cannot be undone.',
      )}
      actionLabel={isExpired ? t('Remove token') : t('Revoke token')}
      isDestructive
      isBusy={store.isRevoking}
      onAction={() => void revoke()}
      onClose={onClose}
    />
  );
});

interface ApiTokensProps {
  /** The organisation's unless said. */
  kind?: TokenKind;
  /** Scopes that are chosen from; one alone is not asked for. */
  offered: readonly TokenScope[];
  naming: TokenNaming;
  /** How a new token is used. */
  example: ReactNode;
  /** What the tokens are for. */
  children: ReactNode;
}

/** Tokens of some scopes: what there is, making one, ending one. */
export const ApiTokens = observer(function ApiTokens({
  kind = 'organization',
  offered,
  naming,
  example,
  children,
}: ApiTokensProps) {
  const api = useService(API);
  const [store] = useState(() => new ApiTokensStore(api, kind));
  const [made, setMade] = useState<MadeToken>();
  const [toRevoke, setToRevoke] = useState<TokenItem>();
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const handleMade = (token: MadeToken) => {
    setMade(token);
    void store.load();
  };
  return (
    <div className="api-tokens">
      {children}
      {made === undefined ? (
        <TokenForm kind={kind} offered={offered} naming={naming} onMade={handleMade} />
      ) : (
        <NewToken made={made} onDone={() => setMade(undefined)}>
          {example}
        </NewToken>
      )}
      <h3>{t('Tokens')}</h3>
      <TokenList store={store} kind={kind} offered={offered} onRevoke={setToRevoke} />
      <RevokeDialog store={store} item={toRevoke} onClose={() => setToRevoke(undefined)} />
    </div>
  );
});

const OF_PIPELINES: TokenNaming = {
  help: msg('Shown in the history of uploads.'),
  placeholder: msg('Pipeline of the shop'),
};

const exampleOf = (origin: string): string =>
  `curl -F file=@report.json -F tool=auto -H "Authorization: Bearer $TOKEN" "${origin}/api/v1/upload_scan/$REPOSITORY?wait=60"`;

/** Tokens with which pipelines upload reports, request scans and read findings. For superadmins and admins. */
export function PlexalyzerTokens() {
  const example = (
    <>
      <p className="small muted">{t('Keep it as a secret of the pipeline, then upload with it:')}</p>
      <pre className="command mono">{exampleOf(window.location.origin)}</pre>
    </>
  );
  return (
    <ApiTokens offered={PIPELINE_SCOPES} naming={OF_PIPELINES} example={example}>
      <p className="t2">
        {t(
          'With a token a pipeline calls this server without a person’s password. It may do what you choose here, and nothing else: upload reports, request scans, or read findings for a gate.',
        )}
      </p>
    </ApiTokens>
  );
}
