import { Button } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import type { AiState } from '../../api/ai-routes.ts';
import type { AiUsage } from './use-ai-usage.ts';

/** Where the models of the organisation are set up. */
export const AI_SETTINGS = '/settings/ai';

/** Why nobody can be asked: on the button, and in a sentence. */
const OBSTACLES: Readonly<Record<Exclude<AiState, 'ready'>, readonly [short: string, why: string]>> = {
  not_configured: [msg('Ask AI: not set up'), msg('No model is set up that could write fixes.')],
  not_connected: [msg('Ask AI: not connected'), msg('The model that writes fixes is not connected.')],
  quota_used_up: [msg('Ask AI: used up this month'), msg('The plan allows no more uses of AI this month.')],
};

interface AskAiProps {
  usage: AiUsage | undefined;
  isDisabled: boolean;
  onAsk: () => void;
}

/** Has a model write the fix; where none can, says why and leads to the settings of AI. */
export function AskAi({ usage, isDisabled, onAsk }: AskAiProps) {
  const { user } = useService(SESSION);
  if (usage === undefined) return null;
  const { state, name } = usage.remediation;
  if (state === 'ready')
    return (
      <Button
        text={t('Ask AI')}
        title={name === null ? t('Have the model write the fix') : t('Have {model} write the fix', { model: name })}
        disabled={isDisabled}
        onClick={onAsk}
      />
    );
  const [short, why] = OBSTACLES[state];
  const text = t(short);
  if (!can(user?.role, 'connectors.read'))
    return <Button variant="minimal" disabled={true} text={text} title={`${t(why)} ${t('An admin sets AI up.')}`} />;
  return (
    <Link className="bp6-button bp6-minimal" to={AI_SETTINGS} title={`${t(why)} ${t('Open the settings of AI.')}`}>
      {text}
    </Link>
  );
}
