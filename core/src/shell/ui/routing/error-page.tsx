import { Button } from '@blueprintjs/core';
import { Refresh, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useLocation, useNavigate } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SESSION } from '../navigation/shell-ports.ts';
import { PageError } from './guards.ts';

export interface ErrorDescription {
  status: number;
  /** Empty when the error has none fit for a person. */
  message: string;
}

/** What the error page says of any error. A server's own text is shown; a error of ours is not. */
export const describeError = (error: unknown): ErrorDescription => {
  if (error instanceof PageError) return { status: error.status, message: error.message };
  if (error instanceof ApiError) return { status: error.status === 0 ? 500 : error.status, message: error.message };
  return { status: 500, message: '' };
};

export interface ErrorPageProps {
  description: ErrorDescription;
}

const isSaidByHeading = (description: ErrorDescription, heading: string): boolean =>
  description.message.toLowerCase() === heading.toLowerCase();

function Explanation({ description, heading }: { description: ErrorDescription; heading: string }) {
  const { pathname } = useLocation();
  if (!isSaidByHeading(description, heading))
    return <p className="t2 prose">{description.message || 'Something went wrong.'}</p>;
  return (
    <p className="t2 prose">
      Nothing is at <code>{pathname}</code>. The address is incomplete, or what was here has been removed.
    </p>
  );
}

/** Texts: specification §2 "Error page". */
export const ErrorPage = observer(function ErrorPage({ description }: ErrorPageProps) {
  const { isSignedIn, user } = useService(SESSION);
  const navigate = useNavigate();
  const isNotFound = description.status === 404;
  const heading = isNotFound ? 'Page not found' : `Error Status: ${description.status}`;
  return (
    <div className="error-page">
      {isNotFound && (
        <p className="muted tn label">
          Error 404
          {isSaidByHeading(description, heading) && description.message !== heading ? `: ${description.message}` : ''}
        </p>
      )}
      <h1>{heading}</h1>
      <Explanation description={description} heading={heading} />
      <div className="row wrap acts">
        <Button
          intent="primary"
          text={isSignedIn ? 'Go back to home page' : 'Go back to login page'}
          onClick={() => navigate('/')}
        />
        {isNotFound && can(user?.role, 'findings.read') && (
          <Button icon={<Search aria-hidden={true} />} text="Search findings" onClick={() => navigate('/findings')} />
        )}
        {description.status >= 500 && (
          <Button icon={<Refresh aria-hidden={true} />} text="Try again" onClick={() => window.location.reload()} />
        )}
      </div>
    </div>
  );
});
