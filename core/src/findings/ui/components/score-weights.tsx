import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { useService } from '../../../platform/ui/services.tsx';
import { SESSION } from '../../../shell/ui/session-port.ts';

/** What the second number of each part is, with the way to the settings for those who may see them. */
export const ScoreWeights = observer(function ScoreWeights() {
  const role = useService(SESSION).user?.role;
  return (
    <p className="small muted">
      “of” is what a part can give under the weights of your organisation.{' '}
      {(role === 'admin' || role === 'cyberoper') && (
        <Link to="/settings/prioritisation">{role === 'admin' ? 'Change the weights' : 'See the weights'}</Link>
      )}
    </p>
  );
});
