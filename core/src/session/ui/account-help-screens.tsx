import { Link } from 'react-router-dom';

/** `/forgot-password`: what helps on an installation that sends no mail (decisions.md "Starting it"). */
export function ForgotPasswordScreen() {
  return (
    <div className="signin">
      <h1>Forgot password</h1>
      <p className="lead">This installation sends no mail, so a password is reset on the server.</p>
      <p className="t2">Ask whoever runs it to enter this command with your email address:</p>
      <pre className="command">
        <code>npm run admin -- reset-password &lt;email&gt;</code>
      </pre>
      <p className="after">
        <Link to="/login">Back to sign in</Link>
      </p>
    </div>
  );
}

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
