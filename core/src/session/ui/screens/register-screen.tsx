import { Link } from 'react-router-dom';

/** `/register`: registration by mail needs a mail server; without one, accounts come from an admin (decisions.md "Starting it"). */
export function RegisterScreen() {
  return (
    <div className="signin">
      <h1>Create an account</h1>
      <p className="lead">Self-registration is closed on this installation, because it sends no mail.</p>
      <p className="t2">Ask an admin of your organisation for an account.</p>
      <p className="after">
        <Link to="/login">Back to sign in</Link>
      </p>
    </div>
  );
}
