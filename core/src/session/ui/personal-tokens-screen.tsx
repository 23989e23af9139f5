import { msg } from '../../platform/model/message.ts';
import { PIPELINE_SCOPES } from '../../platform/model/permissions.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { ApiTokens } from './plexalyzer-tokens.tsx';
import type { TokenNaming } from './token-form.tsx';

const OF_PEOPLE: TokenNaming = {
  help: msg('Shown to you and to admins of your organisation.'),
  placeholder: msg('Script on my notebook'),
};

const exampleOf = (origin: string): string => `curl -H "Authorization: Bearer $TOKEN" "${origin}/api/v1/repositories"`;

/** `/settings/tokens`: tokens that call as this person. */
export function PersonalTokensScreen() {
  const example = (
    <>
      <p className="small muted">{t('Keep it as you keep a password, and call with it:')}</p>
      <pre className="command mono">{exampleOf(window.location.origin)}</pre>
    </>
  );
  return (
    <div className="canvas">
      <PageHead title={t('Personal tokens')} />
      <div className="page">
        <div className="bp6-card personal-tokens">
          <ApiTokens kind="personal" offered={PIPELINE_SCOPES} naming={OF_PEOPLE} example={example}>
            <p className="t2">
              {t(
                'With a personal token a program calls as you. It may do what you choose here, as far as your role allows it at that time, and sees what you see. Admins of your organisation can revoke it.',
              )}
            </p>
          </ApiTokens>
        </div>
      </div>
    </div>
  );
}
